/* cordon.c - workers that stay: drained for a cause, and put back to work when it is gone. */
#include "workers/cordon.h"

#include <string.h>

#include "base/str.h"

#define RELEASE_PAUSE (2 * USEC_SEC)
#define STOP_TIME (30 * USEC_SEC)

const char *cordon_text(struct arena *a, const struct set_facts *set, const struct worker_facts *w)
{
    if (w->machine->cordon_reason)
        return w->machine->cordon_reason;
    if (!str_empty(w->machine->conditions))
        return w->machine->conditions;
    return fmt(a, "Node (%s) was cordoned, Pod (%s/%s) must be cordoned", w->node, set->namespace,
               w->pod);
}

/* The words of a user come last: what begins with whose drain it is stays easy to tell. */
static const char *user_text(struct arena *a, const struct set_facts *set,
                             const struct worker_facts *w)
{
    bool told = !str_empty(w->cordon_reason);

    return fmt(a, "Pod (%s/%s) was cordoned%s%s", set->namespace, w->pod, told ? ": " : "",
               told ? w->cordon_reason : "");
}

/* Slurm itself took it down because it does not answer; a drain would only hide that. */
static bool is_lost(const struct slurm_facts *s)
{
    return is_yes(node_is_down(s->state)) && s->reason && strstr(s->reason, "Not responding");
}

static bool is_somebody_elses(const struct set_facts *set, const struct slurm_facts *s)
{
    return !reason_is_mine(set->me, s->reason) || is_lost(s);
}

static void drain(struct plan *plan, const struct set_facts *set, const struct worker_facts *w,
                  const char *text)
{
    struct drain_plan how =
        reason_plan_drain(plan->arena, set->me, w->slurm.state, w->slurm.reason, text, false);

    if (how.call && !is_yes(node_is_drain(w->slurm.state)))
        groups_add(plan->arena, &plan->drain, how.reason, NULL, w->host, set->count);
}

static void cordon(struct plan *plan, const struct set_facts *set, size_t i)
{
    const struct worker_facts *w = &set->workers[i];

    if (w->cordon != CORDON_USER)
        plan->fates[i].cordon = CORDON_NODE;
    if (w->cordon == CORDON_NONE)
        plan_event(plan, false, "NodeCordon", "Cordon", "Node %s is cordoned, cordoning Pod %s",
                   w->node, w->pod);
    drain(plan, set, w, cordon_text(plan->arena, set, w));
}

/* Its node was taken down by the stop hook of a pod before it, or by its own before it started
 * again. Times are whole seconds of two clocks: a worker that is still well half a minute after the
 * hook is not being stopped by it. */
static bool is_back(struct plan *plan, const struct set_facts *set, const struct worker_facts *w)
{
    usec down = w->slurm.reason_time;

    if (w->created >= down || w->ready_since > down || down + STOP_TIME <= set->now)
        return true;
    plan_again(plan, down + STOP_TIME - set->now);
    return false;
}

/* Back to work: what we drained, and what our own stop hook took down and has come up since. */
static void release(struct plan *plan, const struct set_facts *set, size_t i)
{
    const struct worker_facts *w = &set->workers[i];
    const struct slurm_facts *s = &w->slurm;

    plan->fates[i].cordon = CORDON_NONE;
    if (reason_owner(s->reason) != set->me || !worker_is_healthy(w))
        return;
    if (s->state.base != NODE_DOWN && is_yes(node_is_drain(s->state)))
        strs_add(plan->arena, &plan->undrain, w->host, set->count);
    else if (s->state.base == NODE_DOWN && is_no(node_is_busy(s->state)) &&
             is_back(plan, set, w))
        strs_add(plan->arena, &plan->resume, w->host, set->count);
    else
        return;
    plan->fates[i].released = true;
    if (w->ready_since < plan->release_since)
        plan->release_since = w->ready_since;
}

static void plan_one(struct plan *plan, const struct set_facts *set, size_t i)
{
    const struct worker_facts *w = &set->workers[i];

    if (w->cordon == CORDON_LEAVES)
        plan->fates[i].cordon = CORDON_NONE; /* it was to go, and stays after all */
    if (!w->machine || !is_yes(w->slurm.registered) || !w->slurm.state.known || w->told ||
        is_somebody_elses(set, &w->slurm))
        return;
    if (w->machine->cordoned)
        cordon(plan, set, i);
    else if (w->cordon == CORDON_USER)
        drain(plan, set, w, user_text(plan->arena, set, w));
    else
        release(plan, set, i);
}

/* Workers that became ready one after another are put back to work together, a little later. */
static void hold_release(struct plan *plan, const struct set_facts *set)
{
    size_t n = plan->undrain.n + plan->resume.n;

    if (!n || 4 * n >= set->count || plan->release_since + RELEASE_PAUSE <= set->now)
        return;
    plan->undrain.n = plan->resume.n = 0;
    plan_again(plan, plan->release_since + RELEASE_PAUSE - set->now);
}

void cordon_plan(struct plan *plan, const struct set_facts *set)
{
    plan->release_since = USEC_NEVER - RELEASE_PAUSE;
    for (size_t i = 0; i < set->count; i++)
        if (stays(plan, i) && !set->workers[i].deleting)
            plan_one(plan, set, i);
    hold_release(plan, set);
}
