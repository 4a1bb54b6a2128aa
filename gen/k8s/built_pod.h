/* built_pod.h - Pod of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* A pod as it is created. */
struct k8s_built_pod {
    struct k8s_meta meta; /* Metadata of an object. */
    /* A core/v1 PodSpec, built from a k8s_pod_spec with the user's part merged over it. */
    const struct json *spec;
};

extern const struct type k8s_built_pod_type;
extern const struct kind k8s_built_pod_kind;

/* Deep copies that live as long as the arena. */
struct k8s_built_pod *k8s_built_pod_keep(struct arena *a, const struct k8s_built_pod *from);
