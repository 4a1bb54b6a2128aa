/* nodeset_status.c - the status of a NodeSet: numbers, and conditions people can act on. */
#include "base/str.h"
#include "slinky/nodeset_parts.h"
#include "workers/stranger.h"

#define SILENCE (60 * USEC_SEC)

static struct maybe_int some(int64_t value)
{
    return (struct maybe_int)SOME(value);
}

static void tell_available(struct nodeset_pass *p, const struct tally *t)
{
    struct reconcile *r = p->r;
    long long desired = p->plan->desired;

    if (t->available < desired)
        reconcile_condition(r, "Ready", CONDITION_FALSE, "WorkersMissing",
                            "%lld of %lld workers are available; 'kubectl describe pod' says why",
                            (long long)t->available, desired);
    else if (t->slurm_known && t->registered < desired)
        reconcile_condition(r, "Ready", CONDITION_FALSE, "WorkersUnregistered",
                            "%lld of %lld workers are known to Slurm", (long long)t->registered,
                            desired);
    else
        reconcile_condition(r, "Ready", CONDITION_TRUE, "Available", "%lld workers are available.",
                            desired);
}

static void tell_progress(struct nodeset_pass *p, const struct tally *t)
{
    struct reconcile *r = p->r;
    bool moves = t->updated < p->plan->desired || t->leaving || t->pods != p->plan->desired;

    if (moves && p->facts.strategy == STRATEGY_ON_DELETE && !t->leaving &&
        t->pods == p->plan->desired)
        reconcile_condition(r, "Progressing", CONDITION_FALSE, "WaitsForDeletion",
                            "%lld workers follow the new template when somebody deletes them",
                            (long long)(p->plan->desired - t->updated));
    else if (moves)
        reconcile_condition(r, "Progressing", CONDITION_TRUE, "Changing",
                            "%lld workers, %lld wanted, %lld of the newest revision, %lld leave",
                            (long long)t->pods, (long long)p->plan->desired, (long long)t->updated,
                            (long long)t->leaving);
    else
        reconcile_condition(r, "Progressing", CONDITION_FALSE, "Settled", "As asked for.");
}

/* Slurm is silent for a moment after every start of ours; that is no news. */
static bool is_silent_for_long(struct nodeset_pass *p, const struct tally *t)
{
    usec now = clock_now();

    if (t->slurm_known) {
        p->memory->unknown_since = 0;
        return false;
    }
    if (!p->memory->unknown_since)
        p->memory->unknown_since = now;
    if (now - p->memory->unknown_since > SILENCE)
        return true;
    again_after(p->r, p->memory->unknown_since + SILENCE + USEC_SEC - now);
    return false;
}

static void tell_health(struct nodeset_pass *p, const struct tally *t)
{
    size_t strangers = stranger_count(&p->facts);

    if (is_silent_for_long(p, t))
        reconcile_condition(p->r, "Degraded", CONDITION_UNKNOWN, "SlurmUnknown",
                            "Slurm does not answer: nothing is drained or deleted until it does; "
                            "look at the RestApi of Controller %s",
                            p->cr->spec.controller_ref.name);
    else if (!t->slurm_known)
        return; /* what was said last stays */
    else if (strangers)
        reconcile_condition(p->r, "Degraded", CONDITION_TRUE, "WorkersUnregistered",
                            "%zu healthy workers are not known to Slurm; look at the log of slurmd",
                            strangers);
    else if (t->down)
        reconcile_condition(p->r, "Degraded", CONDITION_TRUE, "NodesDown",
                            "%lld Slurm nodes are down; 'sinfo -R' says why", (long long)t->down);
    else
        reconcile_condition(p->r, "Degraded", CONDITION_FALSE, "Healthy", "No worker is down.");
}

static void set_slurm_numbers(struct slinky_nodeset_status *status, const struct tally *t)
{
    if (!t->slurm_known)
        return; /* the last that was known stays */
    status->slurm_idle = some(t->idle);
    status->slurm_allocated = some(t->allocated);
    status->slurm_down = some(t->down);
    status->slurm_drain = some(t->drain);
}

void nodeset_status_waiting(struct nodeset_pass *p)
{
    struct slinky_nodeset now = *p->cr;

    now.status.node_set_hash = now.status.node_set_hash ?: "";
    now.status.selector = slinky_selector_text(p->r->arena, "slurmd", p->r->name);
    reconcile_status(p->r, &now);
}

void nodeset_status(struct nodeset_pass *p)
{
    struct slinky_nodeset now = *p->cr;
    struct tally t = tally_of(&p->facts, p->plan->desired, (int64_t)p->made);

    now.status.observed_generation = p->cr->meta.generation;
    now.status.desired = some(p->plan->desired);
    now.status.replicas = some(t.pods);
    now.status.updated_replicas = some(t.updated);
    now.status.ready_replicas = some(t.ready);
    now.status.available_replicas = some(t.available);
    now.status.unavailable_replicas = some(t.unavailable);
    set_slurm_numbers(&now.status, &t);
    now.status.node_set_hash = p->facts.hash ?: "";
    now.status.collision_count = p->collisions ? some(p->collisions) : (struct maybe_int) { 0 };
    now.status.ordinal_to_node = p->pins;
    now.status.selector = slinky_selector_text(p->r->arena, "slurmd", p->r->name);
    reconcile_status(p->r, &now);
    tell_available(p, &t);
    tell_progress(p, &t);
    tell_health(p, &t);
    if (t.ready != t.available)
        again_after(p->r, p->facts.min_ready + USEC_SEC);
}
