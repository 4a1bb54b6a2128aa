/* pod_parts.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

struct k8s_container_state;
struct k8s_container_terminated;
struct k8s_container_waiting;
struct k8s_pod_claim;

/* One aspect of a pod's state. */
struct k8s_pod_condition {
    const char *type; /* Which aspect. */
    const char *status; /* True, False or Unknown. */
    usec last_transition_time; /* When the status last changed. */
    const char *reason; /* Why, in one word. */
    const char *message; /* Why, for people. */
};

struct k8s_pod_condition_list {
    struct k8s_pod_condition *v;
    size_t n;
};

/* A volume of a pod. */
struct k8s_pod_volume {
    const char *name; /* Name that mounts refer to. */
    struct k8s_pod_claim *persistent_volume_claim; /* The claim behind it, if it is one. */
};

struct k8s_pod_volume_list {
    struct k8s_pod_volume *v;
    size_t n;
};

/* The claim behind it, if it is one. */
struct k8s_pod_claim {
    const char *claim_name; /* Name of the claim. */
};

/* How a container fares. */
struct k8s_container_status {
    const char *name; /* Name of the container. */
    struct k8s_container_state *state; /* What it is doing now; running when neither is there. */
    enum flag ready; /* Its readiness probe passes. */
    struct maybe_int restart_count; /* How often it was started again. */
};

struct k8s_container_status_list {
    struct k8s_container_status *v;
    size_t n;
};

/* What it is doing now; running when neither is there. */
struct k8s_container_state {
    struct k8s_container_waiting *waiting; /* It has not started. */
    struct k8s_container_terminated *terminated; /* It has ended. */
};

/* It has not started. */
struct k8s_container_waiting {
    const char *reason; /* Why, such as CrashLoopBackOff. */
};

/* It has ended. */
struct k8s_container_terminated {
    struct maybe_int exit_code; /* Exit status of its process. */
    const char *reason; /* Why, such as OOMKilled. */
};

extern const struct type k8s_pod_condition_type;
extern const struct type k8s_pod_volume_type;
extern const struct type k8s_pod_claim_type;
extern const struct type k8s_container_status_type;
extern const struct type k8s_container_state_type;
extern const struct type k8s_container_waiting_type;
extern const struct type k8s_container_terminated_type;

/* Deep copies that live as long as the arena. */
struct k8s_pod_condition *k8s_pod_condition_keep(struct arena *a,
                                                 const struct k8s_pod_condition *from);
struct k8s_pod_volume *k8s_pod_volume_keep(struct arena *a, const struct k8s_pod_volume *from);
struct k8s_container_status *k8s_container_status_keep(struct arena *a,
                                                       const struct k8s_container_status *from);
