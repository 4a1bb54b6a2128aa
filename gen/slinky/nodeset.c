/* nodeset.c - NodeSet of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "slinky/nodeset.h"

static const struct field slinky_nodeset_spec_fields[] = {
    FIELD(slinky_nodeset_spec, controller_ref, OBJECT, "controllerRef", .flags = REQUIRED,
          .of = &slinky_local_ref_type, .doc = "Controller whose cluster the workers join."),
    FIELD(slinky_nodeset_spec, replicas, INT, "replicas", .default_text = "1",
          .doc = "How many workers there are in StatefulSet mode."),
    FIELD(slinky_nodeset_spec, scaling_mode, STR, "scalingMode",
          .rule = RULE(.one_of = ONE_OF("DaemonSet", "StatefulSet")),
          .default_text = "\"StatefulSet\"",
          .doc = "StatefulSet for numbered workers, DaemonSet for one on every eligible node."),
    FIELD(slinky_nodeset_spec, slurmd, RAW, "slurmd",
          .doc = "The slurmd container; fields of a core/v1 Container."),
    FIELD(slinky_nodeset_spec, ssh, POINTER, "ssh", .of = &slinky_nodeset_ssh_type,
          .doc = "sshd in the workers, for users with a job there."),
    FIELD(slinky_nodeset_spec, logfile, RAW, "logfile",
          .doc = "The sidecar that prints slurmd's log; fields of a core/v1 Container."),
    FIELD(slinky_nodeset_spec, template, POINTER, "template", .of = &slinky_pod_template_type,
          .doc = "What to add to the workers' pods; spec.hostname is the prefix of their names."),
    FIELD(slinky_nodeset_spec, extra_conf, STR, "extraConf",
          .doc = "Further Key=Value items of slurmd's own node record, such as Weight=10."),
    FIELD(slinky_nodeset_spec, partition, POINTER, "partition",
          .of = &slinky_nodeset_partition_type, .doc = "A partition of just these workers."),
    FIELD(slinky_nodeset_spec, volume_claim_templates, RAW, "volumeClaimTemplates",
          .flags = NULLABLE,
          .doc = "Volume claims every worker gets of its own; core/v1 PersistentVolumeClaims."),
    FIELD(slinky_nodeset_spec, update_strategy, POINTER, "updateStrategy",
          .of = &slinky_nodeset_update_strategy_type,
          .doc = "How workers follow a changed template."),
    FIELD(slinky_nodeset_spec, revision_history_limit, INT, "revisionHistoryLimit",
          .default_text = "0", .doc = "How many old revisions are kept to return to."),
    FIELD(slinky_nodeset_spec, persistent_volume_claim_retention_policy, POINTER,
          "persistentVolumeClaimRetentionPolicy",
          .of = &slinky_nodeset_persistent_volume_claim_retention_policy_type,
          .doc = "What becomes of the workers' volume claims."),
    FIELD(slinky_nodeset_spec, min_ready_seconds, INT, "minReadySeconds",
          .doc = "How long a pod must be ready before it counts as available."),
    FIELD(slinky_nodeset_spec, ordinal_padding, INT, "ordinalPadding", .default_text = "0",
          .doc = "Digits in a worker's number, with zeros in front, in StatefulSet mode."),
    FIELD(slinky_nodeset_spec, pin_to_node, BOOL, "pinToNode", .default_text = "false",
          .doc = "Keep each number on the node it first ran on, in StatefulSet mode."),
    FIELD(slinky_nodeset_spec, workload_disruption_protection, BOOL, "workloadDisruptionProtection",
          .default_text = "true", .doc = "Guard workers that run jobs with a PodDisruptionBudget."),
    FIELD(slinky_nodeset_spec, prune_slurm_node_records, STR, "pruneSlurmNodeRecords",
          .rule = RULE(.one_of = ONE_OF("Never", "NodeNotFound")), .default_text = "\"Never\"",
          .doc = "Whether Slurm forgets workers whose Kubernetes node is gone, in DaemonSet mode."),
    FIELD(slinky_nodeset_spec, oversubscribe_node, BOOL, "oversubscribeNode",
          .default_text = "false",
          .doc = "Let several workers share a node, for trying things out."),
    { 0 },
};
const struct type slinky_nodeset_spec_type = TYPE(slinky_nodeset_spec, slinky_nodeset_spec_fields);

static const struct field slinky_nodeset_status_fields[] = {
    FIELD(slinky_nodeset_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(slinky_nodeset_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "What is known about the object now; Ready sums it up."),
    FIELD(slinky_nodeset_status, desired, INT, "desired",
          .doc = "Pods there should be: replicas, or nodes that are eligible."),
    FIELD(slinky_nodeset_status, replicas, INT, "replicas", .doc = "Pods there are."),
    FIELD(slinky_nodeset_status, updated_replicas, INT, "updatedReplicas",
          .doc = "Pods made from the newest template."),
    FIELD(slinky_nodeset_status, ready_replicas, INT, "readyReplicas",
          .doc = "Pods that are ready."),
    FIELD(slinky_nodeset_status, available_replicas, INT, "availableReplicas",
          .doc = "Pods that have been ready for minReadySeconds."),
    FIELD(slinky_nodeset_status, unavailable_replicas, INT, "unavailableReplicas",
          .doc = "Pods that are missing or not available."),
    FIELD(slinky_nodeset_status, slurm_idle, INT, "slurmIdle", .doc = "Slurm nodes that are idle."),
    FIELD(slinky_nodeset_status, slurm_allocated, INT, "slurmAllocated",
          .doc = "Slurm nodes that run jobs."),
    FIELD(slinky_nodeset_status, slurm_down, INT, "slurmDown", .doc = "Slurm nodes that are down."),
    FIELD(slinky_nodeset_status, slurm_drain, INT, "slurmDrain",
          .doc = "Slurm nodes that drain or are drained."),
    FIELD(slinky_nodeset_status, node_set_hash, STR, "nodeSetHash", .flags = REQUIRED,
          .doc = "Hash of the newest revision."),
    FIELD(slinky_nodeset_status, collision_count, INT, "collisionCount",
          .doc = "How often two revisions had the same hash."),
    FIELD(slinky_nodeset_status, ordinal_to_node, MAP, "ordinalToNode", .flags = NULLABLE,
          .doc = "The node of each number, with pinToNode."),
    FIELD(slinky_nodeset_status, selector, STR, "selector", .flags = REQUIRED,
          .doc = "Label selector of the pods, for autoscalers."),
    { 0 },
};
const struct type slinky_nodeset_status_type =
    TYPE(slinky_nodeset_status, slinky_nodeset_status_fields);

static const struct field slinky_nodeset_fields[] = {
    FIELD(slinky_nodeset, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(slinky_nodeset, spec, OBJECT, "spec", .of = &slinky_nodeset_spec_type,
          .doc = "The workers as they should be."),
    FIELD(slinky_nodeset, status, OBJECT, "status", .of = &slinky_nodeset_status_type,
          .doc = "The workers as last seen."),
    { 0 },
};
const struct type slinky_nodeset_type = TYPE(slinky_nodeset, slinky_nodeset_fields);

static const struct field slinky_nodeset_ssh_fields[] = {
    FIELD(slinky_nodeset_ssh, enabled, BOOL, "enabled", .flags = REQUIRED, .default_text = "false",
          .doc = "Run sshd."),
    FIELD(slinky_nodeset_ssh, extra_sshd_config, STR, "extraSshdConfig",
          .doc = "Lines appended to sshd_config."),
    FIELD(slinky_nodeset_ssh, sssd_conf_ref, OBJECT, "sssdConfRef", .flags = REQUIRED,
          .of = &slinky_secret_key_type, .doc = "The sssd.conf that says who the users are."),
    { 0 },
};
const struct type slinky_nodeset_ssh_type = TYPE(slinky_nodeset_ssh, slinky_nodeset_ssh_fields);

static const struct field slinky_nodeset_partition_fields[] = {
    FIELD(slinky_nodeset_partition, enabled, BOOL, "enabled", .flags = REQUIRED,
          .default_text = "false", .doc = "Make the partition, named after the workers."),
    FIELD(slinky_nodeset_partition, config, STR, "config", .rule = RULE(.pattern = "^[^\n]+$"),
          .doc = "Options of the partition, on one line, such as Default=YES MaxTime=1-0."),
    { 0 },
};
const struct type slinky_nodeset_partition_type =
    TYPE(slinky_nodeset_partition, slinky_nodeset_partition_fields);

static const struct field slinky_nodeset_update_strategy_fields[] = {
    FIELD(slinky_nodeset_update_strategy, type, STR, "type",
          .rule = RULE(.one_of = ONE_OF("RollingUpdate", "OnDelete", "ScheduledUpdate")),
          .default_text = "\"RollingUpdate\"",
          .doc = "A few at a time, when someone deletes the pod, or inside a reservation."),
    FIELD(slinky_nodeset_update_strategy, rolling_update, POINTER, "rollingUpdate",
          .of = &slinky_nodeset_update_strategy_rolling_update_type,
          .doc = "Bounds of a rolling update."),
    FIELD(slinky_nodeset_update_strategy, scheduled_update, POINTER, "scheduledUpdate",
          .of = &slinky_nodeset_update_strategy_scheduled_update_type,
          .doc = "The Slurm reservation that keeps jobs away during the update."),
    { 0 },
};
const struct type slinky_nodeset_update_strategy_type =
    TYPE(slinky_nodeset_update_strategy, slinky_nodeset_update_strategy_fields);

static const struct field slinky_nodeset_update_strategy_rolling_update_fields[] = {
    FIELD(slinky_nodeset_update_strategy_rolling_update, max_unavailable, INT_STR, "maxUnavailable",
          .default_text = "\"25%\"",
          .doc = "How many workers may be away at once, as a number or a percentage."),
    { 0 },
};
const struct type slinky_nodeset_update_strategy_rolling_update_type =
    TYPE(slinky_nodeset_update_strategy_rolling_update,
         slinky_nodeset_update_strategy_rolling_update_fields);

static const struct field slinky_nodeset_update_strategy_scheduled_update_fields[] = {
    FIELD(slinky_nodeset_update_strategy_scheduled_update, start_time, TIME, "startTime",
          .doc = "When it begins, such as 2031-01-31T22:00:00Z."),
    FIELD(slinky_nodeset_update_strategy_scheduled_update, duration, STR, "duration",
          .default_text = "\"30m\"", .doc = "How long it is, in whole minutes, such as 45m or 2h."),
    FIELD(slinky_nodeset_update_strategy_scheduled_update, flags, STRS, "flags", .flags = NULLABLE,
          .doc = "Further flags of the reservation, beside MAINT and IGNORE_JOBS."),
    { 0 },
};
const struct type slinky_nodeset_update_strategy_scheduled_update_type =
    TYPE(slinky_nodeset_update_strategy_scheduled_update,
         slinky_nodeset_update_strategy_scheduled_update_fields);

static const struct field slinky_nodeset_persistent_volume_claim_retention_policy_fields[] = {
    FIELD(slinky_nodeset_persistent_volume_claim_retention_policy, when_deleted, STR, "whenDeleted",
          .rule = RULE(.one_of = ONE_OF("Retain", "Delete")), .default_text = "\"Retain\"",
          .doc = "When the NodeSet is deleted."),
    FIELD(slinky_nodeset_persistent_volume_claim_retention_policy, when_scaled, STR, "whenScaled",
          .rule = RULE(.one_of = ONE_OF("Retain", "Delete")), .default_text = "\"Retain\"",
          .doc = "When a worker is scaled away."),
    { 0 },
};
const struct type slinky_nodeset_persistent_volume_claim_retention_policy_type =
    TYPE(slinky_nodeset_persistent_volume_claim_retention_policy,
         slinky_nodeset_persistent_volume_claim_retention_policy_fields);

const struct kind slinky_nodeset_kind = {
    .group = "slinky.slurm.net",
    .version = "v1beta1",
    .kind = "NodeSet",
    .plural = "nodesets",
    .namespaced = true,
    .has_status = true,
    .has_scale = true,
    .type = &slinky_nodeset_type,
    .status = &slinky_nodeset_fields[2],
};

struct slinky_nodeset *slinky_nodeset_keep(struct arena *a, const struct slinky_nodeset *from)
{
    return table_copy(a, &slinky_nodeset_type, from);
}
