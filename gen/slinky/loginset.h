/* loginset.h - LoginSet of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "slinky/types.h"

struct slinky_loginset_strategy;
struct slinky_loginset_strategy_rolling_update;

/* The login nodes as they should be. */
struct slinky_loginset_spec {
    struct slinky_local_ref controller_ref; /* Controller whose cluster people log in to. */
    struct maybe_int replicas; /* How many login pods run. */
    const struct json *login; /* The login container; a port named login moves sshd to that port. */
    /* The init container that lays out /etc/slurm; fields of a core/v1 Container. */
    const struct json *initconf;
    struct slinky_pod_template *template; /* What to add to the login pods. */
    const char *root_ssh_authorized_keys; /* The authorized_keys of root. */
    const char *extra_sshd_config; /* Lines appended to sshd_config. */
    struct slinky_secret_key sssd_conf_ref; /* The sssd.conf that says who may log in. */
    /* How changed pods replace old ones; an apps/v1 DeploymentStrategy. */
    struct slinky_loginset_strategy *strategy;
    struct slinky_service *service; /* The Service people reach sshd by; port 22 unless changed. */
};

/* The login nodes as last seen. */
struct slinky_loginset_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    /* What is known about the object now; Ready sums it up. */
    struct k8s_condition_list conditions;
    struct maybe_int replicas; /* Pods there are. */
    const char *selector; /* Label selector of the pods, for autoscalers. */
};

/* Login nodes of a Slurm cluster. */
struct slinky_loginset {
    struct k8s_meta meta; /* Metadata of an object. */
    struct slinky_loginset_spec spec; /* The login nodes as they should be. */
    struct slinky_loginset_status status; /* The login nodes as last seen. */
};

/* How changed pods replace old ones; an apps/v1 DeploymentStrategy. */
struct slinky_loginset_strategy {
    const char *type; /* RollingUpdate or Recreate. */
    /* Bounds of a rolling update. */
    struct slinky_loginset_strategy_rolling_update *rolling_update;
};

/* Bounds of a rolling update. */
struct slinky_loginset_strategy_rolling_update {
    struct int_or_str max_surge; /* How many pods more than replicas there may be. */
    struct int_or_str max_unavailable; /* How many pods fewer than replicas may be ready. */
};

extern const struct type slinky_loginset_spec_type;
extern const struct type slinky_loginset_status_type;
extern const struct type slinky_loginset_type;
extern const struct type slinky_loginset_strategy_type;
extern const struct type slinky_loginset_strategy_rolling_update_type;
extern const struct kind slinky_loginset_kind;

/* Deep copies that live as long as the arena. */
struct slinky_loginset *slinky_loginset_keep(struct arena *a, const struct slinky_loginset *from);
