/* deployment.h - Deployment of apps/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

struct k8s_deployment_strategy;
struct k8s_deployment_strategy_rolling_update;

/* The pods as they should be. */
struct k8s_deployment_spec {
    struct maybe_int replicas; /* How many pods. */
    struct k8s_label_selector selector; /* Which pods are its own; cannot change. */
    struct k8s_pod_template template; /* What the pods look like. */
    struct k8s_deployment_strategy *strategy; /* How pods follow a changed template. */
    /* How long a pod must be ready before it counts as available. */
    struct maybe_int min_ready_seconds;
    struct maybe_int revision_history_limit; /* How many old revisions are kept. */
    enum flag paused; /* Changes wait. */
    /* How long an update may stand still before it counts as failed. */
    struct maybe_int progress_deadline_seconds;
};

/* The pods as last seen. */
struct k8s_deployment_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    struct maybe_int replicas; /* Pods there are. */
    struct maybe_int updated_replicas; /* Pods made from the newest template. */
    struct maybe_int ready_replicas; /* Pods that are ready. */
    struct maybe_int available_replicas; /* Pods that have been ready for long enough. */
    struct maybe_int unavailable_replicas; /* Pods that are missing or not available. */
    struct k8s_condition_list conditions; /* Available and Progressing. */
};

/* Pods that can replace one another. */
struct k8s_deployment {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_deployment_spec spec; /* The pods as they should be. */
    struct k8s_deployment_status status; /* The pods as last seen. */
};

/* How pods follow a changed template. */
struct k8s_deployment_strategy {
    const char *type; /* RollingUpdate or Recreate. */
    struct k8s_deployment_strategy_rolling_update *rolling_update; /* Bounds of a rolling update. */
};

/* Bounds of a rolling update. */
struct k8s_deployment_strategy_rolling_update {
    struct int_or_str max_unavailable; /* How many pods may be missing meanwhile. */
    struct int_or_str max_surge; /* How many pods may be there too many meanwhile. */
};

extern const struct type k8s_deployment_spec_type;
extern const struct type k8s_deployment_status_type;
extern const struct type k8s_deployment_type;
extern const struct type k8s_deployment_strategy_type;
extern const struct type k8s_deployment_strategy_rolling_update_type;
extern const struct kind k8s_deployment_kind;

/* Deep copies that live as long as the arena. */
struct k8s_deployment *k8s_deployment_keep(struct arena *a, const struct k8s_deployment *from);
