/* daemons.c - one worker on every Kubernetes node that is for it. */
#include "workers/daemons.h"

#include <string.h>

#include "base/str.h"
#include "workers/order.h"
#include "workers/placement.h"

enum { NOBODY = -1 };

/* Workers by the node they belong on: the first of each node, and who comes after whom. */
struct seats {
    int *first; /* by machine */
    int *next;  /* by worker */
};

static struct seats seats_of(struct plan *plan, const struct set_facts *set)
{
    struct seats s = { arena_make_n(plan->arena, int, set->machines.n + 1),
                       arena_make_n(plan->arena, int, set->count + 1) };

    memset(s.first, 0xff, set->machines.n * sizeof *s.first);
    for (size_t i = 0; i < set->count; i++) {
        const struct worker_facts *w = &set->workers[i];
        const struct machine *machine = machine_find(set->machines, w->target);

        s.next[i] = NOBODY;
        if (!w->of_this_mode)
            continue;
        if (!machine) { /* its node is gone, or it never had one */
            if (stays(plan, i) && !w->deleting)
                plan->fates[i].leaving = LEAVES_NODE;
            continue;
        }
        s.next[i] = s.first[machine - set->machines.v];
        s.first[machine - set->machines.v] = (int)i;
    }
    return s;
}

static bool is_live(const struct plan *plan, const struct set_facts *set, int i)
{
    return !set->workers[i].deleting && stays(plan, (size_t)i);
}

/* All but the one that is last in the order of leaving. */
static void keep_one(struct plan *plan, const struct set_facts *set, const struct seats *s,
                     int first)
{
    int kept = NOBODY;

    for (int i = first; i != NOBODY; i = s->next[i])
        if (is_live(plan, set, i) &&
            (kept == NOBODY || order_compare(&set->workers[kept], &set->workers[i]) < 0))
            kept = i;
    for (int i = first; i != NOBODY; i = s->next[i])
        if (i != kept && is_live(plan, set, i))
            plan->fates[i].leaving = LEAVES_TWIN;
}

static void check_name(struct plan *plan, const struct set_facts *set,
                       const struct machine *machine, int i)
{
    const struct worker_facts *w = &set->workers[i];

    if (is_live(plan, set, i) && !str_empty(machine->hostname) && !str_empty(w->host) &&
        !str_eq(w->host, machine->hostname))
        plan->fates[i].leaving = LEAVES_NAME;
}

static void plan_machine(struct plan *plan, const struct set_facts *set, const struct seats *s,
                         size_t at)
{
    const struct machine *machine = &set->machines.v[at];
    enum fit fit = placement_fit(set->placement, machine);
    int first = s->first[at];

    if (fit == FIT_NEVER) {
        for (int i = first; i != NOBODY; i = s->next[i])
            if (is_live(plan, set, i))
                plan->fates[i].leaving = LEAVES_NODE;
        return;
    }
    for (int i = first; i != NOBODY; i = s->next[i])
        check_name(plan, set, machine, i);
    keep_one(plan, set, s, first);
    if (first != NOBODY) {
        plan->desired += fit == FIT_RUN;
    } else if (fit == FIT_RUN && !machine->cordoned) {
        plan->desired++;
        strs_add(plan->arena, &plan->create_on, machine->name, set->machines.n);
    }
}

void daemons_plan(struct plan *plan, const struct set_facts *set)
{
    struct seats seats = seats_of(plan, set);

    for (size_t at = 0; at < set->machines.n; at++)
        plan_machine(plan, set, &seats, at);
}
