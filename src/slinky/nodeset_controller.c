/* nodeset_controller.c - NodeSet: workers that we make, number, drain, update and count ourselves.
 */
#include <errno.h>

#include "base/str.h"
#include "k8s/controllerrevision.h"
#include "k8s/node.h"
#include "k8s/pdb.h"
#include "k8s/pvc.h"
#include "kinds.h"
#include "slinky/nodeset_parts.h"
#include "workers/pins.h"

#define PAUSE (100 * USEC_MSEC)            /* between passes that only count */
#define LOOK_EVERY (5 * 60 * USEC_SEC)     /* in case somebody forgot to wake us */
#define SLURM_TIME (20 * USEC_SEC)         /* for one answer of Slurm */
#define FAREWELL_TIME (10 * 60 * USEC_SEC) /* for the jobs of a NodeSet that is deleted */

/* ------------------------------------------------------------------ for the rooms */

const struct json *nodeset_base(struct nodeset_pass *p)
{
    if (!p->base)
        p->base = workers_pod_spec(p->r->arena, &p->model);
    return p->base;
}

struct slurm_call nodeset_call(struct nodeset_pass *p)
{
    usec most = clock_now() + SLURM_TIME;

    return (struct slurm_call) { .arena = p->r->arena,
                                 .deadline = most < p->r->deadline ? most : p->r->deadline };
}

void nodeset_note(struct nodeset_pass *p, const char *room, int rc)
{
    if (rc == 0)
        return;
    wrap(&p->r->err, "%s", room);
    if (p->rc == 0) {
        p->rc = rc;
        p->first = p->r->err;
    } else {
        log_info(p->r->log, "another step failed", KV("error", error_text(&p->r->err)));
    }
    error_clear(&p->r->err);
}

/* ------------------------------------------------------------------ the pass */

static int translate(struct nodeset_pass *p, bool *ret_stop)
{
    struct slinky_world world = world_of(p->r);

    return translated(p->r, front_nodeset(p->r->arena, &world, p->cr, &p->model, &p->r->err),
                      ret_stop);
}

static void tell_events(struct nodeset_pass *p)
{
    for (size_t i = 0; i < p->plan->events.n; i++) {
        const struct plan_event *event = &p->plan->events.v[i];

        reconcile_event(p->r, event->warning, event->reason, event->action, "%s", event->note);
    }
    if (p->plan->again != USEC_NEVER)
        again_after(p->r, p->plan->again);
}

static void pin(struct nodeset_pass *p)
{
    if (p->cr->spec.pin_to_node == YES && p->facts.mode == WORKERS_NUMBERED)
        p->pins = pins_of(p->r->arena, &p->facts, p->placement, p->cr->status.ordinal_to_node);
}

/* Each room does what it can; what one could not do is tried again later. */
static int carry_out(struct nodeset_pass *p)
{
    nodeset_note(p, "shared objects", nodeset_shared(p));
    nodeset_note(p, "pods", nodeset_create(p));
    nodeset_note(p, "claims", nodeset_claims(p));
    nodeset_note(p, "drain", nodeset_drain(p));
    nodeset_note(p, "pods", nodeset_write(p));
    nodeset_note(p, "reservation", nodeset_reserve(p));
    nodeset_note(p, "records", nodeset_prune(p));
    nodeset_note(p, "Slurm nodes", nodeset_tell(p));
    nodeset_note(p, "revisions", nodeset_truncate(p));
    p->r->err = p->first;
    return p->rc;
}

static int run(struct nodeset_pass *p, struct objects pods, struct objects orphans)
{
    bool stop;
    int rc = translate(p, &stop);

    if (stop) {
        nodeset_status_waiting(p);
        return rc;
    }
    if (orphans.n) {
        rc = nodeset_adopt(p, orphans);
        if (rc < 0)
            return rc;
        pods = nodeset_pods(p->r, NULL);
    }
    nodeset_gather(p, pods);
    nodeset_place(p);
    rc = nodeset_revision(p);
    if (rc < 0)
        return rc;
    pin(p);
    p->plan = plan_make(p->r->arena, &p->facts);
    tell_events(p);
    rc = carry_out(p);
    nodeset_status(p);
    again_after(p->r, LOOK_EVERY);
    return rc;
}

static size_t count_going(struct objects pods)
{
    size_t n = 0;

    for_each (object, pods)
        n += ((const struct k8s_meta *)*object)->deletion_timestamp != 0;
    return n;
}

/* A thousand pods that become ready one after another are counted ten times a second, not a
 * thousand times, and a pod that begins to end may be gone in a moment; one that is missing is seen
 * at once. */
static bool is_too_early(struct nodeset_memory *memory, const struct slinky_nodeset *cr,
                         struct objects pods, usec *ret_wait)
{
    usec now = clock_now();
    size_t going = count_going(pods);

    if (going > memory->going)
        memory->going_since = now;
    memory->going = going;
    if (!memory->last_pass || pods.n != memory->pods ||
        int_or(cr->meta.generation, 0) != memory->generation)
        return false;
    *ret_wait = memory->last_pass + PAUSE - now;
    if (going && memory->going_since + PAUSE - now > *ret_wait)
        *ret_wait = memory->going_since + PAUSE - now;
    return *ret_wait > 0;
}

static struct nodeset_pass pass_of(struct reconcile *r)
{
    const struct slinky_nodeset *cr = r->object;
    struct slinky *slinky = r->context;

    return (struct nodeset_pass) {
        .r = r,
        .slinky = slinky,
        .cr = cr,
        .memory = nodeset_remember(slinky, r->namespace, r->name, cr->spec.controller_ref.name),
    };
}

static int reconcile(struct reconcile *r)
{
    struct nodeset_pass p = pass_of(r);
    struct objects orphans;
    struct objects pods = nodeset_pods(r, &orphans);
    usec wait;
    int rc;

    if (is_too_early(p.memory, p.cr, pods, &wait))
        return postpone(r, wait);
    rc = run(&p, pods, orphans);
    p.memory->last_pass = clock_now();
    p.memory->pods = p.facts.count + p.made;
    p.memory->generation = rc == 0 ? int_or(p.cr->meta.generation, 0) : -1;
    nodeset_done(&p);
    return rc;
}

/* ------------------------------------------------------------------ the end */

static usec farewell_time(const struct slinky_nodeset *cr)
{
    usec span;
    const char *text = pairs_get(cr->meta.annotations, NODESET_DRAIN_TIMEOUT);

    return text && duration_parse(text, &span) && span >= 0 ? span : FAREWELL_TIME;
}

static int say_goodbye(struct nodeset_pass *p, struct objects pods)
{
    usec bound = p->cr->meta.deletion_timestamp + farewell_time(p->cr);
    int rc;

    nodeset_gather(p, pods);
    if (pods.n && p->facts.now < bound) {
        p->plan = plan_farewell(p->r->arena, &p->facts);
        tell_events(p);
        rc = nodeset_drain(p);
        again_after(p->r, USEC_SEC);
        return rc;
    }
    rc = nodeset_unreserve(p);
    return p->facts.now < bound ? rc : 0; /* a Slurm that is away does not hold it for ever */
}

static int finalize(struct reconcile *r)
{
    struct nodeset_pass p = pass_of(r);
    struct objects pods = nodeset_pods(r, NULL);
    struct slinky_world world = world_of(r);
    int rc = front_nodeset(r->arena, &world, p.cr, &p.model, &r->err);

    if (rc == -EAGAIN)
        return rc;
    /* A spec that is wrong, or a Secret that went before, is no reason to let jobs die: what draining
     * needs is known all the same. Only without a cluster are there no jobs to wait for. */
    error_clear(&r->err);
    rc = GET(r, slinky_controller, p.cr->spec.controller_ref.name) ? say_goodbye(&p, pods) : 0;
    nodeset_done(&p);
    return rc;
}

static int gone(struct reconcile *r)
{
    nodeset_forget(r->context, r->namespace, r->name);
    return 0;
}

/* ------------------------------------------------------------------ who is woken */

static bool same_pairs(struct pairs x, struct pairs y)
{
    if (x.n != y.n)
        return false;
    for (size_t i = 0; i < x.n; i++)
        if (!str_eq(x.v[i].key, y.v[i].key) || !str_eq(x.v[i].value, y.v[i].value))
            return false;
    return true;
}

static bool same_taints(const struct k8s_taint_list *x, const struct k8s_taint_list *y)
{
    if (x->n != y->n)
        return false;
    for (size_t i = 0; i < x->n; i++)
        if (!str_eq(x->v[i].key, y->v[i].key) || !str_eq(x->v[i].value, y->v[i].value) ||
            !str_eq(x->v[i].effect, y->v[i].effect))
            return false;
    return true;
}

static bool same_annotation(const struct k8s_node *x, const struct k8s_node *y, const char *key)
{
    return str_eq(pairs_get(x->meta.annotations, key), pairs_get(y->meta.annotations, key));
}

static const struct k8s_pod_condition *condition_of(const struct k8s_node *node, const char *type)
{
    for_each (condition, node->status.conditions)
        if (str_eq(condition->type, type))
            return condition;
    return NULL;
}

static bool same_conditions(const struct slinky *slinky, const struct k8s_node *x,
                            const struct k8s_node *y)
{
    for_each (type, slinky->node_conditions) {
        const struct k8s_pod_condition *one = condition_of(x, *type),
                                       *other = condition_of(y, *type);

        if (!one != !other ||
            (one && (!str_eq(one->status, other->status) || !str_eq(one->reason, other->reason) ||
                     !str_eq(one->message, other->message))))
            return false;
    }
    return true;
}

/* Heartbeats change nothing that we look at. */
static void on_node(struct mapping *m, void *context, const void *old, const void *now)
{
    static const char *const keys[] = { SLINKY_NODE_CORDON_REASON, SLINKY_HOSTNAME_OVERRIDE,
                                        SLINKY_TOPOLOGY, SLINKY_FEATURES };
    const struct k8s_node *x = old, *y = now;
    bool same = x && y && x->spec.unschedulable == y->spec.unschedulable &&
                same_pairs(x->meta.labels, y->meta.labels) &&
                same_taints(&x->spec.taints, &y->spec.taints) && same_conditions(context, x, y);

    for (size_t i = 0; same && i < ARRAY_SIZE(keys); i++)
        same = same_annotation(x, y, keys[i]);
    if (!same)
        mapping_add_all(m, NULL);
}

const struct controller nodeset_controller = {
    .name = "nodeset-controller",
    .reconciles = &slinky_nodeset_kind,
    .owns = KINDS(&k8s_pod_kind, &k8s_controllerrevision_kind, &k8s_configmap_kind),
    .watches = WATCHES({ &slinky_controller_kind, .by = "spec.controllerRef.name" },
                       { &k8s_node_kind, .map = on_node }),
    .reads = KINDS(&slinky_accounting_kind, &k8s_pvc_kind),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind, &k8s_service_kind, &k8s_pdb_kind,
                     &k8s_controllerrevision_kind),
    .writes = KINDS(&k8s_service_kind, &k8s_pdb_kind, &k8s_pvc_kind),
    .tells = KINDS(&k8s_pod_kind),
    .indexes = INDEXES({ &k8s_pod_kind, "metadata.labels.app.kubernetes.io/instance" }),
    .reconcile = reconcile,
    .finalizer = "windlass.dev/drain",
    .finalize = finalize,
    .gone = gone,
};
