/* controllerrevision.h - ControllerRevision of apps/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* A template as it once was. */
struct k8s_controllerrevision {
    struct k8s_meta meta; /* Metadata of an object. */
    const struct json *data; /* What it looked like. */
    struct maybe_int revision; /* Its place in the history. */
};

extern const struct type k8s_controllerrevision_type;
extern const struct kind k8s_controllerrevision_kind;

/* Deep copies that live as long as the arena. */
struct k8s_controllerrevision *
k8s_controllerrevision_keep(struct arena *a, const struct k8s_controllerrevision *from);
