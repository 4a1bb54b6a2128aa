/* deployment.c - Deployment of apps/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/deployment.h"

static const struct field k8s_deployment_spec_fields[] = {
    FIELD(k8s_deployment_spec, replicas, INT, "replicas", .doc = "How many pods."),
    FIELD(k8s_deployment_spec, selector, OBJECT, "selector", .flags = REQUIRED,
          .of = &k8s_label_selector_type, .doc = "Which pods are its own; cannot change."),
    FIELD(k8s_deployment_spec, template, OBJECT, "template", .flags = REQUIRED,
          .of = &k8s_pod_template_type, .doc = "What the pods look like."),
    FIELD(k8s_deployment_spec, strategy, POINTER, "strategy", .of = &k8s_deployment_strategy_type,
          .doc = "How pods follow a changed template."),
    FIELD(k8s_deployment_spec, min_ready_seconds, INT, "minReadySeconds",
          .doc = "How long a pod must be ready before it counts as available."),
    FIELD(k8s_deployment_spec, revision_history_limit, INT, "revisionHistoryLimit",
          .doc = "How many old revisions are kept."),
    FIELD(k8s_deployment_spec, paused, BOOL, "paused", .doc = "Changes wait."),
    FIELD(k8s_deployment_spec, progress_deadline_seconds, INT, "progressDeadlineSeconds",
          .doc = "How long an update may stand still before it counts as failed."),
    { 0 },
};
const struct type k8s_deployment_spec_type = TYPE(k8s_deployment_spec, k8s_deployment_spec_fields);

static const struct field k8s_deployment_status_fields[] = {
    FIELD(k8s_deployment_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(k8s_deployment_status, replicas, INT, "replicas", .doc = "Pods there are."),
    FIELD(k8s_deployment_status, updated_replicas, INT, "updatedReplicas",
          .doc = "Pods made from the newest template."),
    FIELD(k8s_deployment_status, ready_replicas, INT, "readyReplicas",
          .doc = "Pods that are ready."),
    FIELD(k8s_deployment_status, available_replicas, INT, "availableReplicas",
          .doc = "Pods that have been ready for long enough."),
    FIELD(k8s_deployment_status, unavailable_replicas, INT, "unavailableReplicas",
          .doc = "Pods that are missing or not available."),
    FIELD(k8s_deployment_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "Available and Progressing."),
    { 0 },
};
const struct type k8s_deployment_status_type =
    TYPE(k8s_deployment_status, k8s_deployment_status_fields);

static const struct field k8s_deployment_fields[] = {
    FIELD(k8s_deployment, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_deployment, spec, OBJECT, "spec", .of = &k8s_deployment_spec_type,
          .doc = "The pods as they should be."),
    FIELD(k8s_deployment, status, OBJECT, "status", .of = &k8s_deployment_status_type,
          .doc = "The pods as last seen."),
    { 0 },
};
const struct type k8s_deployment_type = TYPE(k8s_deployment, k8s_deployment_fields);

static const struct field k8s_deployment_strategy_fields[] = {
    FIELD(k8s_deployment_strategy, type, STR, "type", .doc = "RollingUpdate or Recreate."),
    FIELD(k8s_deployment_strategy, rolling_update, POINTER, "rollingUpdate",
          .of = &k8s_deployment_strategy_rolling_update_type, .doc = "Bounds of a rolling update."),
    { 0 },
};
const struct type k8s_deployment_strategy_type =
    TYPE(k8s_deployment_strategy, k8s_deployment_strategy_fields);

static const struct field k8s_deployment_strategy_rolling_update_fields[] = {
    FIELD(k8s_deployment_strategy_rolling_update, max_unavailable, INT_STR, "maxUnavailable",
          .doc = "How many pods may be missing meanwhile."),
    FIELD(k8s_deployment_strategy_rolling_update, max_surge, INT_STR, "maxSurge",
          .doc = "How many pods may be there too many meanwhile."),
    { 0 },
};
const struct type k8s_deployment_strategy_rolling_update_type =
    TYPE(k8s_deployment_strategy_rolling_update, k8s_deployment_strategy_rolling_update_fields);

const struct kind k8s_deployment_kind = {
    .group = "apps",
    .version = "v1",
    .kind = "Deployment",
    .plural = "deployments",
    .namespaced = true,
    .has_status = true,
    .has_scale = true,
    .type = &k8s_deployment_type,
    .status = &k8s_deployment_fields[2],
};

struct k8s_deployment *k8s_deployment_keep(struct arena *a, const struct k8s_deployment *from)
{
    return table_copy(a, &k8s_deployment_type, from);
}
