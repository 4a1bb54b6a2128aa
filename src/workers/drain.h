/* drain.h - the gate: which workers may be taken away, and what Slurm is told first.
 *
 * Unknown opens nothing. A worker may go when nothing of Slurm's can be running on it:
 *
 *     it has never been on a Kubernetes node, or its pod has ended
 *     Slurm says that its node is drained, or down and not busy
 *     Slurm says that it has no such node, and said so just now
 */
#pragma once
#include "workers/plan.h"

#define ABSENT_AGE (5 * USEC_SEC) /* how old Slurm's word that a node is absent may be */

enum answer worker_may_go(const struct worker_facts *w, usec slurm_age);
/* Whether a newer word of Slurm could let one of the leaving workers go. */
bool drain_wants_news(const struct plan *plan, const struct set_facts *set);
/* For every worker that leaves: delete it, or have it drained, or wait. */
void drain_plan_leaving(struct plan *plan, const struct set_facts *set);
