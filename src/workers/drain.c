/* drain.c - the gate: which workers may be taken away, and what Slurm is told first. */
#include "workers/drain.h"

#include "base/str.h"

#define DRAIN_LOOK (10 * USEC_SEC) /* Slurm's news wake us earlier */

static enum answer is_at_rest(struct node_state state)
{
    return answer_or(node_is_drained(state),
                     answer_and(node_is_down(state), answer_not(node_is_busy(state))));
}

enum answer worker_may_go(const struct worker_facts *w, usec slurm_age)
{
    if (str_empty(w->node) || worker_has_ended(w))
        return ANSWER_YES;
    if (w->told)
        return ANSWER_UNKNOWN;
    switch (w->slurm.registered) {
    case ANSWER_YES:
        return is_at_rest(w->slurm.state);
    case ANSWER_NO:
        return slurm_age <= ABSENT_AGE ? ANSWER_YES : ANSWER_UNKNOWN;
    default:
        return ANSWER_UNKNOWN;
    }
}

bool drain_wants_news(const struct plan *plan, const struct set_facts *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct fate *fate = &plan->fates[i];

        if (fate->leaving != STAYS && !fate->delete &&!set->workers[i].deleting &&
            (fate->drains || set->workers[i].told || is_no(set->workers[i].slurm.registered)))
            return true;
    }
    return false;
}

/* One text for all workers that go for the same reason, so that Slurm is told once. */
static const char *text_of(struct arena *a, const struct set_facts *set, enum leaving leaving)
{
    const char *what = leaving == LEAVES_UPDATE || leaving == LEAVES_SCHEDULE ? "update"
                       : leaving == LEAVES_SET                                ? "deletion"
                                                                              : "scale-in";

    return fmt(a, "Pod of %s/%s is pending termination for %s", set->namespace, set->name, what);
}

static void drain(struct plan *plan, const struct set_facts *set, size_t i)
{
    const struct worker_facts *w = &set->workers[i];
    struct drain_plan how;

    if (!is_yes(w->slurm.registered) || !w->slurm.state.known || w->told)
        return;
    /* A reason that somebody else wrote stays; the drain is added to it. */
    how = reason_plan_drain(plan->arena, set->me, w->slurm.state, w->slurm.reason,
                            text_of(plan->arena, set, plan->fates[i].leaving),
                            reason_is_mine(set->me, w->slurm.reason));
    plan->fates[i].drains = how.call && !is_yes(node_is_drain(w->slurm.state));
    if (plan->fates[i].drains)
        groups_add(plan->arena, &plan->drain, how.reason, NULL, w->host, set->count);
}

void drain_plan_leaving(struct plan *plan, const struct set_facts *set)
{
    for (size_t i = 0; i < set->count; i++) {
        struct fate *fate = &plan->fates[i];
        const struct worker_facts *w = &set->workers[i];

        if (fate->leaving == STAYS || w->deleting)
            continue;
        if (fate->leaving == LEAVES_ENDED && w->retry_at > set->now) {
            plan_again(plan, w->retry_at - set->now);
            continue;
        }
        if (is_yes(worker_may_go(w, set->slurm_age))) {
            fate->delete = true;
            continue;
        }
        fate->cordon = w->cordon == CORDON_USER ? CORDON_USER : CORDON_LEAVES;
        drain(plan, set, i);
        plan_again(plan, DRAIN_LOOK);
    }
}
