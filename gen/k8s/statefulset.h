/* statefulset.h - StatefulSet of apps/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/volume.h"

struct k8s_statefulset_ordinals;
struct k8s_statefulset_update_strategy;
struct k8s_statefulset_update_strategy_rolling_update;

/* The pods as they should be. */
struct k8s_statefulset_spec {
    struct maybe_int replicas; /* How many pods. */
    struct k8s_label_selector selector; /* Which pods are its own; cannot change. */
    struct k8s_pod_template template; /* What the pods look like. */
    /* Claims that each pod gets of its own; cannot change. */
    struct k8s_claim_template_list volume_claim_templates;
    const char *service_name; /* The headless Service that names the pods; cannot change. */
    const char *pod_management_policy; /* OrderedReady or Parallel. */
    /* How pods follow a changed template. */
    struct k8s_statefulset_update_strategy *update_strategy;
    struct maybe_int revision_history_limit; /* How many old revisions are kept. */
    /* How long a pod must be ready before it counts as available. */
    struct maybe_int min_ready_seconds;
    /* What becomes of the claims. */
    struct k8s_retention_policy *persistent_volume_claim_retention_policy;
    struct k8s_statefulset_ordinals *ordinals; /* How pods are numbered. */
};

/* The pods as last seen. */
struct k8s_statefulset_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    struct maybe_int replicas; /* Pods there are. */
    struct maybe_int ready_replicas; /* Pods that are ready. */
    struct maybe_int current_replicas; /* Pods made from the current revision. */
    struct maybe_int updated_replicas; /* Pods made from the newest template. */
    const char *current_revision; /* Revision that pods are moved from. */
    const char *update_revision; /* Revision that pods are moved to. */
    struct maybe_int collision_count; /* How often two revisions had the same hash. */
    struct k8s_condition_list conditions; /* What else is known. */
    struct maybe_int available_replicas; /* Pods that have been ready for long enough. */
};

/* Pods with numbers and storage of their own. */
struct k8s_statefulset {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_statefulset_spec spec; /* The pods as they should be. */
    struct k8s_statefulset_status status; /* The pods as last seen. */
};

/* How pods follow a changed template. */
struct k8s_statefulset_update_strategy {
    const char *type; /* RollingUpdate or OnDelete. */
    /* Bounds of a rolling update. */
    struct k8s_statefulset_update_strategy_rolling_update *rolling_update;
};

/* Bounds of a rolling update. */
struct k8s_statefulset_update_strategy_rolling_update {
    struct maybe_int partition; /* Pods below this number stay. */
    struct int_or_str max_unavailable; /* How many pods may be missing meanwhile. */
};

/* How pods are numbered. */
struct k8s_statefulset_ordinals {
    struct maybe_int start; /* The first number. */
};

extern const struct type k8s_statefulset_spec_type;
extern const struct type k8s_statefulset_status_type;
extern const struct type k8s_statefulset_type;
extern const struct type k8s_statefulset_update_strategy_type;
extern const struct type k8s_statefulset_update_strategy_rolling_update_type;
extern const struct type k8s_statefulset_ordinals_type;
extern const struct kind k8s_statefulset_kind;

/* Deep copies that live as long as the arena. */
struct k8s_statefulset *k8s_statefulset_keep(struct arena *a, const struct k8s_statefulset *from);
