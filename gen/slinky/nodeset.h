/* nodeset.h - NodeSet of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "slinky/types.h"

struct slinky_nodeset_partition;
struct slinky_nodeset_persistent_volume_claim_retention_policy;
struct slinky_nodeset_ssh;
struct slinky_nodeset_update_strategy;
struct slinky_nodeset_update_strategy_rolling_update;
struct slinky_nodeset_update_strategy_scheduled_update;

/* The workers as they should be. */
struct slinky_nodeset_spec {
    struct slinky_local_ref controller_ref; /* Controller whose cluster the workers join. */
    struct maybe_int replicas; /* How many workers there are in StatefulSet mode. */
    /* StatefulSet for numbered workers, DaemonSet for one on every eligible node. */
    const char *scaling_mode;
    const struct json *slurmd; /* The slurmd container; fields of a core/v1 Container. */
    struct slinky_nodeset_ssh *ssh; /* sshd in the workers, for users with a job there. */
    /* The sidecar that prints slurmd's log; fields of a core/v1 Container. */
    const struct json *logfile;
    /* What to add to the workers' pods; spec.hostname is the prefix of their names. */
    struct slinky_pod_template *template;
    /* Further Key=Value items of slurmd's own node record, such as Weight=10. */
    const char *extra_conf;
    struct slinky_nodeset_partition *partition; /* A partition of just these workers. */
    /* Volume claims every worker gets of its own; core/v1 PersistentVolumeClaims. */
    const struct json *volume_claim_templates;
    /* How workers follow a changed template. */
    struct slinky_nodeset_update_strategy *update_strategy;
    struct maybe_int revision_history_limit; /* How many old revisions are kept to return to. */
    /* What becomes of the workers' volume claims. */
    struct slinky_nodeset_persistent_volume_claim_retention_policy
        *persistent_volume_claim_retention_policy;
    /* How long a pod must be ready before it counts as available. */
    struct maybe_int min_ready_seconds;
    /* Digits in a worker's number, with zeros in front, in StatefulSet mode. */
    struct maybe_int ordinal_padding;
    enum flag pin_to_node; /* Keep each number on the node it first ran on, in StatefulSet mode. */
    /* Guard workers that run jobs with a PodDisruptionBudget. */
    enum flag workload_disruption_protection;
    /* Whether Slurm forgets workers whose Kubernetes node is gone, in DaemonSet mode. */
    const char *prune_slurm_node_records;
    enum flag oversubscribe_node; /* Let several workers share a node, for trying things out. */
};

/* The workers as last seen. */
struct slinky_nodeset_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    /* What is known about the object now; Ready sums it up. */
    struct k8s_condition_list conditions;
    struct maybe_int desired; /* Pods there should be: replicas, or nodes that are eligible. */
    struct maybe_int replicas; /* Pods there are. */
    struct maybe_int updated_replicas; /* Pods made from the newest template. */
    struct maybe_int ready_replicas; /* Pods that are ready. */
    struct maybe_int available_replicas; /* Pods that have been ready for minReadySeconds. */
    struct maybe_int unavailable_replicas; /* Pods that are missing or not available. */
    struct maybe_int slurm_idle; /* Slurm nodes that are idle. */
    struct maybe_int slurm_allocated; /* Slurm nodes that run jobs. */
    struct maybe_int slurm_down; /* Slurm nodes that are down. */
    struct maybe_int slurm_drain; /* Slurm nodes that drain or are drained. */
    const char *node_set_hash; /* Hash of the newest revision. */
    struct maybe_int collision_count; /* How often two revisions had the same hash. */
    struct pairs ordinal_to_node; /* The node of each number, with pinToNode. */
    const char *selector; /* Label selector of the pods, for autoscalers. */
};

/* Workers of a Slurm cluster. */
struct slinky_nodeset {
    struct k8s_meta meta; /* Metadata of an object. */
    struct slinky_nodeset_spec spec; /* The workers as they should be. */
    struct slinky_nodeset_status status; /* The workers as last seen. */
};

/* sshd in the workers, for users with a job there. */
struct slinky_nodeset_ssh {
    enum flag enabled; /* Run sshd. */
    const char *extra_sshd_config; /* Lines appended to sshd_config. */
    struct slinky_secret_key sssd_conf_ref; /* The sssd.conf that says who the users are. */
};

/* A partition of just these workers. */
struct slinky_nodeset_partition {
    enum flag enabled; /* Make the partition, named after the workers. */
    /* Options of the partition, on one line, such as Default=YES MaxTime=1-0. */
    const char *config;
};

/* How workers follow a changed template. */
struct slinky_nodeset_update_strategy {
    const char *type; /* A few at a time, when someone deletes the pod, or inside a reservation. */
    /* Bounds of a rolling update. */
    struct slinky_nodeset_update_strategy_rolling_update *rolling_update;
    /* The Slurm reservation that keeps jobs away during the update. */
    struct slinky_nodeset_update_strategy_scheduled_update *scheduled_update;
};

/* Bounds of a rolling update. */
struct slinky_nodeset_update_strategy_rolling_update {
    /* How many workers may be away at once, as a number or a percentage. */
    struct int_or_str max_unavailable;
};

/* The Slurm reservation that keeps jobs away during the update. */
struct slinky_nodeset_update_strategy_scheduled_update {
    usec start_time; /* When it begins, such as 2031-01-31T22:00:00Z. */
    const char *duration; /* How long it is, in whole minutes, such as 45m or 2h. */
    struct strs flags; /* Further flags of the reservation, beside MAINT and IGNORE_JOBS. */
};

/* What becomes of the workers' volume claims. */
struct slinky_nodeset_persistent_volume_claim_retention_policy {
    const char *when_deleted; /* When the NodeSet is deleted. */
    const char *when_scaled; /* When a worker is scaled away. */
};

extern const struct type slinky_nodeset_spec_type;
extern const struct type slinky_nodeset_status_type;
extern const struct type slinky_nodeset_type;
extern const struct type slinky_nodeset_ssh_type;
extern const struct type slinky_nodeset_partition_type;
extern const struct type slinky_nodeset_update_strategy_type;
extern const struct type slinky_nodeset_update_strategy_rolling_update_type;
extern const struct type slinky_nodeset_update_strategy_scheduled_update_type;
extern const struct type slinky_nodeset_persistent_volume_claim_retention_policy_type;
extern const struct kind slinky_nodeset_kind;

/* Deep copies that live as long as the arena. */
struct slinky_nodeset *slinky_nodeset_keep(struct arena *a, const struct slinky_nodeset *from);
