/* nodeset_write.c - what is written on pods: cordons, deadlines, protection, the state in Slurm.
 *
 * One patch of metadata and one of the status at most, and none where a pod says so already. Pods
 * that are on their way out are not worth a word.
 */
#include <errno.h>

#include "base/str.h"
#include "kinds.h"
#include "slinky/nodeset_lot.h"
#include "slinky/nodeset_parts.h"
#include "workers/deadlines.h"

#define START_TIME (30 * USEC_SEC)

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

static void set_cordon(struct nodeset_pass *p, struct arena *a, struct json **changes, size_t i)
{
    static const char *const why[] = { [CORDON_NODE] = "node", [CORDON_LEAVES] = "leaving" };
    struct pairs have = p->pods[i]->meta.annotations;
    enum cordon want = p->plan->fates[i].cordon;

    if (want == p->facts.workers[i].cordon &&
        (want == CORDON_NONE || want == CORDON_USER || pairs_get(have, NODESET_CORDON_WHY)))
        return; /* other values of the annotation than "true" are a user's business */
    set(a, changes, have, SLINKY_POD_CORDON, want == CORDON_NONE ? NULL : "true");
    set(a, changes, have, NODESET_CORDON_WHY, why[want]);
}

static void set_deadline(struct nodeset_pass *p, struct arena *a, struct json **changes,
                         const struct deadlines *deadlines, size_t i)
{
    const struct worker_facts *w = &p->facts.workers[i];
    usec end = deadlines ? deadlines_of(deadlines, w->host) : 0;

    if (!deadlines || (end / USEC_SEC == w->deadline / USEC_SEC && (end || !w->deadline_noted)))
        return;
    set(a, changes, p->pods[i]->meta.annotations, SLINKY_POD_DEADLINE,
        end ? time_text(a, end, false) : NULL);
}

/* What a pod is told soon after it started goes along with its state in Slurm: one request. */
static bool waits_for_state(const struct nodeset_pass *p, const struct worker_facts *w)
{
    bool has_state = is_yes(w->slurm.registered) && !w->told && w->phase != PHASE_PENDING;

    return !has_state && w->created + START_TIME > p->facts.now;
}

/* The metadata that differs; NULL when none does. */
static struct json *metadata_patch(struct nodeset_pass *p, struct arena *a,
                                   const struct deadlines *deadlines, size_t i)
{
    const struct worker_facts *w = &p->facts.workers[i];
    const struct k8s_meta *meta = &p->pods[i]->meta;
    struct json *annotations = NULL, *labels = NULL, *patch;

    set_cordon(p, a, &annotations, i);
    set_deadline(p, a, &annotations, deadlines, i);
    if (w->machine && !waits_for_state(p, w) &&
        !(str_empty(w->machine->topology) && str_empty(w->topology)))
        set(a, &annotations, meta->annotations, SLINKY_TOPOLOGY, w->machine->topology);
    set(a, &labels, meta->labels, SLINKY_POD_PROTECT,
        podstate_protects(&p->facts, w) ? "true" : NULL);
    set(a, &labels, meta->labels, SLINKY_POD_NAME, meta->name);
    if (!annotations && !labels)
        return NULL;
    patch = json_object(a);
    if (annotations)
        json_set(a, patch, "annotations", annotations);
    if (labels)
        json_set(a, patch, "labels", labels);
    return patch;
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

static void add_wanted(struct nodeset_pass *p, struct arena *a, struct json *list,
                       const struct k8s_pod *pod, const struct podstate_condition *want)
{
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

static void add_dropped(struct arena *a, struct json *list, const char *type)
{
    struct json *item = json_object(a);

    json_set_str(a, item, "$patch", "delete");
    json_set_str(a, item, "type", type);
    json_add(a, list, item);
}

/* The conditions that differ; NULL when none does or nothing is known. What Slurm says of the node
 * before its pod has started speaks of the pod before, and a drain that is being lifted is not
 * worth a word. */
static struct json *status_patch(struct nodeset_pass *p, struct arena *a, size_t i)
{
    const struct worker_facts *w = &p->facts.workers[i];
    struct podstate_condition want[PODSTATE_MAX];
    size_t n = w->phase == PHASE_PENDING || w->told || p->plan->fates[i].released
                   ? 0
                   : podstate_of(a, &nodeset_podstate, &w->slurm, want);
    struct json *list, *status;

    if (!n)
        return NULL;
    list = json_array(a);
    for (size_t k = 0; k < n; k++)
        add_wanted(p, a, list, p->pods[i], &want[k]);
    for_each (condition, p->pods[i]->status.conditions)
        if (podstate_is_ours(&nodeset_podstate, condition->type) &&
            !is_wanted(want, n, condition->type))
            add_dropped(a, list, condition->type);
    if (!json_count(list))
        return NULL;
    status = json_object(a);
    json_set(a, status, "conditions", list);
    return status;
}

/* ------------------------------------------------------------------ all pods */

/* One request for both: the status of a pod is written along with its labels and annotations. */
static void add(struct nodeset_pass *p, struct lot *lot, size_t i, struct json *meta,
                struct json *status)
{
    struct arena *a = lot->arena;
    struct json *body;

    if (!meta && !status)
        return;
    body = json_object(a);
    meta = meta ?: json_object(a);
    json_set_str(a, meta, "uid", p->facts.workers[i].uid); /* no other pod of that name */
    json_set(a, body, "metadata", meta);
    if (status)
        json_set(a, body, "status", status);
    lot_add(lot, (struct call) { .verb = VERB_STRATEGIC_PATCH,
                                 .kind = &k8s_pod_kind,
                                 .namespace = p->r->namespace,
                                 .name = p->facts.workers[i].pod,
                                 .subresource = status ? "status" : NULL,
                                 .body = json_text(a, body) });
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
    struct lot *lot = lot_new(p, "patch");
    struct deadlines deadlines = { 0 };
    bool known = read_deadlines(p, &deadlines);

    for (size_t i = 0; i < p->facts.count; i++)
        if (!p->facts.workers[i].deleting && !p->plan->fates[i].delete)
            add(p, lot, i, metadata_patch(p, lot->arena, known ? &deadlines : NULL, i),
                status_patch(p, lot->arena, i));
    deadlines_done(&deadlines);
    return lot_done(lot);
}
