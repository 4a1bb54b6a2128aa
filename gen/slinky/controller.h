/* controller.h - Controller of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "slinky/types.h"

struct slinky_controller_ha;

/* The cluster as it should be. */
struct slinky_controller_spec {
    /* ClusterName of slurm.conf; absent means NAMESPACE_NAME of this object. */
    const char *cluster_name;
    /* Key of auth/slurm, which all daemons of the cluster share. */
    struct slinky_secret_key *slurm_key_ref;
    struct slinky_secret_key *jwt_key_ref; /* HS256 key of auth/jwt, which signs tokens. */
    /* Older name of jwtKeyRef, used when that is absent. */
    struct slinky_secret_key *jwt_hs256_key_ref;
    /* JWKS file with further keys that auth/jwt trusts. */
    struct slinky_config_map_key *jwks_key_ref;
    /* Accounting to register with; absent means no accounting. */
    struct slinky_local_ref *accounting_ref;
    /* The slurmctld runs outside Kubernetes; only configuration is made here. */
    enum flag external;
    struct slinky_external_config *external_config; /* Where the external slurmctld answers. */
    struct slinky_controller_ha *ha; /* Backup controllers that take over when the first fails. */
    const struct json *slurmctld; /* The slurmctld container; fields of a core/v1 Container. */
    enum flag inplace_reconfigure; /* Apply changed configuration in place; absent means so. */
    /* The sidecar that reconfigures in place; fields of a core/v1 Container. */
    const struct json *reconfigure;
    /* The sidecar that prints slurmctld's log; fields of a core/v1 Container. */
    const struct json *logfile;
    struct slinky_pod_template *template; /* What to add to the slurmctld pods. */
    const char *extra_conf; /* Lines appended to slurm.conf. */
    /* ConfigMaps whose files stand beside slurm.conf. */
    struct slinky_local_ref_list config_file_refs;
    /* ConfigMaps of scripts that slurmd runs before a job, in order of name. */
    struct slinky_local_ref_list prolog_script_refs;
    /* ConfigMaps of scripts that slurmd runs after a job, in order of name. */
    struct slinky_local_ref_list epilog_script_refs;
    /* ConfigMaps of scripts that slurmctld runs before a job. */
    struct slinky_local_ref_list prolog_slurmctld_script_refs;
    /* ConfigMaps of scripts that slurmctld runs after a job. */
    struct slinky_local_ref_list epilog_slurmctld_script_refs;
    struct slinky_persistence *persistence; /* Where slurmctld keeps its state. */
    /* The Service clients reach slurmctld by; port 6817 unless changed. */
    struct slinky_service *service;
    struct slinky_metrics *metrics; /* OpenMetrics of slurmctld. */
};

/* The cluster as last seen. */
struct slinky_controller_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    /* What is known about the object now; Ready sums it up. */
    struct k8s_condition_list conditions;
};

/* A Slurm cluster, run by slurmctld here or elsewhere. */
struct slinky_controller {
    struct k8s_meta meta; /* Metadata of an object. */
    struct slinky_controller_spec spec; /* The cluster as it should be. */
    struct slinky_controller_status status; /* The cluster as last seen. */
};

/* Backup controllers that take over when the first fails. */
struct slinky_controller_ha {
    enum flag enabled; /* Run backups; needs a claim that several pods can write. */
    struct maybe_int backups; /* How many backups stand by. */
};

extern const struct type slinky_controller_spec_type;
extern const struct type slinky_controller_status_type;
extern const struct type slinky_controller_type;
extern const struct type slinky_controller_ha_type;
extern const struct kind slinky_controller_kind;

/* Deep copies that live as long as the arena. */
struct slinky_controller *slinky_controller_keep(struct arena *a,
                                                 const struct slinky_controller *from);
