/* tally.c - the set in numbers, for its status. */
#include "workers/tally.h"

#include "base/str.h"

static void count_slurm(struct tally *t, const struct slurm_facts *s)
{
    if (s->registered != ANSWER_UNKNOWN)
        t->slurm_known = true;
    if (!is_yes(s->registered))
        return;
    t->registered++;
    t->idle += s->state.base == NODE_IDLE;
    t->allocated += s->state.base == NODE_ALLOCATED || s->state.base == NODE_MIXED;
    t->down += s->state.base == NODE_DOWN;
    t->drain += (s->state.flags & NODE_DRAIN) != 0;
}

struct tally tally_of(const struct set_facts *set, int64_t desired, int64_t made)
{
    struct tally t = { .pods = made, .updated = made, .slurm_known = set->count == 0 };

    for (size_t i = 0; i < set->count; i++) {
        const struct worker_facts *w = &set->workers[i];

        t.pods++;
        t.updated += !w->deleting && str_eq(w->hash, set->hash);
        t.ready += worker_is_healthy(w);
        t.available += worker_is_available(w, set->now, set->min_ready);
        t.leaving += w->deleting || w->cordon == CORDON_LEAVES;
        count_slurm(&t, &w->slurm);
    }
    t.unavailable = desired > t.available ? desired - t.available : 0;
    return t;
}
