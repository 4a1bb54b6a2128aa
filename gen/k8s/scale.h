/* scale.h - Scale of autoscaling/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* The wish. */
struct k8s_scale_spec {
    struct maybe_int replicas; /* How many there should be. */
};

/* The state. */
struct k8s_scale_status {
    struct maybe_int replicas; /* How many there are. */
    const char *selector; /* Which pods they are. */
};

/* How many replicas a set has; the scale subresource. */
struct k8s_scale {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_scale_spec spec; /* The wish. */
    struct k8s_scale_status status; /* The state. */
};

extern const struct type k8s_scale_spec_type;
extern const struct type k8s_scale_status_type;
extern const struct type k8s_scale_type;
extern const struct kind k8s_scale_kind;

/* Deep copies that live as long as the arena. */
struct k8s_scale *k8s_scale_keep(struct arena *a, const struct k8s_scale *from);
