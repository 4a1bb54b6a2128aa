/* pvc.h - PersistentVolumeClaim of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/pod_parts.h"
#include "k8s/volume.h"

/* What was given. */
struct k8s_pvc_status {
    const char *phase; /* Pending, Bound or Lost. */
    struct strs access_modes; /* How it may be used. */
    struct pairs capacity; /* How much there is. */
    struct k8s_pod_condition_list conditions; /* Resizing and the like. */
};

/* Storage that is asked for. */
struct k8s_pvc {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_claim_spec spec; /* What is asked for. */
    struct k8s_pvc_status status; /* What was given. */
};

extern const struct type k8s_pvc_status_type;
extern const struct type k8s_pvc_type;
extern const struct kind k8s_pvc_kind;

/* Deep copies that live as long as the arena. */
struct k8s_pvc *k8s_pvc_keep(struct arena *a, const struct k8s_pvc *from);
