/* job_api.h - jobs: listed, cancelled, requeued, held and released. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "slurm/client.h"
#include "slurm/jobstate.h"

/* A job as Slurm tells it. Strings are "" when Slurm has none, never NULL. */
struct slurm_job {
    uint32_t id;
    uint32_t array_id;   /* of the whole array; 0: not of an array */
    uint32_t array_task; /* JOB_NO_TASK: none */
    uint32_t user_id;
    struct job_state state;
    const char *state_reason; /* why it waits: "Resources", "Priority", "None", ... */
    const char *name;
    const char *user;
    const char *account;
    const char *partition;
    const char *qos;
    const char *reservation;
    const char *nodes; /* host list, "" while it waits */
    const char *tres;  /* allocated, or asked for while it waits: "cpu=4,mem=16G,gres/gpu=2" */
    const char *mail_user;
    const char *standard_output; /* as given, with its %j */
    const char *standard_error;
    uint32_t cpus, node_count;
    uint64_t memory_per_node;       /* MiB; 0: not said that way */
    uint32_t minutes;               /* time limit; JOB_NO_LIMIT: none */
    int exit_code;                  /* of a finished job: what its script returned */
    int exit_signal;                /* or the signal that ended it; 0: none */
    usec submitted, started, ended; /* wall clock; 0: not yet. A running job's end is its limit */
};
enum { JOB_NO_TASK = UINT32_MAX, JOB_NO_LIMIT = UINT32_MAX };

struct slurm_jobs {
    struct slurm_job *v;
    size_t n;
};

/* Which jobs; what is zero does not matter. */
struct slurm_job_filter {
    const char *node;  /* has this node now */
    const char *user;  /* name */
    const char *state; /* one word: "RUNNING", "PENDING", ... */
};

/* Finished jobs stay in the list for Slurm's MinJobAge. An empty list with Yes is an empty queue.
 */
MUST_CHECK enum answer slurm_jobs(struct slurm *slurm, struct slurm_call *call,
                                  const struct slurm_job_filter *filter, struct slurm_jobs *ret);
/* The same, one by one as they arrive and kept by nobody; see slurmdb_jobs(). */
MUST_CHECK enum answer slurm_jobs_each(struct slurm *slurm, struct slurm_call *call,
                                       const struct slurm_job_filter *filter,
                                       int (*on_job)(void *userdata, const struct slurm_job *job),
                                       void *userdata);
/* No: slurmctld has no such job (any more). */
MUST_CHECK enum answer slurm_job_get(struct slurm *slurm, struct slurm_call *call, uint32_t id,
                                     struct slurm_job *ret);

/* Yes: Slurm took it. No with -ENOENT: no such job; with -EALREADY: it had ended before. v0.0.41
 * does not tell, and says Yes to both. */
MUST_CHECK enum answer slurm_job_cancel(struct slurm *slurm, struct slurm_call *call, uint32_t id);
/* Back into the queue; with hold it waits there for a release. Needs data API v0.0.45. */
MUST_CHECK enum answer slurm_job_requeue(struct slurm *slurm, struct slurm_call *call, uint32_t id,
                                         bool hold);
MUST_CHECK enum answer slurm_job_hold(struct slurm *slurm, struct slurm_call *call, uint32_t id,
                                      bool hold);
/* Runs a script, for checks and tests. */
struct slurm_job_spec {
    const char *script; /* with its #! line */
    const char *name;
    const char *partition;
    const char *nodes; /* required ones, host list */
    const char *reservation;
    const char *account;
    const char *comment;
    const char *directory;               /* NULL: "/tmp" */
    const char *output;                  /* NULL: Slurm's own */
    struct strs environment;             /* "NAME=value"; empty: a PATH */
    uint32_t node_count, tasks, minutes; /* 0: Slurm's default */
    const char *tres_per_node;           /* "gres/gpu:8" */
    bool exclusive;
};
MUST_CHECK enum answer slurm_job_submit(struct slurm *slurm, struct slurm_call *call,
                                        const struct slurm_job_spec *spec, uint32_t *ret_id);
