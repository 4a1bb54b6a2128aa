/* rollout.h - how workers follow a new revision.
 *
 * Rolling: old workers that are not healthy leave at once; healthy ones as the budget allows, which
 * is maxUnavailable less what is missing or not yet available. To spare Slurm a call for every
 * single worker, the next lot waits until half of the budget is free, the rest fits in, or nothing
 * new was made for a few seconds. Workers that are missing are made by the room next door, whether
 * or not their predecessors were seen to go, so an update cannot stand still for want of a pod.
 *
 * Scheduled: the same for unhealthy ones; healthy ones leave inside the set's own reservation.
 * OnDelete: nobody leaves.
 */
#pragma once
#include "workers/plan.h"

/* maxUnavailable as a number: a percentage of total is rounded up; what cannot be read is 1. */
int64_t rollout_budget(struct int_or_str max_unavailable, int64_t total);
/* After scaling: workers that leave for other reasons take part in nothing here. */
void rollout_plan(struct plan *plan, const struct set_facts *set);
