/* plan.c - what to do about a set of workers: the rooms one after another, then the gate. */
#include "workers/plan.h"

#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "workers/cordon.h"
#include "workers/daemons.h"
#include "workers/drain.h"
#include "workers/rollout.h"
#include "workers/scale.h"
#include "workers/stranger.h"

/* ------------------------------------------------------------------ for the rooms */

void plan_event(struct plan *plan, bool warning, const char *reason, const char *action,
                const char *format, ...)
{
    struct plan_events *events = &plan->events;
    va_list args;
    char *note;

    va_start(args, format);
    note = vfmt(plan->arena, format, args);
    va_end(args);
    if (events->n == events->room) {
        struct plan_event *old = events->v;

        events->room = events->room ? 2 * events->room : 8;
        events->v = arena_make_n(plan->arena, struct plan_event, events->room);
        if (events->n)
            memcpy(events->v, old, events->n * sizeof *old);
    }
    events->v[events->n++] = (struct plan_event) { warning, reason, action, note };
}

void plan_again(struct plan *plan, usec delay)
{
    if (delay < plan->again)
        plan->again = delay;
}

void strs_add(struct arena *a, struct strs *strs, const char *text, size_t room)
{
    if (!strs->v)
        strs->v = arena_make_n(a, const char *, room);
    strs->v[strs->n++] = text;
}

static struct group *group_of(struct arena *a, struct groups *groups, const char *text,
                              const char *more)
{
    for (size_t i = groups->n; i-- > 0;) /* neighbours often say the same */
        if (str_eq(groups->v[i].text, text) && str_eq(groups->v[i].more, more))
            return &groups->v[i];
    if (groups->n == groups->room) {
        struct group *old = groups->v;

        groups->room = groups->room ? 2 * groups->room : 4;
        groups->v = arena_make_n(a, struct group, groups->room);
        if (groups->n)
            memcpy(groups->v, old, groups->n * sizeof *old);
    }
    groups->v[groups->n] = (struct group) { .text = text, .more = more };
    return &groups->v[groups->n++];
}

void groups_add(struct arena *a, struct groups *groups, const char *text, const char *more,
                const char *host, size_t room)
{
    struct group *group = group_of(a, groups, text, more);
    size_t n = group->hosts.n;

    if ((n & (n - 1)) == 0) { /* full: 0, 1, 2, 4, ... */
        const char **old = group->hosts.v;
        size_t more_room = n ? 2 * n : 1;

        group->hosts.v = arena_make_n(a, const char *, more_room < room ? more_room : room + 1);
        if (n)
            memcpy(group->hosts.v, old, n * sizeof *old);
    }
    group->hosts.v[group->hosts.n++] = host;
}

/* ------------------------------------------------------------------ the plan */

static struct plan *plan_new(struct arena *a, const struct set_facts *set)
{
    struct plan *plan = arena_make(a, struct plan);

    plan->arena = a;
    plan->again = USEC_NEVER;
    plan->fates = arena_make_n(a, struct fate, set->count + 1);
    for (size_t i = 0; i < set->count; i++)
        plan->fates[i].cordon = set->workers[i].cordon;
    return plan;
}

/* Workers that begin to leave with this plan; those that were told so before are no news. */
static size_t begin_to_leave(const struct plan *plan, const struct set_facts *set,
                             enum leaving leaving)
{
    size_t n = 0;

    for (size_t i = 0; i < set->count; i++)
        n += plan->fates[i].leaving == leaving && set->workers[i].cordon != CORDON_LEAVES &&
             (plan->fates[i].delete || plan->fates[i].drains);
    return n;
}

static void tell(struct plan *plan, const struct set_facts *set)
{
    static const struct {
        enum leaving leaving;
        const char *reason, *action, *words;
    } rows[] = {
        { LEAVES_SCALE, "ScalingDown", "ScaleDown", "are more than wanted" },
        { LEAVES_MODE, "ScalingDown", "ScaleDown", "are of the other scaling mode" },
        { LEAVES_NODE, "ScalingDown", "ScaleDown", "are on nodes that are not for them" },
        { LEAVES_TWIN, "ScalingDown", "ScaleDown", "share a node" },
        { LEAVES_UPDATE, "RollingUpdate", "RollingUpdate", "are replaced by the new revision" },
        { LEAVES_SCHEDULE, "Scheduled Update", "ScheduledUpdate",
          "are replaced inside the reservation" },
        { LEAVES_NAME, "HostnameMismatch", "Delete",
          "have another host name than their node asks for" },
        { LEAVES_SET, "ScalingDown", "ScaleDown", "go with their NodeSet" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        size_t n = begin_to_leave(plan, set, rows[i].leaving);

        if (n)
            plan_event(plan, rows[i].leaving == LEAVES_NAME, rows[i].reason, rows[i].action,
                       "%zu %s", n, rows[i].words);
    }
    if (plan->create.n + plan->create_on.n)
        plan_event(plan, false, "ScalingUp", "ScaleUp", "Creating %zu",
                   plan->create.n + plan->create_on.n);
}

struct plan *plan_make(struct arena *a, const struct set_facts *set)
{
    struct plan *plan = plan_new(a, set);

    scale_plan_repair(plan, set);
    if (set->mode == WORKERS_NUMBERED)
        scale_plan_numbered(plan, set);
    else
        daemons_plan(plan, set);
    scale_plan_mode(plan, set);
    rollout_plan(plan, set);
    stranger_plan(plan, set);
    cordon_plan(plan, set);
    drain_plan_leaving(plan, set);
    tell(plan, set);
    return plan;
}

struct plan *plan_farewell(struct arena *a, const struct set_facts *set)
{
    struct plan *plan = plan_new(a, set);

    for (size_t i = 0; i < set->count; i++)
        plan->fates[i].leaving = LEAVES_SET;
    drain_plan_leaving(plan, set);
    tell(plan, set);
    return plan;
}
