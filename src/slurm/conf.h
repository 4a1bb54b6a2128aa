/* conf.h - every configuration file that a Slurm cluster needs, out of a plain description of it.
 *
 * One writer serves all families. A file is an ordered table of fragments; a profile chooses the
 * table and the constants in it:
 *
 *     CONF_SLINKY     auth/slurm, dynamic nodes that register themselves, configless, sections with
 *                     headings; byte for byte what slurm-operator 1.3 writes for the same input
 *     CONF_SOPERATOR  auth/munge, nodes of known names in State=CLOUD, power saving programs, files
 *                     in a directory that all nodes share
 *
 * Everything here is pure: the same description gives the same text, whose order depends on nothing
 * but the order of the lists. Where the reference would write a file that a daemon dies of (a
 * password with a '#' in it) the value is quoted, or refused when no quoting helps. What users pass
 * as raw text comes last, so it wins.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "slurm/conf_text.h"
#include "json/table.h"

enum {
    SLURMCTLD_PORT = 6817,
    SLURMD_PORT = 6818,
    SLURMDBD_PORT = 6819,
    SLURM_NODES_MIN = 1024, /* MaxNodeCount of a small cluster */
};

enum conf_profile { CONF_SLINKY, CONF_SOPERATOR };
enum cgroup_version { CGROUP_V2, CGROUP_V1, CGROUP_NONE };

/* Nodes of one kind. */
struct conf_nodeset {
    const char *name; /* the Slurm node set, and the prefix of its nodes: name-0, name-1, ... */

    /* CONF_SLINKY: a partition of its own beside it. */
    bool partition;
    const char *partition_options; /* "MaxTime=UNLIMITED"; may be NULL */

    /* CONF_SOPERATOR: node lines. */
    uint64_t replicas;
    const char *domain;  /* behind the host name in NodeAddr */
    uint64_t memory_mib; /* RealMemory */
    int port;            /* 0: not written */
    struct strs features;
    bool no_auto_resume;
    const char *options;    /* more words for the line; Feature= and State= in it are dropped */
    bool power_managed;     /* comes and goes; the others are kept out of power saving */
    struct strs gres_lines; /* of gres.conf, for these nodes */
};

struct conf_nodesets {
    struct conf_nodeset *v;
    size_t n;
};

struct conf_partition {
    const char *name;
    bool all_nodes;
    struct strs nodesets;
    const char *options;
};

struct conf_partitions {
    struct conf_partition *v;
    size_t n;
};

/* How CONF_SOPERATOR gets its partitions. */
enum partition_source {
    PARTITIONS_DEFAULT,    /* main and hidden over all nodes; node lines come from the extra text */
    PARTITIONS_RAW,        /* lines as given */
    PARTITIONS_STRUCTURED, /* from the node sets */
};

struct conf_health_check {
    int64_t interval; /* seconds; 0: no health check */
    const char *program;
    struct strs states;
};

struct slurm_conf {
    enum conf_profile profile;
    const char *cluster_name;
    struct strs controllers;     /* SlurmctldHost, "name(address)", the primary first */
    const char *controller_addr; /* SlurmctldAddr; NULL: none */
    int controller_port;         /* 0: SLURMCTLD_PORT */
    bool external;               /* somebody else runs slurmctld: only what a client needs */

    const char *jwt_key, *jwks; /* paths; NULL: none */
    bool metrics;
    const char *accounting_host;                                    /* NULL: no accounting */
    int accounting_port;                                            /* 0: SLURMDBD_PORT */
    struct strs prolog, epilog, prolog_slurmctld, epilog_slurmctld; /* file names, sorted */

    struct conf_nodesets nodesets; /* in the order of the file */
    enum partition_source partition_source;
    struct strs raw_partitions;
    struct conf_partitions partitions;
    uint64_t nodes; /* the most that may exist at a time; 0: the sum of replicas */

    bool gpus;
    struct conf_settings settings;            /* CONF_SOPERATOR: the user's typed settings */
    struct conf_settings accounting_settings; /* the same, beside accounting */
    struct conf_health_check health_check;

    const char *extra; /* the user's text, verbatim, last */
};

/* slurm.conf; for CONF_SOPERATOR the part that slurm.conf includes (see conf_entry_text). */
char *slurm_conf_text(struct arena *a, const struct slurm_conf *in);
/* CONF_SOPERATOR: the entry that includes the base file and the user's text, the latter's own file,
 * and the variant for slurmrestd. */
char *conf_entry_text(struct arena *a, const char *dir);
char *conf_user_text(struct arena *a, const char *extra);
char *conf_rest_text(struct arena *a, const char *dir);
/* Room for twice the nodes, rounded up to a power of two, at least SLURM_NODES_MIN. */
uint64_t slurm_max_node_count(uint64_t nodes);

struct slurmdbd_conf {
    enum conf_profile profile;
    const char *host;    /* DbdHost */
    const char *address; /* DbdAddr; NULL: none */
    int port;            /* 0: SLURMDBD_PORT */
    const char *jwt_key, *jwks;
    const char *storage_host, *storage_user, *storage_password, *storage_database;
    int storage_port;                        /* 0: 3306 */
    struct conf_settings storage_parameters; /* joined by commas, sorted by key */
    struct conf_settings settings;           /* archiving, purging, debug level */
    const char *extra;
};

/* -EINVAL for a password that no file can hold. The text holds the password: it is a secret. */
int slurmdbd_conf_text(struct arena *a, const struct slurmdbd_conf *in, char **ret,
                       struct error *err);

struct cgroup_conf {
    enum conf_profile profile;
    enum cgroup_version version;
    const char *extra; /* keys that it sets replace ours; CONF_SOPERATOR only */
};
char *cgroup_conf_text(struct arena *a, const struct cgroup_conf *in);

/* gres.conf of nodes with lines of their own, and detection for the rest. */
char *gres_conf_text(struct arena *a, bool gpus, struct conf_nodesets nodesets);

/* One line of plugstack.conf; arguments are written in the order given. */
struct plugstack_plugin {
    bool required;
    const char *path;
    struct conf_settings arguments; /* a NULL value writes the key alone */
};
char *plugstack_conf_text(struct arena *a, const struct plugstack_plugin *plugins, size_t n);

/* mpi.conf, job_container.conf, oci.conf, helpers.conf, acct_gather.conf, burst_buffer.conf: keys
 * in the order given, then the user's text. -EINVAL for a value that the grammar cannot hold. */
int conf_plain_text(struct arena *a, struct conf_settings settings, const char *extra, char **ret,
                    struct error *err);

enum sshd_role { SSHD_LOGIN, SSHD_WORKER };
struct sshd_conf {
    enum conf_profile profile;
    enum sshd_role role;
    int port;               /* CONF_SOPERATOR */
    bool sssd;              /* CONF_SOPERATOR: keys come from sssd */
    const char *chroot_dir; /* CONF_SOPERATOR */
    const char *extra;
};
char *sshd_config_text(struct arena *a, const struct sshd_conf *in);
char *authorized_keys_text(struct arena *a, const char *keys);
/* sssd.conf is the user's own and goes through untouched; this is the one for who gives none. */
char *sssd_conf_text(struct arena *a, const char *user_text);
/* Limits for daemons and jobs: no limits, unless the user's text says so. */
char *limits_conf_text(struct arena *a, const char *user_text);
