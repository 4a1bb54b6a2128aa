/* cordon.h - workers that stay: drained because their Kubernetes node or their user says so, and
 * put back to work when the cause is gone.
 *
 * Only Kubernetes speaks to Slurm here, never the other way round. Whose a cordon is decides who
 * lifts it: ours goes when its cause does, whatever the update strategy; a user's stays until the
 * user takes it away. A node whose reason somebody else wrote is left alone, and so is one that
 * Slurm lost.
 */
#pragma once
#include "workers/plan.h"

/* Why a cordoned Kubernetes node drains its worker: what it says itself, else what its conditions
 * say, else the bare fact. Not yet signed. */
const char *cordon_text(struct arena *a, const struct set_facts *set, const struct worker_facts *w);
void cordon_plan(struct plan *plan, const struct set_facts *set);
