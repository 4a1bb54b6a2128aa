/* nodeset_carry.c - carries a plan out: workers made, drained and deleted, and their claims. */
#include <errno.h>
#include <string.h>

#include "base/rand.h"
#include "base/str.h"
#include "k8s/pvc.h"
#include "kinds.h"
#include "slinky/nodeset_parts.h"
#include "slurm/hostlist.h"
#include "workers/claims.h"
#include "workers/drain.h"

enum { LOT = 128 }; /* calls that are written down at once; the client sends 32 of them at a time */

/* ------------------------------------------------------------------ many calls */

struct lot {
    struct nodeset_pass *p;
    const char *verb; /* for the story: "create", "delete" */
    struct call calls[LOT];
    size_t n;
    size_t done;
    int rc;
};

/* What a namespace that is being deleted refuses is nobody's mistake. */
static bool is_fine(const struct lot *lot, const struct call *call, const struct outcome *outcome)
{
    return outcome->code == 0 || (call->verb == VERB_DELETE && outcome->code == -ENOENT) ||
           (call->verb == VERB_CREATE && outcome->code == -EEXIST) ||
           (call->verb != VERB_CREATE && outcome->code == -ENOENT) ||
           (call->verb == VERB_CREATE && lot->p->cr->meta.deletion_timestamp);
}

static void send(struct lot *lot)
{
    struct outcome *outcomes = arena_make_n(lot->p->r->arena, struct outcome, LOT);

    if (!lot->n)
        return;
    reconcile_batch(lot->p->r, lot->calls, lot->n, outcomes);
    for (size_t i = 0; i < lot->n; i++) {
        if (is_fine(lot, &lot->calls[i], &outcomes[i])) {
            lot->done += outcomes[i].code == 0;
            continue;
        }
        if (lot->rc == 0) {
            const struct k8s_meta *meta = lot->calls[i].object;

            lot->rc = outcomes[i].code;
            lot->p->r->err = outcomes[i].err;
            wrap(&lot->p->r->err, "%s %s %s", lot->verb, lot->calls[i].kind->kind,
                 lot->calls[i].name
                     ?: meta ? meta->name
                             : "");
        }
    }
    lot->n = 0;
}

static void add(struct lot *lot, struct call call)
{
    lot->calls[lot->n++] = call;
    if (lot->n == LOT)
        send(lot);
}

/* ------------------------------------------------------------------ making workers */

static struct k8s_owner_reference set_owner(struct nodeset_pass *p)
{
    struct k8s_owner_reference owner = p->model.home.owner;

    owner.controller = YES;
    owner.block_owner_deletion = YES;
    return owner;
}

static struct claim_policy policy_of(const struct nodeset_pass *p)
{
    const struct slinky_nodeset_persistent_volume_claim_retention_policy *policy =
        p->cr->spec.persistent_volume_claim_retention_policy;

    return (struct claim_policy) {
        .delete_with_set = policy && str_eq(policy->when_deleted, "Delete"),
        .delete_when_scaled = policy && str_eq(policy->when_scaled, "Delete"),
    };
}

/* Claims first: a pod whose claim is missing waits for it. */
static int make_claims(struct nodeset_pass *p, struct lot *lot, const struct worker *worker)
{
    struct worker_claims claims = worker_claims(p->r->arena, &p->model, worker);

    for_each (claim, claims) {
        const struct k8s_pvc *live = GET(p->r, k8s_pvc, claim->meta.name);

        if (live && live->meta.deletion_timestamp)
            return fail(&p->r->err, -EAGAIN, "claim %s is being deleted: wait until it is gone",
                        claim->meta.name);
        if (live)
            continue;
        if (policy_of(p).delete_with_set) {
            claim->meta.owner_references.v = arena_make(p->r->arena, struct k8s_owner_reference);
            claim->meta.owner_references.v[0] = set_owner(p);
            claim->meta.owner_references.n = 1;
        }
        add(lot, (struct call) { .verb = VERB_CREATE, .kind = &k8s_pvc_kind, .object = claim });
    }
    return 0;
}

static void make_pod(struct nodeset_pass *p, struct lot *lot, const struct worker *worker)
{
    struct arena *a = p->r->arena;
    struct k8s_built_pod *built = worker_pod(a, &p->model, nodeset_base(p), worker);
    struct k8s_pod *pod = arena_make(a, struct k8s_pod);
    scoped(buf) struct buf body = { 0 };

    kind_write(&k8s_built_pod_kind, built, &body);
    pod->meta = built->meta;
    /* Written from the open spec, read back as pods are cached. */
    add(lot, (struct call) { .verb = VERB_CREATE,
                             .kind = &k8s_pod_kind,
                             .namespace = p->r->namespace,
                             .object = pod,
                             .body = arena_strn(a, body.bytes, body.len) });
}

static struct worker numbered(struct nodeset_pass *p, int64_t ordinal)
{
    const char *key = fmt(p->r->arena, "%lld", (long long)ordinal);

    return (struct worker) { .ordinal = ordinal,
                             .hash = p->facts.hash,
                             .node = pairs_get(p->pins, key) };
}

static struct worker on_node(struct nodeset_pass *p, const char *name)
{
    const struct k8s_node *node = reconcile_get(p->r, &k8s_node_kind, NULL, name);
    struct worker worker = front_worker_of_node(node, p->facts.hash);
    char suffix[6];

    rand_name(suffix, sizeof suffix - 1);
    worker.name = fmt(p->r->arena, "%.57s-%s", p->r->name, suffix);
    return worker;
}

static int make_all(struct nodeset_pass *p,
                    int (*make)(struct nodeset_pass *, struct lot *, const struct worker *))
{
    struct lot *lot = arena_make(p->r->arena, struct lot);
    int rc = 0;

    lot->p = p;
    lot->verb = "create";
    for (size_t i = 0; i < p->plan->create.n && rc == 0; i++) {
        struct worker worker = numbered(p, p->plan->create.v[i]);

        rc = make(p, lot, &worker);
    }
    for (size_t i = 0; i < p->plan->create_on.n && rc == 0; i++) {
        struct worker worker = on_node(p, p->plan->create_on.v[i]);

        rc = make(p, lot, &worker);
    }
    send(lot);
    return lot->rc ?: rc;
}

static int make_one(struct nodeset_pass *p, struct lot *lot, const struct worker *worker)
{
    make_pod(p, lot, worker);
    return 0;
}

int nodeset_create(struct nodeset_pass *p)
{
    int rc = 0;

    if (!p->plan->create.n && !p->plan->create_on.n)
        return 0;
    if (p->model.claims.n)
        rc = make_all(p, make_claims);
    return rc ?: make_all(p, make_one);
}

/* ------------------------------------------------------------------ draining and deleting */

static int delete_all(struct nodeset_pass *p)
{
    struct lot *lot = arena_make(p->r->arena, struct lot);

    lot->p = p;
    lot->verb = "delete";
    for (size_t i = 0; i < p->facts.count; i++) {
        if (!p->plan->fates[i].delete || p->facts.workers[i].deleting)
            continue;
        add(lot, (struct call) { .verb = VERB_DELETE,
                                 .kind = &k8s_pod_kind,
                                 .namespace = p->r->namespace,
                                 .name = p->facts.workers[i].pod,
                                 .uid = p->facts.workers[i].uid });
        p->facts.workers[i].deleting = true;
    }
    send(lot);
    if (lot->done)
        log_info(p->r->log, "workers deleted", KV_INT("count", (int64_t)lot->done));
    return lot->rc == -ESTALE ? 0 : lot->rc; /* another pod has that name now */
}

static int change(struct nodeset_pass *p, struct strs hosts, const struct slurm_node_change *what)
{
    struct slurm_call call = nodeset_call(p);
    struct slurm_outcome outcome;

    if (!hosts.n || !p->slurm)
        return 0;
    switch (
        slurm_nodes_change(p->slurm, &call, hostlist_fold(p->r->arena, hosts), what, &outcome)) {
    case ANSWER_YES:
        break;
    case ANSWER_NO:
        if (!outcome.refused.n)
            break; /* missing ones have nothing to be drained */
        return slurm_fail(&call, &p->r->err);
    default:
        return slurm_fail(&call, &p->r->err);
    }
    log_info(p->r->log, "Slurm nodes changed", KV("state", what->state),
             KV_INT("count", (int64_t)outcome.done.n), KV("reason", what->reason));
    return 0;
}

static int tell_slurm(struct nodeset_pass *p)
{
    int rc = 0;

    for (size_t i = 0; i < p->plan->drain.n; i++) {
        struct group *group = &p->plan->drain.v[i];
        int one = change(p, group->hosts,
                         &(struct slurm_node_change) { .state = "DRAIN", .reason = group->text });

        rc = rc ?: one;
    }
    rc = rc
             ?: change(p, p->plan->undrain,
                       &(struct slurm_node_change) { .state = "UNDRAIN", .reason = "" });
    return rc ?: change(p, p->plan->resume, &(struct slurm_node_change) { .state = "RESUME" });
}

/* Those that Slurm says are drained by now go at once. */
static void look_again(struct nodeset_pass *p)
{
    nodeset_look_again(p);
    for (size_t i = 0; i < p->facts.count; i++) {
        struct fate *fate = &p->plan->fates[i];
        const struct worker_facts *w = &p->facts.workers[i];

        if (fate->leaving != STAYS && !w->deleting && !fate->delete &&fate->leaving != LEAVES_ENDED)
            fate->delete = is_yes(worker_may_go(w, p->facts.slurm_age));
    }
}

int nodeset_drain(struct nodeset_pass *p)
{
    bool wants_news = drain_wants_news(p->plan, &p->facts);
    int rc = delete_all(p);
    int told = tell_slurm(p);

    rc = rc ?: told;
    if (!wants_news || told < 0)
        return rc;
    look_again(p);
    return rc ?: delete_all(p);
}

/* ------------------------------------------------------------------ claims */

static bool has_owner(const struct k8s_pvc *claim, const char *uid)
{
    for_each (owner, claim->meta.owner_references)
        if (str_eq(owner->uid, uid))
            return true;
    return false;
}

static bool is_somebody_elses(const struct nodeset_pass *p, const struct k8s_pvc *claim,
                              const char *pod_uid)
{
    for_each (owner, claim->meta.owner_references)
        if (owner->controller == YES && !str_eq(owner->uid, p->cr->meta.uid) &&
            !str_eq(owner->uid, pod_uid))
            return true;
    return false;
}

static const char *owner_body(struct nodeset_pass *p, const struct k8s_pvc *claim,
                              const struct worker_facts *w, enum claim_owner owner)
{
    struct arena *a = p->r->arena;
    struct k8s_pvc patch = { .meta = { .resource_version = claim->meta.resource_version } };
    struct k8s_owner_reference reference = set_owner(p);

    if (owner == CLAIM_PODS)
        reference = (struct k8s_owner_reference) { .api_version = "v1",
                                                   .kind = "Pod",
                                                   .name = w->pod,
                                                   .uid = w->uid,
                                                   .controller = YES,
                                                   .block_owner_deletion = YES };
    patch.meta.owner_references.v = &reference;
    patch.meta.owner_references.n = owner != CLAIM_NOBODYS;
    return json_text(a, table_json(a, &k8s_pvc_type, &patch));
}

static void own_claims(struct nodeset_pass *p, struct lot *lot, size_t i)
{
    const struct worker_facts *w = &p->facts.workers[i];
    enum claim_owner owner = claim_owner_of(policy_of(p), p->plan->fates[i].leaving);

    for_each (volume, p->pods[i]->spec.volumes) {
        const struct k8s_pvc *claim =
            volume->persistent_volume_claim
                ? GET(p->r, k8s_pvc, volume->persistent_volume_claim->claim_name)
                : NULL;

        if (!claim || claim->meta.deletion_timestamp || is_somebody_elses(p, claim, w->uid) ||
            (has_owner(claim, w->uid) == (owner == CLAIM_PODS) &&
             has_owner(claim, p->cr->meta.uid) == (owner == CLAIM_SETS)))
            continue;
        add(lot, (struct call) { .verb = VERB_MERGE_PATCH,
                                 .kind = &k8s_pvc_kind,
                                 .namespace = p->r->namespace,
                                 .name = claim->meta.name,
                                 .body = owner_body(p, claim, w, owner) });
    }
}

int nodeset_claims(struct nodeset_pass *p)
{
    struct lot *lot;

    if (!p->model.claims.n)
        return 0;
    lot = arena_make(p->r->arena, struct lot);
    lot->p = p;
    lot->verb = "own";
    for (size_t i = 0; i < p->facts.count; i++)
        if (!p->facts.workers[i].deleting)
            own_claims(p, lot, i);
    send(lot);
    return lot->rc;
}
