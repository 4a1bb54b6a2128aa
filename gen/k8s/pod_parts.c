/* pod_parts.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/pod_parts.h"

static const struct field k8s_pod_condition_fields[] = {
    FIELD(k8s_pod_condition, type, STR, "type", .flags = REQUIRED, .doc = "Which aspect."),
    FIELD(k8s_pod_condition, status, STR, "status", .flags = REQUIRED,
          .doc = "True, False or Unknown."),
    FIELD(k8s_pod_condition, last_transition_time, TIME, "lastTransitionTime",
          .doc = "When the status last changed."),
    FIELD(k8s_pod_condition, reason, STR, "reason", .doc = "Why, in one word."),
    FIELD(k8s_pod_condition, message, STR, "message", .doc = "Why, for people."),
    { 0 },
};
const struct type k8s_pod_condition_type = TYPE(k8s_pod_condition, k8s_pod_condition_fields);

static const struct field k8s_pod_volume_fields[] = {
    FIELD(k8s_pod_volume, name, STR, "name", .doc = "Name that mounts refer to."),
    FIELD(k8s_pod_volume, persistent_volume_claim, POINTER, "persistentVolumeClaim",
          .of = &k8s_pod_claim_type, .doc = "The claim behind it, if it is one."),
    { 0 },
};
const struct type k8s_pod_volume_type = TYPE(k8s_pod_volume, k8s_pod_volume_fields);

static const struct field k8s_pod_claim_fields[] = {
    FIELD(k8s_pod_claim, claim_name, STR, "claimName", .doc = "Name of the claim."),
    { 0 },
};
const struct type k8s_pod_claim_type = TYPE(k8s_pod_claim, k8s_pod_claim_fields);

static const struct field k8s_container_status_fields[] = {
    FIELD(k8s_container_status, name, STR, "name", .doc = "Name of the container."),
    FIELD(k8s_container_status, state, POINTER, "state", .of = &k8s_container_state_type,
          .doc = "What it is doing now; running when neither is there."),
    FIELD(k8s_container_status, ready, BOOL, "ready", .doc = "Its readiness probe passes."),
    FIELD(k8s_container_status, restart_count, INT, "restartCount",
          .doc = "How often it was started again."),
    { 0 },
};
const struct type k8s_container_status_type =
    TYPE(k8s_container_status, k8s_container_status_fields);

static const struct field k8s_container_state_fields[] = {
    FIELD(k8s_container_state, waiting, POINTER, "waiting", .of = &k8s_container_waiting_type,
          .doc = "It has not started."),
    FIELD(k8s_container_state, terminated, POINTER, "terminated",
          .of = &k8s_container_terminated_type, .doc = "It has ended."),
    { 0 },
};
const struct type k8s_container_state_type = TYPE(k8s_container_state, k8s_container_state_fields);

static const struct field k8s_container_waiting_fields[] = {
    FIELD(k8s_container_waiting, reason, STR, "reason", .doc = "Why, such as CrashLoopBackOff."),
    { 0 },
};
const struct type k8s_container_waiting_type =
    TYPE(k8s_container_waiting, k8s_container_waiting_fields);

static const struct field k8s_container_terminated_fields[] = {
    FIELD(k8s_container_terminated, exit_code, INT, "exitCode",
          .doc = "Exit status of its process."),
    FIELD(k8s_container_terminated, reason, STR, "reason", .doc = "Why, such as OOMKilled."),
    { 0 },
};
const struct type k8s_container_terminated_type =
    TYPE(k8s_container_terminated, k8s_container_terminated_fields);

struct k8s_pod_condition *k8s_pod_condition_keep(struct arena *a,
                                                 const struct k8s_pod_condition *from)
{
    return table_copy(a, &k8s_pod_condition_type, from);
}

struct k8s_pod_volume *k8s_pod_volume_keep(struct arena *a, const struct k8s_pod_volume *from)
{
    return table_copy(a, &k8s_pod_volume_type, from);
}

struct k8s_container_status *k8s_container_status_keep(struct arena *a,
                                                       const struct k8s_container_status *from)
{
    return table_copy(a, &k8s_container_status_type, from);
}
