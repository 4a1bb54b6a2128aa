/* nodeset_tell.c - what Slurm is told about the nodes of workers: whose they are, what their
 * Kubernetes nodes say about them, and which of them to forget.
 *
 * A mistake in what one Kubernetes node says concerns its worker alone, and never an update.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "kinds.h"
#include "slinky/nodeset_parts.h"
#include "slurm/hostlist.h"
#include "workers/traits.h"

#define TELL_TIME (300 * USEC_MSEC)   /* of one pass; the rest is told in the next one */
#define LAG_MOST (10 * 60 * USEC_SEC) /* how long a comment may name a worker's former node */
#define MOTION (5 * USEC_SEC)         /* a worker that is younger has just come */
#define TRAITS_MOST (30 * USEC_SEC)   /* how long corrections are gathered */
enum { PRUNES_MAX = 16 };             /* records that one pass deletes */

/* ------------------------------------------------------------------ comments */

struct owner_comment {
    const char *namespace, *pod, *node, *set, *uid;
};

static const struct field comment_fields[] = {
    FIELD(owner_comment, namespace, STR, "namespace"),
    FIELD(owner_comment, pod, STR, "podName"),
    FIELD(owner_comment, node, STR, "node"),
    FIELD(owner_comment, set, STR, "nodeSetName"),
    FIELD(owner_comment, uid, STR, "nodeSetUID"),
    { 0 },
};
static const struct type comment_type = TYPE(owner_comment, comment_fields);

static bool read_comment(struct arena *a, const char *text, struct owner_comment *ret)
{
    *ret = (struct owner_comment) { 0 };
    return !str_empty(text) && *text == '{' &&
           table_read(a, &comment_type, text, strlen(text), ret, NULL) == 0;
}

static const char *comment_text(struct nodeset_pass *p, const struct worker_facts *w)
{
    struct owner_comment comment = { p->r->namespace, w->pod, w->node, p->r->name,
                                     p->cr->meta.uid };
    scoped(buf) struct buf text = { 0 };

    table_write(&comment_type, &comment, &text);
    return arena_str(p->r->arena, buf_text(&text));
}

enum lag { LAG_NONE, LAG_NODE, LAG_OWNER };

/* Whose a node is has to be right; where its worker runs may lag behind for a while, because with a
 * call for each worker an update would keep Slurm busy with little else. */
static enum lag lag_of(struct nodeset_pass *p, const struct worker_facts *w)
{
    struct owner_comment have;

    if (!read_comment(p->r->arena, w->slurm.comment, &have) ||
        !str_eq(have.namespace, p->r->namespace) || !str_eq(have.pod, w->pod) ||
        !str_eq(have.set, p->r->name) || !str_eq(have.uid, p->cr->meta.uid))
        return LAG_OWNER;
    if (str_eq(have.node, w->node))
        return LAG_NONE;
    return p->facts.mode == WORKERS_PER_NODE ? LAG_OWNER : LAG_NODE;
}

/* A worker that became ready after Slurm was last asked has registered since. */
static bool has_registered(const struct nodeset_pass *p, const struct worker_facts *w)
{
    if (is_no(w->slurm.registered))
        return w->ready_since + USEC_SEC > p->facts.now - p->facts.slurm_age;
    return is_yes(w->slurm.registered);
}

static bool wants_comment(struct nodeset_pass *p, const struct worker_facts *w, bool all,
                          bool *ret_lags)
{
    enum lag lag;

    if (w->deleting || w->told || !worker_is_healthy(w) || !w->node || !has_registered(p, w))
        return false;
    lag = is_yes(w->slurm.registered) ? lag_of(p, w) : LAG_OWNER;
    *ret_lags |= lag == LAG_NODE;
    return lag == LAG_OWNER || (all && lag == LAG_NODE);
}

/* What Slurm refuses is told by an event, and stands in nobody's way. */
static void complain(struct nodeset_pass *p, const char *what, const char *text, const char *hosts,
                     const struct slurm_call *call)
{
    if (call->fault.code != -ENOENT && call->fault.code != -EOPNOTSUPP)
        reconcile_event(p->r, true, "SyncFailed", "Sync", "%s '%s' of Slurm nodes %s: %s", what,
                        text, hosts, call->fault.text);
}

/* Whose the node is, and its place in the topology in the same breath. */
static int tell_comment(struct nodeset_pass *p, const struct worker_facts *w)
{
    struct slurm_call call = nodeset_call(p);
    struct slurm_node_change change = { .comment = comment_text(p, w) };
    const char *topology = w->machine ? w->machine->topology : "";
    enum answer answer;

    if (!str_empty(topology) && !str_eq(topology, w->slurm.topology))
        change.topology = topology;
    nodeset_told(p, (struct strs) { .v = (const char **)&w->host, .n = 1 });
    answer = slurm_node_change(p->slurm, &call, w->host, &change);
    if (answer == ANSWER_NO && change.topology && call.fault.code != -ENOENT) {
        complain(p, "topology", topology, w->host, &call);
        change.topology = NULL;
        answer = slurm_node_change(p->slurm, &call, w->host, &change);
    }
    return answer == ANSWER_UNKNOWN ? slurm_fail(&call, &p->r->err) : 0;
}

/* Since when some comment is out of date, and when to look again for that. */
static void note_lag(struct nodeset_pass *p, bool lags, bool told, usec now)
{
    usec *since = &p->memory->stale_since;

    if (!lags || told)
        *since = 0;
    else if (!*since)
        *since = now;
    if (*since)
        again_after(p->r, *since + LAG_MOST + USEC_SEC - now);
}

static int tell_comments(struct nodeset_pass *p)
{
    usec now = clock_now(), until = now + TELL_TIME;
    bool all = p->memory->stale_since && now - p->memory->stale_since > LAG_MOST;
    bool lags = false;
    int rc = 0;

    for (size_t i = 0; i < p->facts.count && rc == 0; i++) {
        if (!wants_comment(p, &p->facts.workers[i], all, &lags))
            continue;
        if (clock_now() > until) {
            again_after(p->r, USEC_MSEC);
            return 0;
        }
        rc = tell_comment(p, &p->facts.workers[i]);
    }
    note_lag(p, lags, all, now);
    return rc;
}

/* ------------------------------------------------------------------ features and topology */

static void tell_group(struct nodeset_pass *p, const char *what, const struct group *group,
                       const struct slurm_node_change *change)
{
    struct slurm_call call = nodeset_call(p);
    const char *hosts = hostlist_fold(p->r->arena, group->hosts);

    nodeset_told(p, group->hosts);
    if (slurm_nodes_change(p->slurm, &call, hosts, change, NULL) == ANSWER_NO)
        complain(p, what, group->text, hosts, &call);
}

static bool is_in_motion(const struct nodeset_pass *p)
{
    for (size_t i = 0; i < p->facts.count; i++)
        if (p->facts.workers[i].created + MOTION > p->facts.now || p->facts.workers[i].deleting)
            return true;
    return p->made;
}

/* While workers come and go, corrections are gathered for a while: many of them say the same. */
static bool is_too_early(struct nodeset_pass *p, bool wanted)
{
    usec now = clock_now();

    if (!wanted) {
        p->memory->traits_since = 0;
        return true;
    }
    if (!p->memory->traits_since)
        p->memory->traits_since = now;
    if (!is_in_motion(p) || now - p->memory->traits_since > TRAITS_MOST) {
        p->memory->traits_since = 0;
        return false;
    }
    again_after(p->r, MOTION);
    return true;
}

static void tell_traits(struct nodeset_pass *p)
{
    struct groups features = features_plan(p->r->arena, &p->facts);
    struct groups topology = topology_plan(p->r->arena, &p->facts);

    if (is_too_early(p, features.n || topology.n))
        return;
    for (size_t i = 0; i < features.n; i++)
        tell_group(p, "features", &features.v[i],
                   &(struct slurm_node_change) { .features = features.v[i].text,
                                                 .active_features = features.v[i].more });
    for (size_t i = 0; i < topology.n; i++)
        tell_group(p, "topology", &topology.v[i],
                   &(struct slurm_node_change) { .topology = topology.v[i].text });
}

int nodeset_tell(struct nodeset_pass *p)
{
    int rc;

    if (!p->slurm || p->facts.slurm_age == USEC_NEVER)
        return 0;
    rc = tell_comments(p);
    tell_traits(p);
    return rc;
}

/* ------------------------------------------------------------------ pruning */

static bool has_worker(const struct nodeset_pass *p, const char *pod)
{
    for (size_t i = 0; i < p->facts.count; i++)
        if (str_eq(p->facts.workers[i].pod, pod))
            return true;
    return false;
}

/* Slurm lost it, it was this very set's, and neither its pod nor its Kubernetes node is there. */
static bool is_defunct(struct nodeset_pass *p, const struct slurm_node *node)
{
    struct owner_comment owner;
    const struct machine *machine;

    if (!is_yes(node_is_gone(node->state)) || !read_comment(p->r->arena, node->comment, &owner) ||
        str_empty(owner.node) || !str_eq(owner.namespace, p->r->namespace) ||
        !str_eq(owner.set, p->r->name) || !str_eq(owner.uid, p->cr->meta.uid) ||
        has_worker(p, owner.pod))
        return false;
    machine = machine_find(p->facts.machines, owner.node);
    return !machine || !str_eq(machine->hostname, node->name);
}

int nodeset_prune(struct nodeset_pass *p)
{
    struct slurm_node node;
    size_t n = 0;
    int pruned = 0;

    if (!p->facts.prunes || p->facts.mode != WORKERS_PER_NODE || !p->view ||
        !is_yes(slurm_view_nodes(p->view, &n)))
        return 0;
    for (size_t i = 0; i < n && pruned < PRUNES_MAX; i++) {
        struct slurm_call call = nodeset_call(p);

        slurm_view_node_at(p->view, i, &node);
        if (!is_defunct(p, &node))
            continue;
        if (slurm_node_delete(p->slurm, &call, node.name) != ANSWER_YES)
            return slurm_fail(&call, &p->r->err);
        pruned++;
        reconcile_event(p->r, false, "DefunctSlurmNodePruned", "Delete",
                        "Deleted the record of Slurm node %s: its Kubernetes node is gone",
                        node.name);
    }
    return 0;
}
