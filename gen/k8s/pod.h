/* pod.h - Pod of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/pod_parts.h"

/* What was asked for. */
struct k8s_pod_watched_spec {
    struct k8s_pod_volume_list volumes; /* Volumes; only claims are told apart. */
    const char *node_name; /* The node the pod is bound to. */
    const char *hostname; /* Host name inside the pod; its own name when absent. */
};

/* What became of it. */
struct k8s_pod_status {
    const char *phase; /* Pending, Running, Succeeded, Failed or Unknown. */
    struct k8s_pod_condition_list conditions; /* Ready, PodScheduled and what others add. */
    const char *reason; /* Why it is in this phase, in one word, such as Evicted. */
    const char *pod_ip; /* Address of the pod. */
    struct k8s_container_status_list container_statuses; /* How each container fares. */
};

/* Containers that run together on a node, as far as we look at them. */
struct k8s_pod {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_pod_watched_spec spec; /* What was asked for. */
    struct k8s_pod_status status; /* What became of it. */
};

extern const struct type k8s_pod_watched_spec_type;
extern const struct type k8s_pod_status_type;
extern const struct type k8s_pod_type;
extern const struct kind k8s_pod_kind;

/* Deep copies that live as long as the arena. */
struct k8s_pod *k8s_pod_keep(struct arena *a, const struct k8s_pod *from);
