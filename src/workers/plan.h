/* plan.h - what to do about a set of workers, decided before anything is done.
 *
 *     struct plan *plan = plan_make(arena, &facts);
 *
 * Pure: the same facts give the same plan, and nothing is asked or changed. Every worker is looked
 * at once by each room (scale, rollout, daemons, cordon, ...), which says what should become of it;
 * then the gate in drain.h says what may. The rules above all:
 *
 *     - what is not known about Slurm deletes, drains, undrains or unprotects nothing;
 *     - a drain that somebody else made is never lifted, and its reason never overwritten;
 *     - repair, scaling and updates do not wait for each other.
 *
 * A plan for a set that is as it should be is empty.
 */
#pragma once
#include "workers/facts.h"

/* Why a worker has to go. */
enum leaving {
    STAYS,
    LEAVES_SCALE,    /* there are more than wanted */
    LEAVES_MODE,     /* made in the other mode */
    LEAVES_UPDATE,   /* made from an older revision */
    LEAVES_SCHEDULE, /* the same, inside the reservation */
    LEAVES_NODE,     /* its Kubernetes node is not for it (any more) */
    LEAVES_TWIN,     /* there is another one on that node */
    LEAVES_NAME,     /* its host name is not the one its node asks for */
    LEAVES_ENDED,    /* its pod has ended */
    LEAVES_STRANGER, /* healthy for long, and Slurm has never heard of it */
    LEAVES_SET,      /* the whole set is being deleted */
};

/* What is to become of one worker, beside its facts; plan.fates[i] belongs to facts.workers[i]. */
struct fate {
    enum leaving leaving;
    bool delete;        /* now: nothing can be running there */
    enum cordon cordon; /* what it is to carry */
    bool drains;        /* Slurm is told to drain it in this plan */
    bool released;      /* our drain of it is lifted, now or in a moment */
};

/* Many Slurm nodes that are told the same. */
struct group {
    const char *text; /* reason, or whatever is set */
    const char *more; /* the second text of features */
    struct strs hosts;
};
struct groups {
    struct group *v;
    size_t n, room;
};

struct plan_event {
    bool warning;
    const char *reason, *action, *note;
};
struct plan_events {
    struct plan_event *v;
    size_t n, room;
};

struct ordinals {
    int64_t *v;
    size_t n;
};

struct plan {
    struct arena *arena;
    struct fate *fates;
    struct ordinals create; /* WORKERS_NUMBERED */
    struct strs create_on;  /* WORKERS_PER_NODE: names of Kubernetes nodes */
    struct groups drain;    /* by reason */
    struct strs undrain;    /* with an empty reason */
    struct strs resume;     /* DOWN by our own word, and back again */
    usec release_since;     /* the first of those two became ready */
    struct plan_events events;
    int64_t desired; /* how many there should be */
    usec again;      /* look again after this long; USEC_NEVER: no need */
};

struct plan *plan_make(struct arena *a, const struct set_facts *set);

/* The same for a set that is being deleted: everything leaves, drained first, and nothing is made.
 */
struct plan *plan_farewell(struct arena *a, const struct set_facts *set);

/* For the rooms. */
void plan_event(struct plan *plan, bool warning, const char *reason, const char *action,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
void plan_again(struct plan *plan, usec delay); /* the shortest wish counts */
/* The group with these texts, made when there is none; adds the host. */
void groups_add(struct arena *a, struct groups *groups, const char *text, const char *more,
                const char *host, size_t room);
void strs_add(struct arena *a, struct strs *strs, const char *text, size_t room);
/* Whether plan and facts leave a worker in its place. */
static inline bool stays(const struct plan *plan, size_t i)
{
    return plan->fates[i].leaving == STAYS;
}
