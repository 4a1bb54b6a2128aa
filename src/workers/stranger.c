/* stranger.c - workers that are healthy and that Slurm does not know. */
#include "workers/stranger.h"

static bool is_stranger(const struct set_facts *set, const struct worker_facts *w)
{
    return is_no(w->slurm.registered) && worker_is_available(w, set->now, STRANGER_GRACE);
}

size_t stranger_count(const struct set_facts *set)
{
    size_t n = 0;

    for (size_t i = 0; i < set->count; i++)
        n += is_stranger(set, &set->workers[i]);
    return n;
}

static usec newest(const struct set_facts *set)
{
    usec newest = 0;

    for (size_t i = 0; i < set->count; i++)
        if (set->workers[i].created > newest)
            newest = set->workers[i].created;
    return newest;
}

void stranger_plan(struct plan *plan, const struct set_facts *set)
{
    size_t n = stranger_count(set);

    if (!n)
        return;
    plan_again(plan, STRANGER_PAUSE);
    if ((n > 1 && n * 10 > set->count) || newest(set) + STRANGER_PAUSE > set->now)
        return;
    for (size_t i = 0; i < set->count; i++) {
        if (!is_stranger(set, &set->workers[i]) || !stays(plan, i))
            continue;
        plan->fates[i].leaving = LEAVES_STRANGER;
        plan_event(plan, true, "SlurmNodeNotRegistered", "Delete",
                   "Pod %s is healthy and Slurm has no node %s: starting it again",
                   set->workers[i].pod, set->workers[i].host);
        return;
    }
}
