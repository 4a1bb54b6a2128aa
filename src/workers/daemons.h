/* daemons.h - one worker on every Kubernetes node that is for it.
 *
 * A node that is cordoned gets no new worker, since Slurm would be told to drain it at once. Of
 * several workers on one node the one that is least ready to go stays. A worker whose pod has ended
 * is replaced after a pause that grows with its failures.
 */
#pragma once
#include "workers/plan.h"

void daemons_plan(struct plan *plan, const struct set_facts *set);
