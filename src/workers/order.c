/* order.c - which worker goes first when some have to go. */
#include "workers/order.h"

#include <stdlib.h>

#include "base/str.h"

static int compare(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static int rank_of(enum worker_phase phase)
{
    return phase == PHASE_RUNNING ? 2 : phase == PHASE_UNKNOWN ? 1 : 0;
}

/* Later first, and what has no time before everything else. */
static int compare_newer(usec x, usec y)
{
    if (!x != !y)
        return x ? 1 : -1;
    return compare(y, x);
}

static int compare_ready(const struct worker_facts *x, const struct worker_facts *y)
{
    return x->ready && y->ready ? compare_newer(x->ready_since, y->ready_since) : 0;
}

int order_compare(const struct worker_facts *x, const struct worker_facts *y)
{
    return compare(y->cordon == CORDON_LEAVES, x->cordon == CORDON_LEAVES)
               ?: compare(!str_empty(x->node), !str_empty(y->node))
               ?: compare(rank_of(x->phase), rank_of(y->phase))
               ?: compare(x->ready, y->ready)
               ?: compare(x->deletion_cost, y->deletion_cost)
               ?: compare(x->deadline, y->deadline)
               ?: compare(y->cordon != CORDON_NONE, x->cordon != CORDON_NONE)
               ?: compare(y->ordinal, x->ordinal)
               ?: compare_ready(x, y)
               ?: compare_newer(x->created, y->created)
               ?: str_cmp(x->pod, y->pod);
}

static int compare_slots(const void *x, const void *y)
{
    const struct worker_facts *const *one = x;
    const struct worker_facts *const *other = y;

    return order_compare(*one, *other);
}

void order_sort(const struct worker_facts **workers, size_t n)
{
    if (n > 1)
        qsort(workers, n, sizeof *workers, compare_slots);
}
