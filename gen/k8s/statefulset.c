/* statefulset.c - StatefulSet of apps/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/statefulset.h"

static const struct field k8s_statefulset_spec_fields[] = {
    FIELD(k8s_statefulset_spec, replicas, INT, "replicas", .doc = "How many pods."),
    FIELD(k8s_statefulset_spec, selector, OBJECT, "selector", .flags = REQUIRED,
          .of = &k8s_label_selector_type, .doc = "Which pods are its own; cannot change."),
    FIELD(k8s_statefulset_spec, template, OBJECT, "template", .flags = REQUIRED,
          .of = &k8s_pod_template_type, .doc = "What the pods look like."),
    FIELD(k8s_statefulset_spec, volume_claim_templates, LIST, "volumeClaimTemplates",
          .of = &k8s_claim_template_type,
          .doc = "Claims that each pod gets of its own; cannot change."),
    FIELD(k8s_statefulset_spec, service_name, STR, "serviceName",
          .doc = "The headless Service that names the pods; cannot change."),
    FIELD(k8s_statefulset_spec, pod_management_policy, STR, "podManagementPolicy",
          .doc = "OrderedReady or Parallel."),
    FIELD(k8s_statefulset_spec, update_strategy, POINTER, "updateStrategy",
          .of = &k8s_statefulset_update_strategy_type,
          .doc = "How pods follow a changed template."),
    FIELD(k8s_statefulset_spec, revision_history_limit, INT, "revisionHistoryLimit",
          .doc = "How many old revisions are kept."),
    FIELD(k8s_statefulset_spec, min_ready_seconds, INT, "minReadySeconds",
          .doc = "How long a pod must be ready before it counts as available."),
    FIELD(k8s_statefulset_spec, persistent_volume_claim_retention_policy, POINTER,
          "persistentVolumeClaimRetentionPolicy", .of = &k8s_retention_policy_type,
          .doc = "What becomes of the claims."),
    FIELD(k8s_statefulset_spec, ordinals, POINTER, "ordinals", .of = &k8s_statefulset_ordinals_type,
          .doc = "How pods are numbered."),
    { 0 },
};
const struct type k8s_statefulset_spec_type =
    TYPE(k8s_statefulset_spec, k8s_statefulset_spec_fields);

static const struct field k8s_statefulset_status_fields[] = {
    FIELD(k8s_statefulset_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(k8s_statefulset_status, replicas, INT, "replicas", .doc = "Pods there are."),
    FIELD(k8s_statefulset_status, ready_replicas, INT, "readyReplicas",
          .doc = "Pods that are ready."),
    FIELD(k8s_statefulset_status, current_replicas, INT, "currentReplicas",
          .doc = "Pods made from the current revision."),
    FIELD(k8s_statefulset_status, updated_replicas, INT, "updatedReplicas",
          .doc = "Pods made from the newest template."),
    FIELD(k8s_statefulset_status, current_revision, STR, "currentRevision",
          .doc = "Revision that pods are moved from."),
    FIELD(k8s_statefulset_status, update_revision, STR, "updateRevision",
          .doc = "Revision that pods are moved to."),
    FIELD(k8s_statefulset_status, collision_count, INT, "collisionCount",
          .doc = "How often two revisions had the same hash."),
    FIELD(k8s_statefulset_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "What else is known."),
    FIELD(k8s_statefulset_status, available_replicas, INT, "availableReplicas",
          .doc = "Pods that have been ready for long enough."),
    { 0 },
};
const struct type k8s_statefulset_status_type =
    TYPE(k8s_statefulset_status, k8s_statefulset_status_fields);

static const struct field k8s_statefulset_fields[] = {
    FIELD(k8s_statefulset, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_statefulset, spec, OBJECT, "spec", .of = &k8s_statefulset_spec_type,
          .doc = "The pods as they should be."),
    FIELD(k8s_statefulset, status, OBJECT, "status", .of = &k8s_statefulset_status_type,
          .doc = "The pods as last seen."),
    { 0 },
};
const struct type k8s_statefulset_type = TYPE(k8s_statefulset, k8s_statefulset_fields);

static const struct field k8s_statefulset_update_strategy_fields[] = {
    FIELD(k8s_statefulset_update_strategy, type, STR, "type", .doc = "RollingUpdate or OnDelete."),
    FIELD(k8s_statefulset_update_strategy, rolling_update, POINTER, "rollingUpdate",
          .of = &k8s_statefulset_update_strategy_rolling_update_type,
          .doc = "Bounds of a rolling update."),
    { 0 },
};
const struct type k8s_statefulset_update_strategy_type =
    TYPE(k8s_statefulset_update_strategy, k8s_statefulset_update_strategy_fields);

static const struct field k8s_statefulset_update_strategy_rolling_update_fields[] = {
    FIELD(k8s_statefulset_update_strategy_rolling_update, partition, INT, "partition",
          .doc = "Pods below this number stay."),
    FIELD(k8s_statefulset_update_strategy_rolling_update, max_unavailable, INT_STR,
          "maxUnavailable", .doc = "How many pods may be missing meanwhile."),
    { 0 },
};
const struct type k8s_statefulset_update_strategy_rolling_update_type =
    TYPE(k8s_statefulset_update_strategy_rolling_update,
         k8s_statefulset_update_strategy_rolling_update_fields);

static const struct field k8s_statefulset_ordinals_fields[] = {
    FIELD(k8s_statefulset_ordinals, start, INT, "start", .doc = "The first number."),
    { 0 },
};
const struct type k8s_statefulset_ordinals_type =
    TYPE(k8s_statefulset_ordinals, k8s_statefulset_ordinals_fields);

const struct kind k8s_statefulset_kind = {
    .group = "apps",
    .version = "v1",
    .kind = "StatefulSet",
    .plural = "statefulsets",
    .namespaced = true,
    .has_status = true,
    .has_scale = true,
    .type = &k8s_statefulset_type,
    .status = &k8s_statefulset_fields[2],
};

struct k8s_statefulset *k8s_statefulset_keep(struct arena *a, const struct k8s_statefulset *from)
{
    return table_copy(a, &k8s_statefulset_type, from);
}
