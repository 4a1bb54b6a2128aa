/* nodeset_write.c - what is written on pods: cordons, deadlines, protection, the state in Slurm.
 *
 * One patch of metadata and one of the status at most, and none where a pod says so already. Pods
 * that are on their way out are not worth a word.
 */
#include <errno.h>

#include "base/str.h"
#include "kinds.h"
#include "slinky/nodeset_parts.h"
#include "workers/deadlines.h"

enum { LOT = 128 };

const struct podstate_words nodeset_podstate = { .prefix = "SlurmNodeState",
                                                 .drained = "SlurmNodeDrained",
                                                 .busy = "SlurmNodeBusy" };

/* ------------------------------------------------------------------ metadata */

/* The members of labels or annotations that change; NULL takes a key away. */
static void set(struct arena *a, struct json **changes, struct pairs have, const char *key,
                const char *want)
{
    if (str_eq(pairs_get(have, key), want))
        return;
    if (!*changes)
        *changes = json_object(a);
    json_set(a, *changes, key, want ? json_str(a, want) : json_null(a));
}

static void set_cordon(struct nodeset_pass *p, struct json **changes, size_t i)
{
    static const char *const why[] = { [CORDON_NODE] = "node", [CORDON_LEAVES] = "leaving" };
    struct pairs have = p->pods[i]->meta.annotations;
    enum cordon want = p->plan->fates[i].cordon;

    if (want == p->facts.workers[i].cordon &&
        (want == CORDON_NONE || want == CORDON_USER || pairs_get(have, NODESET_CORDON_WHY)))
        return; /* other values of the annotation than "true" are a user's business */
    set(p->r->arena, changes, have, SLINKY_POD_CORDON, want == CORDON_NONE ? NULL : "true");
    set(p->r->arena, changes, have, NODESET_CORDON_WHY, why[want]);
}

static void set_deadline(struct nodeset_pass *p, struct json **changes,
                         const struct deadlines *deadlines, size_t i)
{
    const struct worker_facts *w = &p->facts.workers[i];
    usec end = deadlines ? deadlines_of(deadlines, w->host) : 0;

    if (!deadlines || (end / USEC_SEC == w->deadline / USEC_SEC && (end || !w->deadline_noted)))
        return;
    set(p->r->arena, changes, p->pods[i]->meta.annotations, SLINKY_POD_DEADLINE,
        end ? time_text(p->r->arena, end, false) : NULL);
}

static const char *metadata_patch(struct nodeset_pass *p, const struct deadlines *deadlines,
                                  size_t i)
{
    struct arena *a = p->r->arena;
    const struct worker_facts *w = &p->facts.workers[i];
    const struct k8s_meta *meta = &p->pods[i]->meta;
    struct json *annotations = NULL, *labels = NULL, *patch, *body;

    set_cordon(p, &annotations, i);
    set_deadline(p, &annotations, deadlines, i);
    if (w->machine && !(str_empty(w->machine->topology) && str_empty(w->topology)))
        set(a, &annotations, meta->annotations, SLINKY_TOPOLOGY, w->machine->topology);
    set(a, &labels, meta->labels, SLINKY_POD_PROTECT,
        podstate_protects(&p->facts, w) ? "true" : NULL);
    set(a, &labels, meta->labels, SLINKY_POD_NAME, meta->name);
    if (!annotations && !labels)
        return NULL;
    patch = json_object(a);
    json_set_str(a, patch, "uid", meta->uid); /* another pod of that name is not meant */
    if (annotations)
        json_set(a, patch, "annotations", annotations);
    if (labels)
        json_set(a, patch, "labels", labels);
    body = json_object(a);
    json_set(a, body, "metadata", patch);
    return json_text(a, body);
}

/* ------------------------------------------------------------------ status */

static const struct k8s_pod_condition *condition_of(const struct k8s_pod *pod, const char *type)
{
    for_each (condition, pod->status.conditions)
        if (str_eq(condition->type, type))
            return condition;
    return NULL;
}

static bool is_wanted(const struct podstate_condition *want, size_t n, const char *type)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(want[i].type, type))
            return true;
    return false;
}

static void add_wanted(struct nodeset_pass *p, struct json *list, const struct k8s_pod *pod,
                       const struct podstate_condition *want)
{
    struct arena *a = p->r->arena;
    const struct k8s_pod_condition *have = condition_of(pod, want->type);
    const char *status = want->yes ? "True" : "False";
    bool same_status = have && str_eq(have->status, status);
    struct json *item;

    if (same_status && str_eq(have->message ?: "", want->message))
        return;
    item = json_object(a);
    json_set_str(a, item, "type", want->type);
    json_set_str(a, item, "status", status);
    json_set_str(a, item, "message", want->message);
    json_set_str(a, item, "lastTransitionTime",
                 time_text(a, same_status ? have->last_transition_time : p->facts.now, false));
    json_add(a, list, item);
}

static void add_dropped(struct nodeset_pass *p, struct json *list, const char *type)
{
    struct json *item = json_object(p->r->arena);

    json_set_str(p->r->arena, item, "$patch", "delete");
    json_set_str(p->r->arena, item, "type", type);
    json_add(p->r->arena, list, item);
}

/* The conditions that differ; NULL when none does or nothing is known. */
static const char *status_patch(struct nodeset_pass *p, size_t i)
{
    struct arena *a = p->r->arena;
    struct podstate_condition want[PODSTATE_MAX];
    size_t n = podstate_of(a, &nodeset_podstate, &p->facts.workers[i].slurm, want);
    struct json *list = json_array(a), *status, *body;

    if (!n)
        return NULL;
    for (size_t k = 0; k < n; k++)
        add_wanted(p, list, p->pods[i], &want[k]);
    for_each (condition, p->pods[i]->status.conditions)
        if (podstate_is_ours(&nodeset_podstate, condition->type) &&
            !is_wanted(want, n, condition->type))
            add_dropped(p, list, condition->type);
    if (!json_count(list))
        return NULL;
    status = json_object(a);
    json_set(a, status, "conditions", list);
    body = json_object(a);
    json_set(a, body, "status", status);
    return json_text(a, body);
}

/* ------------------------------------------------------------------ all pods */

struct lot {
    struct nodeset_pass *p;
    struct call calls[LOT];
    size_t n;
    int rc;
};

static void send(struct lot *lot)
{
    struct outcome *outcomes = arena_make_n(lot->p->r->arena, struct outcome, LOT);

    if (lot->n)
        reconcile_batch(lot->p->r, lot->calls, lot->n, outcomes);
    for (size_t i = 0; i < lot->n; i++) {
        int code = outcomes[i].code;

        /* gone, or another one by now: the watch will tell */
        if (code == 0 || code == -ENOENT || code == -ESTALE || code == -EINVAL || lot->rc)
            continue;
        lot->rc = code;
        lot->p->r->err = outcomes[i].err;
        wrap(&lot->p->r->err, "pod %s", lot->calls[i].name);
    }
    lot->n = 0;
}

static void add(struct lot *lot, size_t i, const char *subresource, enum call_verb verb,
                const char *body)
{
    if (!body)
        return;
    lot->calls[lot->n++] = (struct call) { .verb = verb,
                                           .kind = &k8s_pod_kind,
                                           .namespace = lot->p->r->namespace,
                                           .name = lot->p->facts.workers[i].pod,
                                           .subresource = subresource,
                                           .body = body };
    if (lot->n == LOT)
        send(lot);
}

/* Jobs that are known become deadlines; false when nobody knows of them. */
static bool read_deadlines(struct nodeset_pass *p, struct deadlines *d)
{
    struct slurm_job job;
    size_t n;

    if (!p->view || !is_yes(slurm_view_jobs(p->view, &n)))
        return false;
    for (size_t i = 0; i < n; i++) {
        slurm_view_job_at(p->view, i, &job);
        if (!deadlines_add(p->r->arena, d, &job))
            log_debug(p->r->log, "node list of a job cannot be read", KV_INT("job", job.id));
    }
    return true;
}

int nodeset_write(struct nodeset_pass *p)
{
    struct lot *lot = arena_make(p->r->arena, struct lot);
    struct deadlines deadlines = { 0 };
    bool known = read_deadlines(p, &deadlines);

    lot->p = p;
    for (size_t i = 0; i < p->facts.count; i++) {
        if (p->facts.workers[i].deleting || p->plan->fates[i].delete)
            continue;
        add(lot, i, NULL, VERB_MERGE_PATCH, metadata_patch(p, known ? &deadlines : NULL, i));
        add(lot, i, "status", VERB_STRATEGIC_PATCH, status_patch(p, i));
    }
    send(lot);
    deadlines_done(&deadlines);
    return lot->rc;
}
