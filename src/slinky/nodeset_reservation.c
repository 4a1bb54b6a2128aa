/* nodeset_reservation.c - the Slurm reservation of a NodeSet that is updated by schedule. */
#include <errno.h>

#include "base/str.h"
#include "slinky/nodeset_parts.h"
#include "slurm/hostlist.h"
#include "workers/reservation.h"

#define CONDITION "ReservationCreated"
#define LOOK_EVERY (60 * USEC_SEC)

static const struct k8s_condition *condition_of(const struct nodeset_pass *p)
{
    for_each (condition, p->cr->status.conditions)
        if (str_eq(condition->type, CONDITION))
            return condition;
    return NULL;
}

/* The nodes that are registered, as a host list. */
static const char *hosts_of(struct nodeset_pass *p)
{
    struct strs hosts = { .v = arena_make_n(p->r->arena, const char *, p->facts.count + 1) };

    for (size_t i = 0; i < p->facts.count; i++)
        if (is_yes(p->facts.workers[i].slurm.registered))
            hosts.v[hosts.n++] = p->facts.workers[i].host;
    return hosts.n ? hostlist_of_set(p->r->arena, hosts) : "";
}

static struct reservation_wish wish_of(struct nodeset_pass *p)
{
    const struct slinky_nodeset_update_strategy_scheduled_update *update =
        p->cr->spec.update_strategy->scheduled_update;
    const struct k8s_condition *condition = condition_of(p);
    struct reservation_wish wish = { .name = p->facts.reservation,
                                     .hosts = hosts_of(p),
                                     .duration = 30 * 60 * USEC_SEC,
                                     .now = p->facts.now,
                                     .mark = condition ? condition->message : "" };

    if (!update)
        return wish;
    wish.start = update->start_time;
    wish.flags = update->flags;
    duration_parse(update->duration, &wish.duration);
    return wish;
}

static int put(struct nodeset_pass *p, const struct reservation_wish *wish,
               const struct slurm_reservation_spec *spec)
{
    struct slurm_call call = nodeset_call(p);

    if (slurm_reservation_put(p->slurm, &call, spec) != ANSWER_YES)
        return slurm_fail(&call, &p->r->err);
    reconcile_condition(p->r, CONDITION, CONDITION_TRUE, "Created", "%s",
                        reservation_mark(p->r->arena, wish));
    reconcile_event(p->r, false, "ReservationCreated", "ScheduledUpdate",
                    "Slurm reservation %s holds %s", spec->name, spec->nodes);
    return 0;
}

static int reserve(struct nodeset_pass *p)
{
    struct slurm_call call = nodeset_call(p);
    struct reservation_wish wish = wish_of(p);
    struct slurm_reservation live;
    struct slurm_reservation_spec spec;
    enum answer there = slurm_reservation_get(p->slurm, &call, wish.name, &live);

    if (there == ANSWER_UNKNOWN)
        return slurm_fail(&call, &p->r->err);
    again_after(p->r, LOOK_EVERY);
    switch (reservation_plan(p->r->arena, &wish, is_yes(there) ? &live : NULL, &spec)) {
    case RESERVATION_PUT:
        return put(p, &wish, &spec);
    case RESERVATION_GONE:
        reconcile_condition(p->r, CONDITION, CONDITION_FALSE, "NotExists", "%s", wish.mark);
        return 0;
    default:
        if (is_yes(there))
            reconcile_condition(p->r, CONDITION, CONDITION_TRUE, "Created", "%s",
                                reservation_mark(p->r->arena, &wish));
        return 0;
    }
}

int nodeset_unreserve(struct nodeset_pass *p)
{
    struct slurm_call call = nodeset_call(p);
    const struct k8s_condition *condition = condition_of(p);

    if (!condition || !str_eq(condition->status, "True"))
        return 0;
    if (!p->slurm)
        return fail(&p->r->err, -EAGAIN, "reservation %s: nobody to ask", p->facts.reservation);
    if (slurm_reservation_delete(p->slurm, &call, p->facts.reservation) != ANSWER_YES)
        return slurm_fail(&call, &p->r->err);
    reconcile_condition(p->r, CONDITION, CONDITION_FALSE, "NotWanted", "%s", "");
    return 0;
}

int nodeset_reserve(struct nodeset_pass *p)
{
    if (p->facts.strategy != STRATEGY_SCHEDULED || p->plan->desired == 0)
        return nodeset_unreserve(p);
    if (!p->slurm || p->facts.slurm_age == USEC_NEVER)
        return 0;
    return reserve(p);
}
