/* nodeset_gather.c - the facts about a NodeSet: its pods, their nodes, and what Slurm says. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "k8s/node.h"
#include "kinds.h"
#include "slinky/nodeset_lot.h"
#include "slinky/nodeset_parts.h"
#include "workers/deadlines.h"

#define NEWCOMER_TIME (5 * USEC_SEC)

/* ------------------------------------------------------------------ Kubernetes nodes */

/* "(reason: message); (...)" of the conditions that are to be told, in the order of the flag. */
static const char *conditions_of(struct nodeset_pass *p, const struct k8s_node *node)
{
    scoped(buf) struct buf text = { 0 };

    for_each (type, p->slinky->node_conditions)
        for_each (condition, node->status.conditions)
            if (str_eq(condition->type, *type) && str_eq(condition->status, "True"))
                buf_fmt(&text, "%s(%s: %s)", text.len ? "; " : "", condition->reason ?: "",
                        condition->message ?: "");
    return text.len ? arena_str(p->r->arena, buf_text(&text)) : NULL;
}

static struct machine machine_of(struct nodeset_pass *p, const struct k8s_node *node)
{
    struct worker worker = front_worker_of_node(node, NULL);
    bool cordoned = node->spec.unschedulable == YES;

    return (struct machine) {
        .name = node->meta.name,
        .labels = node->meta.labels,
        .taints = &node->spec.taints,
        .cordoned = cordoned,
        .cordon_reason = pairs_get(node->meta.annotations, SLINKY_NODE_CORDON_REASON),
        .conditions = cordoned ? conditions_of(p, node) : NULL,
        .hostname = p->facts.mode == WORKERS_PER_NODE
                        ? worker_hostname(p->r->arena, &p->model, &worker)
                        : NULL,
        .topology = pairs_get(node->meta.annotations, SLINKY_TOPOLOGY) ?: "",
        .features = pairs_get(node->meta.annotations, SLINKY_FEATURES),
    };
}

/* Which nodes there are matters to workers that belong to one; of others' the node they run on. */
static bool wants_all_machines(const struct nodeset_pass *p)
{
    return p->facts.mode == WORKERS_PER_NODE || p->cr->spec.pin_to_node == YES;
}

static void gather_machines(struct nodeset_pass *p)
{
    struct objects nodes = { 0 };

    if (wants_all_machines(p))
        nodes = reconcile_list(p->r, &k8s_node_kind, NULL); /* sorted by name */
    p->facts.machines.v = arena_make_n(p->r->arena, struct machine, nodes.n + 1);
    for_each (object, nodes)
        p->facts.machines.v[p->facts.machines.n++] = machine_of(p, *object);
}

static const struct machine *machine_under(struct nodeset_pass *p, const char *name)
{
    const struct k8s_node *node;
    struct machine *machine;

    if (wants_all_machines(p) || !name)
        return machine_find(p->facts.machines, name);
    node = reconcile_get(p->r, &k8s_node_kind, NULL, name);
    if (!node)
        return NULL;
    machine = arena_make(p->r->arena, struct machine);
    *machine = machine_of(p, node);
    return machine;
}

/* ------------------------------------------------------------------ pods */

static const struct k8s_owner_reference *controller_of(const struct k8s_meta *meta)
{
    for_each (owner, meta->owner_references)
        if (owner->controller == YES)
            return owner;
    return NULL;
}

struct objects nodeset_pods(struct reconcile *r, struct objects *ret_orphans)
{
    const struct slinky_nodeset *cr = r->object;
    struct objects all =
        reconcile_find(r, &k8s_pod_kind, "metadata.labels.app.kubernetes.io/instance", r->name);
    struct objects ours = { .v = arena_make_n(r->arena, const void *, all.n + 1) };
    struct objects orphans = { .v = arena_make_n(r->arena, const void *, all.n + 1) };

    for_each (object, all) {
        const struct k8s_meta *meta = *object;
        const struct k8s_owner_reference *owner = controller_of(meta);

        if (!str_eq(meta->namespace, r->namespace))
            continue;
        if (!owner)
            orphans.v[orphans.n++] = *object;
        else if (str_eq(owner->uid, cr->meta.uid))
            ours.v[ours.n++] = *object;
    }
    if (ret_orphans)
        *ret_orphans = orphans;
    return ours;
}

/* A numbered worker is known by its name, the other kind by the prefix the server put before it. */
static bool could_be_ours(const struct nodeset_pass *p, const struct k8s_meta *meta)
{
    int64_t ordinal;

    if (!str_eq(pairs_get(meta->labels, "app.kubernetes.io/name"), "slurmd") ||
        meta->deletion_timestamp)
        return false;
    if (p->model.mode == WORKERS_NUMBERED)
        return worker_ordinal(&p->model, meta->name, &ordinal);
    return str_starts(meta->generate_name, p->r->name) &&
           str_eq(meta->generate_name + strlen(p->r->name), "-");
}

int nodeset_adopt(struct nodeset_pass *p, struct objects orphans)
{
    struct lot *lot = lot_new(p, "adopt");

    for_each (object, orphans) {
        const struct k8s_meta *meta = *object;
        struct k8s_pod patch = { .meta = { .uid = meta->uid,
                                           .resource_version = meta->resource_version } };

        if (!could_be_ours(p, meta))
            continue;
        reconcile_own(p->r, &patch.meta);
        lot_add(lot,
                (struct call) {
                    .verb = VERB_MERGE_PATCH,
                    .kind = &k8s_pod_kind,
                    .namespace = p->r->namespace,
                    .name = meta->name,
                    .body = json_text(lot->arena, table_json(lot->arena, &k8s_pod_type, &patch)) });
    }
    return lot_done(lot);
}

static const struct k8s_pod_condition *ready_of(const struct k8s_pod *pod)
{
    for_each (condition, pod->status.conditions)
        if (str_eq(condition->type, "Ready") && str_eq(condition->status, "True"))
            return condition;
    return NULL;
}

static enum worker_phase phase_of(const char *phase)
{
    static const char *const names[] = { [PHASE_PENDING] = "Pending",
                                         [PHASE_UNKNOWN] = "Unknown",
                                         [PHASE_RUNNING] = "Running",
                                         [PHASE_SUCCEEDED] = "Succeeded",
                                         [PHASE_FAILED] = "Failed" };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (str_eq(phase, names[i]))
            return (enum worker_phase)i;
    return PHASE_PENDING;
}

/* Plain digits with at most a minus in front; anything else counts as 0. */
static int32_t cost_of(const char *text)
{
    const char *digits = text && *text == '-' ? text + 1 : text;
    int64_t cost;

    if (!digits || (*digits == '0' && digits[1]) || *digits == '+' || !str_int(text, &cost) ||
        cost < INT32_MIN || cost > INT32_MAX)
        return 0;
    return (int32_t)cost;
}

/* A pod whose mounts changed since is as old as one of an older revision. */
static const char *hash_of(struct nodeset_pass *p, const struct k8s_meta *meta)
{
    const char *hash = pairs_get(meta->labels, SLINKY_REVISION)
                           ?: pairs_get(meta->labels, "controller-revision-hash");

    if (p->model.pods.roll_on_change)
        for_each (pair, p->model.pods.hashes) {
            const char *have = pairs_get(meta->annotations, pair->key);

            if (have && !str_eq(have, pair->value))
                return "";
        }
    return hash ?: "";
}

static bool uses_host_network(const struct nodeset_pass *p)
{
    return json_bool_or(json_get(p->model.pods.spec, "hostNetwork"), false);
}

static const char *host_of(const struct nodeset_pass *p, const struct k8s_pod *pod)
{
    if (p->facts.mode == WORKERS_NUMBERED && uses_host_network(p) &&
        !str_empty(pod->spec.node_name))
        return pod->spec.node_name;
    return str_empty(pod->spec.hostname) ? pod->meta.name : pod->spec.hostname;
}

/* Where a worker belongs that is not there yet: on the node whose host name it carries. */
static const char *target_of(const struct nodeset_pass *p, const struct worker_facts *w)
{
    if (!str_empty(w->node) || p->facts.mode != WORKERS_PER_NODE)
        return w->node;
    for_each (machine, p->facts.machines)
        if (str_eq(machine->hostname, w->host))
            return machine->name;
    return NULL;
}

static usec time_of(const char *text)
{
    usec when = 0;

    return text && time_parse(text, &when) ? when : 0;
}

/* Releases before the label had no other mode. */
static bool is_of_this_mode(const struct nodeset_pass *p, const struct k8s_meta *meta)
{
    return str_eq(pairs_get(meta->labels, SLINKY_SCALING_MODE) ?: "StatefulSet",
                  p->model.mode_text);
}

static struct worker_facts worker_of(struct nodeset_pass *p, const struct k8s_pod *pod)
{
    const struct k8s_meta *meta = &pod->meta;
    const struct k8s_pod_condition *ready = ready_of(pod);
    struct worker_facts w = {
        .pod = meta->name,
        .uid = meta->uid,
        .host = host_of(p, pod),
        .ordinal = -1,
        .of_this_mode = is_of_this_mode(p, meta),
        .hash = hash_of(p, meta),
        .node = pod->spec.node_name,
        .phase = phase_of(pod->status.phase),
        .deleting = meta->deletion_timestamp != 0,
        .ready = ready != NULL,
        .created = meta->creation_timestamp,
        .ready_since = ready ? ready->last_transition_time : 0,
        .deletion_cost = cost_of(pairs_get(meta->annotations, SLINKY_POD_DELETION_COST)),
        .deadline = time_of(pairs_get(meta->annotations, SLINKY_POD_DEADLINE)),
        .deadline_noted = pairs_get(meta->annotations, SLINKY_POD_DEADLINE) != NULL,
        .cordon_reason = pairs_get(meta->annotations, SLINKY_POD_CORDON_REASON),
        .protected = str_eq(pairs_get(meta->labels, SLINKY_POD_PROTECT), "true"),
        .topology = pairs_get(meta->annotations, SLINKY_TOPOLOGY),
    };

    worker_ordinal(&p->model, meta->name, &w.ordinal);
    if (str_empty(w.node))
        w.node = NULL;
    w.machine = machine_under(p, w.node);
    w.target = target_of(p, &w);
    if (worker_has_ended(&w) && !w.deleting)
        w.retry_at = nodeset_failed(p->memory, w.host, w.uid, p->facts.now);
    return w;
}

/* ------------------------------------------------------------------ Slurm */

/* A cordon is ours when we said so beside it, or when the reason of the drain does. */
static enum cordon cordon_of(const struct k8s_meta *meta, const struct worker_facts *w)
{
    const char *why = pairs_get(meta->annotations, NODESET_CORDON_WHY);
    const char *reason = w->slurm.reason;

    if (!str_eq(pairs_get(meta->annotations, SLINKY_POD_CORDON), "true"))
        return CORDON_NONE;
    if (str_eq(why, "leaving"))
        return CORDON_LEAVES;
    if (str_eq(why, "node") || (w->machine && w->machine->cordoned))
        return CORDON_NODE;
    if (reason_owner(reason) != DRAIN_BY_SLINKY)
        return CORDON_USER;
    if (strstr(reason, "is pending termination"))
        return CORDON_LEAVES;
    return str_starts(reason, SLINKY_REASON_PREFIX "Node (") ? CORDON_NODE : CORDON_USER;
}

static struct slurm_facts facts_of(const struct slurm_node *node)
{
    return (struct slurm_facts) {
        .registered = ANSWER_YES,
        .state = node->state,
        .reason = node->reason,
        .reason_time = node->reason_time,
        .comment = node->comment,
        .features = node->features,
        .active_features = node->active_features,
        .topology = node->topology,
        .reservation = node->reservation,
    };
}

static struct slurm_facts slurm_of(struct slurm_view *view, const char *host)
{
    struct slurm_node node;
    enum answer there = slurm_view_node(view, host, &node);

    return is_yes(there) ? facts_of(&node) : (struct slurm_facts) { .registered = there };
}

/* Whether the view is older than what we told Slurm about the node. */
static bool was_told(struct nodeset_pass *p, const char *host, usec as_of)
{
    const usec *told = map_get(&p->memory->told, host);

    if (!told)
        return false;
    if (*told >= as_of)
        return true;
    free(map_remove(&p->memory->told, host));
    return false;
}

static void gather_slurm(struct nodeset_pass *p)
{
    usec as_of;

    p->facts.slurm_age = p->view ? slurm_view_age(p->view, SLURM_NODES) : USEC_NEVER;
    as_of = p->facts.slurm_age == USEC_NEVER ? 0 : clock_now() - p->facts.slurm_age;
    for (size_t i = 0; i < p->facts.count; i++) {
        struct worker_facts *w = &p->facts.workers[i];

        if (p->view)
            w->slurm = slurm_of(p->view, w->host);
        w->told = was_told(p, w->host, as_of);
        w->cordon = cordon_of(&p->pods[i]->meta, w);
    }
}

static void connect_slurm(struct nodeset_pass *p)
{
    const char *key = fmt(p->r->arena, "%s/%s", p->r->namespace, p->cr->spec.controller_ref.name);

    p->slurm = slurm_registry_get(p->slinky->slurms, key);
    if (p->slurm)
        p->view = slurm_view(p->slurm);
}

/* Whether its pod became ready just now, and after Slurm was asked: what is known of its node may
 * speak of the pod before, whose stop hook has taken it down since. Times are whole seconds. */
static bool is_newcomer(const struct nodeset_pass *p, const struct worker_facts *w)
{
    usec ready_for = p->facts.now - w->ready_since;

    return w->ready && !w->told && is_yes(w->slurm.registered) && ready_for < NEWCOMER_TIME &&
           p->facts.slurm_age + USEC_SEC > ready_for;
}

/* A few are asked for one by one, so that a worker whose pod was replaced does not stay down until
 * the next refresh; of many, that tells soon enough. */
static void look_at_newcomers(struct nodeset_pass *p)
{
    struct worker_facts *newcomers[NODESET_FEW];
    size_t n = 0;

    for (size_t i = 0; p->slurm && i < p->facts.count; i++) {
        if (!is_newcomer(p, &p->facts.workers[i]))
            continue;
        if (n == NODESET_FEW)
            return;
        newcomers[n++] = &p->facts.workers[i];
    }
    for (size_t i = 0; i < n; i++) {
        struct slurm_call call = nodeset_call(p);
        struct slurm_node node;

        if (is_yes(slurm_node_get(p->slurm, &call, newcomers[i]->host, &node)))
            newcomers[i]->slurm = facts_of(&node);
    }
}

void nodeset_look_again(struct nodeset_pass *p)
{
    struct slurm_call call = nodeset_call(p);

    if (!p->slurm)
        return;
    slurm_view_unref(p->old_view);
    p->old_view = p->view; /* the plan so far borrows from it */
    p->view = slurm_view_since(p->slurm, &call, SLURM_NODES, clock_now());
    gather_slurm(p);
}

/* ------------------------------------------------------------------ all of it */

static enum strategy strategy_of(const char *type)
{
    return str_eq(type, "OnDelete")          ? STRATEGY_ON_DELETE
           : str_eq(type, "ScheduledUpdate") ? STRATEGY_SCHEDULED
                                             : STRATEGY_ROLLING;
}

static void gather_wishes(struct nodeset_pass *p)
{
    const struct slinky_nodeset_spec *spec = &p->cr->spec;
    const struct slinky_nodeset_update_strategy *update = spec->update_strategy;

    p->facts = (struct set_facts) {
        .namespace = p->r->namespace,
        .name = p->r->name,
        .uid = p->cr->meta.uid,
        .mode = p->model.mode,
        .replicas = p->model.replicas > 0 ? p->model.replicas : 0,
        .strategy = strategy_of(update ? update->type : NULL),
        .min_ready = int_or(spec->min_ready_seconds, 0) * USEC_SEC,
        .hash = p->cr->status.node_set_hash,
        .reservation = fmt(p->r->arena, "SlurmOperatorMaint-%s", p->r->name),
        .protects = spec->workload_disruption_protection != NO,
        .prunes = str_eq(spec->prune_slurm_node_records, "NodeNotFound"),
        .me = DRAIN_BY_SLINKY,
        .feature_prefix = NODESET_FEATURE_PREFIX,
        .now = clock_wall(),
    };
    if (update && update->rolling_update)
        p->facts.max_unavailable = update->rolling_update->max_unavailable;
}

void nodeset_gather(struct nodeset_pass *p, struct objects pods)
{
    struct arena *a = p->r->arena;

    gather_wishes(p);
    gather_machines(p);
    p->pods = arena_make_n(a, const struct k8s_pod *, pods.n + 1);
    p->facts.workers = arena_make_n(a, struct worker_facts, pods.n + 1);
    for_each (object, pods) {
        p->pods[p->facts.count] = *object;
        p->facts.workers[p->facts.count++] = worker_of(p, *object);
    }
    connect_slurm(p);
    gather_slurm(p);
    look_at_newcomers(p);
}

void nodeset_place(struct nodeset_pass *p)
{
    if (!wants_all_machines(p))
        return;
    p->placement = placement_of(p->r->arena, nodeset_base(p), p->facts.mode == WORKERS_PER_NODE);
    p->placement->node_name = json_str_or(json_get(p->model.pods.spec, "nodeName"), NULL);
    p->facts.placement = p->placement;
}

void nodeset_done(struct nodeset_pass *p)
{
    slurm_view_unref(p->old_view);
    slurm_view_unref(p->view);
    slurm_unref(p->slurm);
}
