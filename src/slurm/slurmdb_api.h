/* slurmdb_api.h - what slurmdbd remembers: accounts, users, associations, QOS, clusters, jobs.
 *
 * slurmdbd away is Unknown with -EHOSTDOWN, though slurmctld may be well. A cluster without
 * accounting answers the same way: slurmrestd does not tell the two apart.
 */
#pragma once
#include <stddef.h>

#include "slurm/client.h"
#include "slurm/job_api.h"
#include "json/table.h"

/* Whether a slurmdbd answers slurmrestd. */
MUST_CHECK enum answer slurmdb_ping(struct slurm *slurm, struct slurm_call *call);

struct slurmdb_account {
    const char *name, *description, *organization;
    struct strs flags; /* "DELETED", ... */
};
struct slurmdb_accounts {
    struct slurmdb_account *v;
    size_t n;
};
MUST_CHECK enum answer slurmdb_accounts(struct slurm *slurm, struct slurm_call *call,
                                        struct slurmdb_accounts *ret);

struct slurmdb_user {
    const char *name, *default_account;
    struct strs admin_level; /* "None", "Operator", "Administrator" */
};
struct slurmdb_users {
    struct slurmdb_user *v;
    size_t n;
};
MUST_CHECK enum answer slurmdb_users(struct slurm *slurm, struct slurm_call *call,
                                     struct slurmdb_users *ret);

struct slurmdb_association {
    const char *cluster, *account, *user, *partition, *parent;
    int64_t id, shares;
    bool is_default;
};
struct slurmdb_associations {
    struct slurmdb_association *v;
    size_t n;
};
MUST_CHECK enum answer slurmdb_associations(struct slurm *slurm, struct slurm_call *call,
                                            struct slurmdb_associations *ret);

struct slurmdb_qos {
    const char *name, *description;
    int64_t id, priority;
    double usage_factor;
    struct strs flags;
};
struct slurmdb_qos_list {
    struct slurmdb_qos *v;
    size_t n;
};
MUST_CHECK enum answer slurmdb_qos(struct slurm *slurm, struct slurm_call *call,
                                   struct slurmdb_qos_list *ret);

struct slurmdb_cluster {
    const char *name, *controller_host, *nodes;
    int64_t controller_port, rpc_version;
};
struct slurmdb_clusters {
    struct slurmdb_cluster *v;
    size_t n;
};
MUST_CHECK enum answer slurmdb_clusters(struct slurm *slurm, struct slurm_call *call,
                                        struct slurmdb_clusters *ret);

/* Which jobs of the past; what is zero does not matter. */
struct slurmdb_job_filter {
    const char *cluster;
    const char *users; /* separated by commas, like the next two */
    const char *accounts;
    const char *partitions;
    const char *nodes; /* host list */
    usec from, until;  /* wall clock: jobs that were there at some time between */
};
/* Streamed: on_job is called for each, on the loop thread, the job borrowed; non-zero ends the list
 * and makes the answer Unknown with that code. A Yes means that on_job saw every one of them; after
 * anything else it may have seen a part. */
MUST_CHECK enum answer slurmdb_jobs(struct slurm *slurm, struct slurm_call *call,
                                    const struct slurmdb_job_filter *filter,
                                    int (*on_job)(void *userdata, const struct slurm_job *job),
                                    void *userdata);
/* The runs of one job id, oldest first; No: accounting has never heard of it (yet: slurmctld tells
 * slurmdbd with a delay, and a job id can be older than the accounting). */
MUST_CHECK enum answer slurmdb_job_get(struct slurm *slurm, struct slurm_call *call, uint32_t id,
                                       struct slurm_jobs *ret);
