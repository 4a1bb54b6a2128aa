/* scale.c - how many numbered workers there are, and what mode they are in. */
#include "workers/scale.h"

#include "workers/identity.h"
#include "workers/order.h"

void scale_plan_repair(struct plan *plan, const struct set_facts *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (worker_has_ended(&set->workers[i]) && !set->workers[i].deleting)
            plan->fates[i].leaving = LEAVES_ENDED;
}

static void choose(struct plan *plan, const struct set_facts *set, int64_t excess)
{
    const struct worker_facts **candidates =
        arena_make_n(plan->arena, const struct worker_facts *, set->count);
    size_t n = 0;

    for (size_t i = 0; i < set->count; i++)
        if (set->workers[i].of_this_mode && !set->workers[i].deleting && stays(plan, i))
            candidates[n++] = &set->workers[i];
    order_sort(candidates, n);
    for (size_t i = 0; i < n && (int64_t)i < excess; i++)
        plan->fates[candidates[i] - set->workers].leaving = LEAVES_SCALE;
}

void scale_plan_numbered(struct plan *plan, const struct set_facts *set)
{
    int64_t count = 0, going = 0;

    plan->desired = set->replicas;
    for (size_t i = 0; i < set->count; i++) {
        if (!set->workers[i].of_this_mode)
            continue;
        count++;
        going += set->workers[i].deleting || !stays(plan, i);
    }
    if (count < set->replicas)
        plan->create = identity_free(plan->arena, set, (size_t)(set->replicas - count));
    else if (count - going > set->replicas)
        choose(plan, set, count - going - set->replicas);
}

void scale_plan_mode(struct plan *plan, const struct set_facts *set)
{
    if (plan->create.n || plan->create_on.n)
        return;
    for (size_t i = 0; i < set->count; i++)
        if (!set->workers[i].of_this_mode && stays(plan, i))
            plan->fates[i].leaving = LEAVES_MODE;
}
