/* worker.c - one worker as the API server tells of it. */
#include "ops/worker.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "slinky/names.h"
#include "slurm/reason.h"

#define PREFIX "SlurmNodeState"

static const char *const base_states[] = { "Allocated", "Down",  "Error",   "Future",
                                           "Idle",      "Mixed", "Unknown", NULL };

static enum flag condition(const struct k8s_pod *pod, const char *type)
{
    for_each (c, pod->status.conditions)
        if (str_eq(c->type, type))
            return str_eq(c->status, "True") ? YES : str_eq(c->status, "False") ? NO : UNSET;
    return UNSET;
}

static const char *message(const struct k8s_pod *pod, const char *type)
{
    for_each (c, pod->status.conditions)
        if (str_eq(c->type, type) && !str_empty(c->message))
            return c->message;
    return NULL;
}

/* "mixed+drain": the base state and then the flags; NULL when there is no base state. */
static const char *state_of(struct arena *a, const struct k8s_pod *pod)
{
    const char *base = NULL, *flags = "";
    char *text;

    for_each (c, pod->status.conditions) {
        const char *word = str_starts(c->type, PREFIX) ? c->type + sizeof PREFIX - 1 : NULL;

        if (!word || !str_eq(c->status, "True"))
            continue;
        if (str_in(word, base_states))
            base = word;
        else
            flags = fmt(a, "%s+%s", flags, word);
    }
    if (!base)
        return NULL;
    text = fmt(a, "%s%s", base, flags);
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return text;
}

static enum worker_cordon cordon_of(const struct k8s_pod *pod)
{
    const char *why = pairs_get(pod->meta.annotations, SLINKY_POD_CORDON_WHY);

    if (!str_eq(pairs_get(pod->meta.annotations, SLINKY_POD_CORDON), "true"))
        return WORKER_NOT_CORDONED;
    if (str_eq(why, "leaving"))
        return WORKER_LEAVING;
    return str_eq(why, "node") ? WORKER_CORDONED_BY_NODE : WORKER_CORDONED_BY_USER;
}

/* Flags and bases are there or not, once there is a base state at all. */
static enum flag known(bool is_known, const struct k8s_pod *pod, const char *type)
{
    if (!is_known)
        return UNSET;
    return condition(pod, type) == YES ? YES : NO;
}

static usec deadline_of(const struct k8s_pod *pod)
{
    const char *text = pairs_get(pod->meta.annotations, SLINKY_POD_DEADLINE);
    usec when = 0;

    return text && time_parse(text, &when) ? when : 0;
}

struct worker_view worker_view_of(struct arena *a, const struct k8s_pod *pod, bool stale)
{
    const char *state = stale ? NULL : state_of(a, pod);
    bool is_known = state && !str_starts(state, "unknown");
    struct worker_view w = {
        .pod = pod,
        .name = str_empty(pod->spec.hostname) ? pod->meta.name : pod->spec.hostname,
        .set = pairs_get(pod->meta.labels, SLINKY_APP_INSTANCE),
        .state = state ?: "unknown",
        .reason = message(pod, PREFIX "Drain") ?: message(pod, PREFIX "Down"),
        .busy = is_known ? condition(pod, "SlurmNodeBusy") : UNSET,
        .drained = is_known ? condition(pod, "SlurmNodeDrained") : UNSET,
        .drain = known(is_known, pod, PREFIX "Drain"),
        .down = known(is_known, pod, PREFIX "Down"),
        .silent = condition(pod, PREFIX "NotResponding") == YES,
        .cordon = cordon_of(pod),
        .deadline = deadline_of(pod),
    };

    return w;
}

bool worker_is_called(const struct worker_view *w, const char *name)
{
    return str_eq(w->pod->meta.name, name) || str_eq(w->name, name);
}

/* ------------------------------------------------------------------ draining */

static const char *foreign_drain(struct arena *a, const struct worker_view *w)
{
    if (w->drain != YES || str_empty(w->reason) || reason_is_mine(DRAIN_BY_SLINKY, w->reason))
        return NULL;
    return fmt(a,
               "%s was drained in Slurm by someone else (%s: '%s'); who did so lifts it: "
               "scontrol update nodename=%s state=resume",
               w->name, drain_owner_name(reason_owner(w->reason)), w->reason, w->name);
}

const char *worker_refuses_undrain(struct arena *a, const struct worker_view *w)
{
    if (w->cordon == WORKER_CORDONED_BY_NODE)
        return fmt(a, "%s is drained because Kubernetes node %s is cordoned: kubectl uncordon %s",
                   w->name, w->pod->spec.node_name, w->pod->spec.node_name);
    if (w->cordon == WORKER_LEAVING)
        return fmt(a, "%s is on its way out of NodeSet %s: scale that up to keep it", w->name,
                   w->set);
    return foreign_drain(a, w);
}

const char *worker_drain_outlook(struct arena *a, const struct worker_view *w)
{
    switch (w->busy) {
    case YES:
        return w->deadline ? fmt(a, "no new jobs; the present ones end by %s at the latest",
                                 time_text(a, w->deadline, false))
                           : "no new jobs; the present ones may finish";
    case NO:
        return "no new jobs; none runs there now";
    case UNSET:
        break;
    }
    return "no new jobs, as soon as Slurm can be told; what runs there is not known";
}
