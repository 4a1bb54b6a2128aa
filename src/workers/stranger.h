/* stranger.h - workers that are healthy and that Slurm does not know.
 *
 * A slurmd that lost its registration is started again, one worker at a time and only after a
 * while. When many are missing at once it is Slurm that forgot, and deleting workers would help
 * nobody: then nothing is done but to say so.
 */
#pragma once
#include "workers/plan.h"

#define STRANGER_GRACE (5 * 60 * USEC_SEC) /* for a healthy worker to register */
#define STRANGER_PAUSE (60 * USEC_SEC)     /* between two that are replaced for it */

/* How many healthy workers Slurm does not know, older than the grace period. */
size_t stranger_count(const struct set_facts *set);
/* At most one leaves, and none when more than a tenth of the set is missing. */
void stranger_plan(struct plan *plan, const struct set_facts *set);
