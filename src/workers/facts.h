/* facts.h - what is known about a set of workers at one moment, and what is wanted of it.
 *
 * Everything the planner looks at stands here as plain values: no caches, no clients, no clock.
 * Whoever gathers the facts leaves out what is not known: answers of Slurm are three-valued, and a
 * worker whose Slurm node nobody could ask about has slurm.registered == ANSWER_UNKNOWN and a state
 * of all zero. Texts are borrowed and live as long as the pass.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "model/workers.h"
#include "slurm/answer.h"
#include "slurm/nodestate.h"
#include "slurm/reason.h"
#include "json/table.h"

struct k8s_taint_list;

/* ------------------------------------------------------------------ Kubernetes nodes */

/* A Kubernetes node. */
struct machine {
    const char *name;
    struct pairs labels;
    const struct k8s_taint_list *taints;
    bool cordoned;             /* spec.unschedulable */
    const char *cordon_reason; /* what its annotation says; NULL: it has none */
    const char *conditions;    /* what its conditions say, as a reason; NULL: nothing */
    const char *hostname;      /* of a worker that belongs here (WORKERS_PER_NODE) */
    const char *topology;      /* "" when it says none */
    const char *features;      /* as its annotation has them; NULL: none */
};

struct machines {
    struct machine *v; /* sorted by name */
    size_t n;
};

/* NULL when there is none of that name. */
const struct machine *machine_find(struct machines machines, const char *name);

/* ------------------------------------------------------------------ workers */

enum worker_phase { PHASE_PENDING, PHASE_UNKNOWN, PHASE_RUNNING, PHASE_SUCCEEDED, PHASE_FAILED };

/* Who cordoned a worker, and what for. */
enum cordon {
    CORDON_NONE,
    CORDON_USER,   /* somebody; never ours to lift */
    CORDON_NODE,   /* we, because its Kubernetes node is cordoned */
    CORDON_LEAVES, /* we, because it is to go */
};

/* What Slurm says of a worker's node; all zero: nothing is known. */
struct slurm_facts {
    enum answer registered;
    struct node_state state;
    const char *reason;
    usec reason_time; /* wall clock, 0: none */
    const char *comment, *features, *active_features, *topology, *reservation;
};

struct worker_facts {
    const char *pod, *uid;
    const char *host;              /* the name of its Slurm node */
    int64_t ordinal;               /* -1: it has none */
    bool of_this_mode;             /* made in the mode that the set is in now */
    const char *hash;              /* of the revision it was made from */
    const char *node;              /* the Kubernetes node it runs on; NULL: none yet */
    const char *target;            /* the one it belongs on (WORKERS_PER_NODE) */
    const struct machine *machine; /* of .node; NULL: none, or it is not known */

    enum worker_phase phase;
    bool deleting;
    bool ready;
    usec created, ready_since; /* wall clock; 0: not known */
    usec retry_at;             /* ended: when it may be replaced */

    int32_t deletion_cost;
    usec deadline;       /* when its jobs are over, as noted on it; 0: no jobs */
    bool deadline_noted; /* it carries a deadline */
    enum cordon cordon;
    const char *cordon_reason; /* what a user said beside the cordon; NULL: nothing */
    bool protected;
    const char *topology; /* as noted on it; NULL: not noted */

    struct slurm_facts slurm;
    bool told; /* we told Slurm something about it since: what it said before may be over */
};

/* Running and ready. */
bool worker_is_healthy(const struct worker_facts *w);
/* Healthy for at least that long. */
bool worker_is_available(const struct worker_facts *w, usec now, usec min_ready);
/* Its pod has ended by itself. */
bool worker_has_ended(const struct worker_facts *w);

/* ------------------------------------------------------------------ the set */

enum strategy { STRATEGY_ROLLING, STRATEGY_ON_DELETE, STRATEGY_SCHEDULED };

struct set_facts {
    const char *namespace, *name, *uid;
    enum worker_mode mode;
    int64_t replicas; /* WORKERS_NUMBERED */
    enum strategy strategy;
    struct int_or_str max_unavailable;
    usec min_ready;
    const char *hash;        /* of the newest revision */
    const char *reservation; /* the name of this set's own */
    bool protects;           /* busy workers must not be evicted */
    bool prunes;             /* Slurm forgets workers whose Kubernetes node is gone */
    enum drain_owner me;     /* as whom we sign reasons */
    const char *feature_prefix;

    struct worker_facts *workers;
    size_t count;
    struct machines machines;
    const struct placement *placement; /* WORKERS_PER_NODE: where workers may run */
    usec now;                          /* wall clock */
    usec slurm_age;                    /* of what Slurm said; USEC_NEVER: it has said nothing */
};
