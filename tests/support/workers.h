/* workers.h - sets of workers for tests of the planner, a line each. */
#pragma once
#include "base/arena.h"
#include "workers/plan.h"

#define NOW (INT64_C(1800000000) * USEC_SEC)
#define TEAM_MAX 1200

/* A set "hpc/gpu" of numbered workers that are all well: gpu-0, gpu-1, ... on nodes m-0, m-1, ...
 * of revision "new", registered and idle in Slurm, ten minutes old. */
struct team {
    struct arena *arena;
    struct set_facts set;
    struct worker_facts workers[TEAM_MAX];
    struct machine machines[TEAM_MAX];
};

static inline struct team *team_of(struct arena *a, size_t n, int64_t replicas)
{
    struct team *t = arena_make(a, struct team);

    t->arena = a;
    t->set = (struct set_facts) {
        .namespace = "hpc",
        .name = "gpu",
        .uid = "u-set",
        .replicas = replicas,
        .hash = "new",
        .reservation = "SlurmOperatorMaint-gpu",
        .protects = true,
        .me = DRAIN_BY_SLINKY,
        .feature_prefix = "k8s/",
        .workers = t->workers,
        .count = n,
        .machines = { t->machines, n },
        .now = NOW,
        .slurm_age = USEC_SEC,
    };
    for (size_t i = 0; i < n; i++) {
        t->machines[i] = (struct machine) { .name = fmt(a, "m-%04zu", i),
                                            .hostname = fmt(a, "m-%04zu", i),
                                            .topology = "" };
        t->workers[i] = (struct worker_facts) {
            .pod = fmt(a, "gpu-%zu", i),
            .uid = fmt(a, "u-%zu", i),
            .host = fmt(a, "gpu-%zu", i),
            .ordinal = (int64_t)i,
            .of_this_mode = true,
            .hash = "new",
            .node = t->machines[i].name,
            .target = t->machines[i].name,
            .machine = &t->machines[i],
            .phase = PHASE_RUNNING,
            .ready = true,
            .created = NOW - 600 * USEC_SEC,
            .ready_since = NOW - 590 * USEC_SEC,
            .slurm = { .registered = ANSWER_YES,
                       .state = node_state_of_text("IDLE+DYNAMIC_NORM"),
                       .reason = "",
                       .comment = "",
                       .features = "gpu",
                       .active_features = "gpu",
                       .topology = "",
                       .reservation = "" },
        };
    }
    return t;
}

static inline void slurm_says(struct worker_facts *w, const char *state, const char *reason)
{
    w->slurm.state = node_state_of_text(state);
    w->slurm.reason = reason;
}

/* Nobody could ask Slurm. */
static inline void slurm_is_silent(struct team *t)
{
    for (size_t i = 0; i < t->set.count; i++)
        t->workers[i].slurm = (struct slurm_facts) { 0 };
    t->set.slurm_age = USEC_NEVER;
}

static inline size_t count_leaving(const struct plan *plan, const struct team *t,
                                   enum leaving leaving)
{
    size_t n = 0;

    for (size_t i = 0; i < t->set.count; i++)
        n += plan->fates[i].leaving == leaving;
    return n;
}

static inline size_t count_deleted(const struct plan *plan, const struct team *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->set.count; i++)
        n += plan->fates[i].delete;
    return n;
}

/* Nothing at all is to be done. */
static inline bool is_empty(const struct plan *plan, const struct team *t)
{
    for (size_t i = 0; i < t->set.count; i++)
        if (plan->fates[i].leaving != STAYS || plan->fates[i].cordon != t->workers[i].cordon)
            return false;
    return !plan->create.n && !plan->create_on.n && !plan->drain.n && !plan->undrain.n &&
           !plan->resume.n && !plan->events.n;
}
