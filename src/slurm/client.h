/* client.h - one Slurm cluster, asked through its slurmrestd.
 *
 *     struct slurm_call call = { .arena = r->arena, .deadline = r->deadline };
 *     struct slurm_node node;
 *
 *     switch (slurm_node_get(slurm, &call, "gpu-7", &node)) {
 *     case ANSWER_YES:      there is such a node, and here it is
 *     case ANSWER_NO:       Slurm says that there is none
 *     case ANSWER_UNKNOWN:  nobody could tell: return slurm_fail(&call, err);
 *     }
 *
 * Three answers, never two. Yes: Slurm did what was asked, and only then is a result filled in. No:
 * Slurm answered, and refused or has no such thing; nothing was changed unless the call says
 * otherwise. Unknown: we could not ask, or could not understand the answer; a change may or may not
 * have happened. For No and Unknown call.fault tells why, with Slurm's own error number and text.
 * What looks like an answer and is none ends as Unknown: slurmctld away behind a slurmrestd that is
 * up (502, or 200 with an error in it), a token refused, a list cut in the middle.
 *
 * The calls are spread over headers by subject: this one (the cluster itself), node_api.h,
 * job_api.h, reservation_api.h, slurmdb_api.h. They wait, and are for worker threads; results live
 * in the call's arena. snapshot.h keeps all nodes and jobs at hand without a call, registry.h keeps
 * the clients of many clusters.
 *
 * What the client does for every call:
 *   - speaks the newest data API that both sides know, v0.0.41 to v0.0.45; asks for it once, and
 *     again when the server stops knowing a version that it knew before (an upgrade).
 *   - shows a token that is good now, and asks again once with a new one if it is refused.
 *   - repeats questions that got no answer, with growing pauses, until the deadline; never repeats
 * a change that may have reached the server.
 *   - after several calls in a row that got no answer, stops asking for a while (the circuit is
 *     open) and says Unknown at once, so that workers do not queue up behind a dead controller; one
 *     call at a time then tries whether it is back.
 *   - counts: windlass_slurm_calls_total{cluster,call,answer}, windlass_slurm_call_seconds,
 *     windlass_slurm_received_bytes_total.
 *
 * Safe from any thread; the waiting calls never on the loop thread.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "net/http.h"
#include "slurm/answer.h"
#include "slurm/token.h"

struct loop;
struct slurm;

#define MUST_CHECK __attribute__((warn_unused_result))

struct slurm_options {
    const char *cluster; /* its name in metrics and messages: "hpc/slurm" */
    const char *url;     /* of slurmrestd: "http://slurm-restapi.hpc:6820" */
    struct http_tls tls; /* for https */
    struct slurm_token_options token;
    const char *user_name; /* X-SLURM-USER-NAME; NULL: Slurm takes the token's user */
    int newest_api;        /* no newer data API than this, 41..45; 0: the newest we know */

    usec timeout;      /* of calls without a deadline; 0: 25 s. slurmrestd takes 11 s to say that
                        * slurmctld is away; what is shorter never hears it */
    size_t body_limit; /* bytes of an answer that is not a list; 0: 16 MiB */
    size_t item_limit; /* bytes of one record in a list; 0: 4 MiB */

    /* The snapshot (snapshot.h). */
    unsigned keep; /* SLURM_NODES | SLURM_JOBS; more can be added with slurm_keep() */
    usec refresh;  /* between two refreshes; 0: 30 s */
    usec stale;    /* the age at which it stops answering; 0: 2 min or 4 refreshes */
};

/* Copies the options. -EINVAL says which is wrong. Asks nothing yet. */
int slurm_new(struct loop *loop, const struct slurm_options *options, struct slurm **ret,
              struct error *err);
struct slurm *slurm_ref(struct slurm *slurm);
/* The last one ends the refreshing and every call; not on the loop thread while calls are waiting.
 */
void slurm_unref(struct slurm *slurm);
DEFINE_SCOPE(slurm, slurm_unref)

const char *slurm_cluster(const struct slurm *slurm);
/* A new token source in place of the old one, from the next request on. */
int slurm_set_token(struct slurm *slurm, const struct slurm_token_options *options,
                    struct error *err);

/* Why there is no Yes. */
struct slurm_fault {
    int code;   /* negative errno:
                 *   -ENOENT      no such node, job, reservation, ...
                 *   -EACCES      token or user refused
                 *   -EBUSY       not while a job runs there
                 *   -EEXIST      there already
                 *   -EINVAL      Slurm does not take it
                 *   -EOPNOTSUPP  the server's API version has no such call
                 *   -EHOSTDOWN   slurmctld or slurmdbd is away, says slurmrestd
                 *   -EAGAIN      not asked: the circuit is open
                 *   -EBADMSG     an answer that is not Slurm's, or cut short
                 *   -ETIMEDOUT, -ECONNREFUSED, -ECONNRESET ...  as in net/http.h */
    int status; /* HTTP, 0 when there was no answer */
    int number; /* Slurm's, 0 for none: 1007 bad token, 2018 no such node, ... */
    char text[400];
};

/* One question: where its result goes, until when to wait, and what went wrong. Reusable; a call
 * begins by clearing its fault. */
struct slurm_call {
    struct arena *arena;
    usec deadline; /* on clock_now(); 0: the client's timeout from now */
    struct slurm_fault fault;
};

/* The fault as an error of ours: sets err and returns its code, for `return slurm_fail(&call,
 * err)`. */
int slurm_fail(const struct slurm_call *call, struct error *err);

/* The data API version in use, 41..45; asks for it when it is not known yet. */
MUST_CHECK enum answer slurm_version(struct slurm *slurm, struct slurm_call *call, int *ret);

/* Whether a slurmctld answers slurmrestd. No covers a token that slurmctld refuses: slurmrestd does
 * not tell the two apart here, and No says nothing about nodes or jobs. */
MUST_CHECK enum answer slurm_ping(struct slurm *slurm, struct slurm_call *call);
/* Makes all daemons read their configuration again. No: slurmctld kept its old one because the new
 * one is broken (when it was started with --systemd; with -D it dies of it, and ping tells). */
MUST_CHECK enum answer slurm_reconfigure(struct slurm *slurm, struct slurm_call *call);

struct slurm_rpc {
    const char *name; /* message type, or user */
    int64_t id;       /* of the message type, or the user */
    int64_t count;
    int64_t total_usec;
};

struct slurm_diag {
    int64_t server_threads, agents, agent_queue, dbd_queue;
    int64_t jobs_submitted, jobs_started, jobs_completed, jobs_canceled, jobs_failed;
    int64_t jobs_pending, jobs_running;
    int64_t cycle_last_usec, cycle_mean_usec, cycle_max_usec, cycle_count;
    int64_t backfill_cycle_last_usec, backfill_cycle_mean_usec, backfill_depth_mean;
    int64_t backfill_jobs;
    bool backfill_active;
    usec since; /* wall clock: when these began to count */
    struct slurm_rpc *by_type;
    size_t by_type_count;
    struct slurm_rpc *by_user;
    size_t by_user_count;
};
MUST_CHECK enum answer slurm_diag(struct slurm *slurm, struct slurm_call *call,
                                  struct slurm_diag *ret);

struct slurm_partition {
    const char *name;
    const char *nodes;     /* host list */
    const char *node_sets; /* as configured */
    const char *state;     /* "UP", "DOWN", "DRAIN", "INACTIVE" */
    const char *tres;
    const char *topology;
    int64_t node_count, cpus, priority_tier;
    int64_t max_minutes; /* -1: no limit */
};
struct slurm_partitions {
    struct slurm_partition *v;
    size_t n;
};
MUST_CHECK enum answer slurm_partitions(struct slurm *slurm, struct slurm_call *call,
                                        struct slurm_partitions *ret);

struct slurm_license {
    const char *name;
    int64_t total, used, free, reserved;
    bool remote;
};
struct slurm_licenses {
    struct slurm_license *v;
    size_t n;
};
MUST_CHECK enum answer slurm_licenses(struct slurm *slurm, struct slurm_call *call,
                                      struct slurm_licenses *ret);

/* Fair share, one row per association. */
struct slurm_share {
    const char *name;   /* user or account */
    const char *parent; /* account */
    bool is_user;
    double shares, norm_shares;
    double norm_usage, effective_usage;
    double factor; /* fair share, 0..1 */
};
struct slurm_shares {
    struct slurm_share *v;
    size_t n;
};
MUST_CHECK enum answer slurm_shares(struct slurm *slurm, struct slurm_call *call,
                                    struct slurm_shares *ret);
