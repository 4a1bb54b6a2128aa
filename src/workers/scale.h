/* scale.h - how many numbered workers there are, and what mode they are in. */
#pragma once
#include "workers/plan.h"

/* Pods that have ended leave, whatever else goes on. */
void scale_plan_repair(struct plan *plan, const struct set_facts *set);
/* Too many: the first in order.h's order leave. Too few: the lowest free numbers are made. */
void scale_plan_numbered(struct plan *plan, const struct set_facts *set);
/* Workers of the other mode leave once nothing of this mode is missing. */
void scale_plan_mode(struct plan *plan, const struct set_facts *set);
