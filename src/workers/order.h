/* order.h - which worker goes first when some have to go. */
#pragma once
#include "workers/facts.h"

/* Less than zero: x goes before y. The first difference decides:
 *
 *     one that is on its way out already, so that a choice once made is kept while it drains
 *     not on a Kubernetes node; not started; not ready
 *     the lower deletion cost; the earlier end of its jobs (none: now); cordoned
 *     the higher number; the one that became ready last; the younger; the name
 */
int order_compare(const struct worker_facts *x, const struct worker_facts *y);
/* Sorts pointers to workers by it. */
void order_sort(const struct worker_facts **workers, size_t n);
