/* nodeset_carry.c - carries a plan out: workers made, drained and deleted. */
#include <errno.h>
#include <string.h>

#include "base/rand.h"
#include "base/str.h"
#include "kinds.h"
#include "slinky/nodeset_lot.h"
#include "slinky/nodeset_parts.h"
#include "slurm/hostlist.h"
#include "workers/drain.h"

/* ------------------------------------------------------------------ making workers */

static void make_pod(struct nodeset_pass *p, struct lot *lot, const struct worker *worker)
{
    struct arena *a = lot->arena;
    const struct json *base = nodeset_base(p);
    struct k8s_built_pod *built = worker_pod(a, &p->model, base, worker);
    struct k8s_pod *pod = arena_make(a, struct k8s_pod);
    scoped(buf) struct buf body = { 0 };

    kind_write(&k8s_built_pod_kind, built, &body);
    pod->meta = built->meta;
    /* Written from the open spec, read back as pods are cached. */
    lot_add(lot, (struct call) { .verb = VERB_CREATE,
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
    struct lot *lot = lot_new(p, "create");
    int rc = 0, sent;

    for (size_t i = 0; i < p->plan->create.n && rc == 0; i++) {
        struct worker worker = numbered(p, p->plan->create.v[i]);

        rc = make(p, lot, &worker);
    }
    for (size_t i = 0; i < p->plan->create_on.n && rc == 0; i++) {
        struct worker worker = on_node(p, p->plan->create_on.v[i]);

        rc = make(p, lot, &worker);
    }
    sent = lot_done(lot);
    p->made = lot->done;
    return sent ?: rc;
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
        rc = make_all(p, nodeset_make_claims);
    return rc ?: make_all(p, make_one);
}

/* ------------------------------------------------------------------ draining and deleting */

static int delete_all(struct nodeset_pass *p)
{
    struct lot *lot = lot_new(p, "delete");
    int rc;

    for (size_t i = 0; i < p->facts.count; i++) {
        if (!p->plan->fates[i].delete || p->facts.workers[i].deleting)
            continue;
        lot_add(lot, (struct call) { .verb = VERB_DELETE,
                                     .kind = &k8s_pod_kind,
                                     .namespace = p->r->namespace,
                                     .name = p->facts.workers[i].pod,
                                     .uid = p->facts.workers[i].uid });
        p->facts.workers[i].deleting = true;
    }
    rc = lot_done(lot);
    if (lot->done)
        log_info(p->r->log, "workers deleted", KV_INT("count", (int64_t)lot->done));
    return rc == -ESTALE ? 0 : rc; /* another pod has that name now */
}

static int change(struct nodeset_pass *p, struct strs hosts, const struct slurm_node_change *what)
{
    struct slurm_call call = nodeset_call(p);
    struct slurm_outcome outcome;
    enum answer answer;

    if (!hosts.n || !p->slurm)
        return 0;
    nodeset_told(p, hosts);
    answer = slurm_nodes_change(p->slurm, &call, hostlist_fold(p->r->arena, hosts), what, &outcome);
    switch (answer) {
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

enum word { DRAIN, UNDRAIN, RESUME };

/* Whether the word still means what it meant when the plan was made. Slurm would let our reason
 * replace that of somebody who drained it since, or lift their drain for ours; and UNDRAIN would
 * take the reason from a node that a stop hook has taken down since. */
static bool still_means(const struct nodeset_pass *p, enum word word, const struct slurm_node *node)
{
    bool drain = is_yes(node_is_drain(node->state));
    bool down = node->state.base == NODE_DOWN;
    bool mine = reason_is_mine(p->facts.me, node->reason);

    return word == DRAIN ? !drain || mine : word == UNDRAIN ? drain && mine && !down : down && mine;
}

static size_t count_told(const struct plan *plan)
{
    size_t n = plan->undrain.n + plan->resume.n;

    for (size_t i = 0; i < plan->drain.n; i++)
        n += plan->drain.v[i].hosts.n;
    return n;
}

static enum answer look_at(struct nodeset_pass *p, const struct slurm_view *now, const char *host,
                           struct slurm_node *ret)
{
    struct slurm_call call = nodeset_call(p);

    return now ? slurm_view_node(now, host, ret) : slurm_node_get(p->slurm, &call, host, ret);
}

/* now: what Slurm says of all nodes; NULL: each is asked for. */
static struct strs still_so(struct nodeset_pass *p, const struct slurm_view *now, enum word word,
                            struct strs hosts)
{
    struct strs left = { 0 };

    for_each (host, hosts) {
        struct slurm_node node;
        enum answer there = look_at(p, now, *host, &node);

        if (is_no(there) || (is_yes(there) && still_means(p, word, &node)))
            strs_add(p->r->arena, &left, *host, hosts.n);
        else
            again_after(p->r, USEC_SEC);
    }
    return left;
}

static int tell_slurm(struct nodeset_pass *p)
{
    const struct plan *plan = p->plan;
    struct slurm_call call = nodeset_call(p);
    scoped(slurm_view) struct slurm_view *now = NULL;
    int rc = 0;

    if (!p->slurm || !count_told(plan))
        return 0;
    if (count_told(plan) > NODESET_FEW)
        now = slurm_view_since(p->slurm, &call, SLURM_NODES, clock_now());
    for (size_t i = 0; i < plan->drain.n; i++) {
        struct group *group = &plan->drain.v[i];
        int one = change(p, still_so(p, now, DRAIN, group->hosts),
                         &(struct slurm_node_change) { .state = "DRAIN", .reason = group->text });

        rc = rc ?: one;
    }
    rc = rc
             ?: change(p, still_so(p, now, UNDRAIN, plan->undrain),
                       &(struct slurm_node_change) { .state = "UNDRAIN", .reason = "" });
    return rc
               ?: change(p, still_so(p, now, RESUME, plan->resume),
                         &(struct slurm_node_change) { .state = "RESUME" });
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
