/* rollout.c - how workers follow a new revision. */
#include "workers/rollout.h"

#include <string.h>

#include "base/str.h"
#include "workers/order.h"

#define LOT_PAUSE (5 * USEC_SEC) /* no longer than this is waited for a larger lot */

int64_t rollout_budget(struct int_or_str max_unavailable, int64_t total)
{
    const char *text = max_unavailable.text;
    int64_t value = max_unavailable.value;
    char digits[8];
    size_t len = text ? strlen(text) : 0;

    if (max_unavailable.type == AN_INT)
        return value > 0 ? value : 1;
    if (max_unavailable.type == NEITHER)
        text = "25%", len = 3;
    if (len > 1 && len < sizeof digits && text[len - 1] == '%') {
        memcpy(digits, text, len - 1);
        digits[len - 1] = '\0';
        if (!str_int(digits, &value) || value < 0 || value > 100)
            return 1;
        value = (total * value + 99) / 100;
        return value > 0 ? value : 1;
    }
    return str_int(text, &value) && value > 0 ? value : 1;
}

/* The workers that an update concerns. */
struct census {
    int64_t total, fresh, old;
    int64_t fresh_unavailable;
    usec newest; /* when the last of them was made */
};

static bool is_old(const struct set_facts *set, const struct worker_facts *w)
{
    return !str_eq(w->hash, set->hash);
}

static bool takes_part(const struct plan *plan, const struct set_facts *set, size_t i)
{
    return set->workers[i].of_this_mode && !set->workers[i].deleting && stays(plan, i);
}

static struct census count(const struct plan *plan, const struct set_facts *set)
{
    struct census c = { 0 };

    for (size_t i = 0; i < set->count; i++) {
        const struct worker_facts *w = &set->workers[i];

        if (w->created > c.newest)
            c.newest = w->created;
        if (!takes_part(plan, set, i))
            continue;
        if (is_old(set, w))
            c.old++;
        else if (c.fresh++, !worker_is_available(w, set->now, set->min_ready))
            c.fresh_unavailable++;
    }
    c.total = set->mode == WORKERS_NUMBERED ? set->replicas : c.old + c.fresh;
    return c;
}

static int64_t clamp(int64_t value, int64_t max)
{
    return value < 0 ? 0 : value > max ? max : value;
}

/* How many healthy old workers may leave now. */
static int64_t free_budget(const struct set_facts *set, const struct census *c, int64_t max)
{
    int64_t missing =
        set->mode == WORKERS_NUMBERED ? clamp(c->total - c->fresh - c->old, c->total) : 0;

    return clamp(max - missing - c->fresh_unavailable, max);
}

static size_t healthy_old(const struct plan *plan, const struct set_facts *set,
                          const struct worker_facts ***ret)
{
    const struct worker_facts **v =
        arena_make_n(plan->arena, const struct worker_facts *, set->count);
    size_t n = 0;

    for (size_t i = 0; i < set->count; i++)
        if (takes_part(plan, set, i) && is_old(set, &set->workers[i]))
            v[n++] = &set->workers[i];
    order_sort(v, n);
    *ret = v;
    return n;
}

static void roll(struct plan *plan, const struct set_facts *set, const struct census *c)
{
    int64_t max = rollout_budget(set->max_unavailable, c->total);
    int64_t budget = free_budget(set, c, max);
    const struct worker_facts **old;
    size_t n = healthy_old(plan, set, &old);
    size_t chosen = 0;

    while (chosen < n && old[chosen]->cordon == CORDON_LEAVES)
        chosen++; /* they drain already */
    if (budget * 2 < max && (size_t)budget < n && c->newest + LOT_PAUSE > set->now) {
        if (budget > (int64_t)chosen)
            plan_again(plan, c->newest + LOT_PAUSE - set->now);
        budget = clamp((int64_t)chosen, budget);
    }
    for (size_t i = 0; i < n && (int64_t)i < budget; i++)
        plan->fates[old[i] - set->workers].leaving = LEAVES_UPDATE;
}

static void leave_in_reservation(struct plan *plan, const struct set_facts *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct slurm_facts *s = &set->workers[i].slurm;

        if (takes_part(plan, set, i) && is_old(set, &set->workers[i]) && is_yes(s->registered) &&
            (s->state.flags & NODE_MAINTENANCE) && str_eq(s->reservation, set->reservation))
            plan->fates[i].leaving = LEAVES_SCHEDULE;
    }
}

void rollout_plan(struct plan *plan, const struct set_facts *set)
{
    struct census c;

    if (set->strategy == STRATEGY_ON_DELETE || str_empty(set->hash))
        return;
    c = count(plan, set);
    for (size_t i = 0; i < set->count; i++)
        if (takes_part(plan, set, i) && is_old(set, &set->workers[i]) &&
            !worker_is_healthy(&set->workers[i])) {
            plan->fates[i].leaving = LEAVES_UPDATE;
        }
    if (set->strategy == STRATEGY_SCHEDULED)
        leave_in_reservation(plan, set);
    else
        roll(plan, set, &c);
}
