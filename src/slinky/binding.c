/* binding.c - copies the topology of a node onto the worker that is bound to it. */
#include "slinky/binding.h"

#include <errno.h>

#include "base/log.h"
#include "base/str.h"
#include "k8s/binding.h"
#include "k8s/node.h"
#include "k8s/pod.h"
#include "kube/cache.h"
#include "kube/client.h"
#include "slinky/admission.h"
#include "slinky/names.h"

#define BINDING_TIME (3 * USEC_SEC) /* the scheduler waits for us */

struct bind {
    struct arena *arena;
    struct view *view;
    const struct admission *admission;
    usec deadline;
};

/* 0 with *ret NULL when there is no such object. A cache may be a moment behind, and a pod is bound
 * a moment after it was made, so what it does not have is asked for. uid: of the object that is
 * meant, NULL for any of that name. */
static int find(struct bind *b, struct cache *cache, const struct kind *kind,
                const struct k8s_meta *wanted, const struct k8s_meta **ret, struct error *err)
{
    const struct k8s_meta *known = cache_get(cache, b->view, wanted->namespace, wanted->name);
    struct call call = { .verb = VERB_GET,
                         .kind = kind,
                         .namespace = wanted->namespace,
                         .name = wanted->name,
                         .deadline = b->deadline };
    struct outcome outcome = { 0 };
    int rc;

    if (known && (!wanted->uid || str_eq(known->uid, wanted->uid))) {
        *ret = known;
        return 0;
    }
    rc = client_call(b->admission->client, b->arena, &call, &outcome, err);
    *ret = rc == 0 ? outcome.object : NULL;
    return rc == -ENOENT ? 0 : rc;
}

char *binding_patch(struct arena *a, struct pairs annotations, const char *uid,
                    const char *topology)
{
    struct json *patch = json_object(a);
    struct json *meta = json_object(a);
    struct json *changed = json_object(a);

    if (str_eq(pairs_get(annotations, SLINKY_TOPOLOGY), topology))
        return NULL;
    json_set_str(a, changed, SLINKY_TOPOLOGY, topology);
    json_set(a, meta, "annotations", changed);
    json_set_str(a, meta, "uid", uid);
    json_set(a, patch, "metadata", meta);
    return json_text(a, patch);
}

static int annotate(struct bind *b, const struct k8s_meta *pod, const char *topology,
                    struct error *err)
{
    struct call call = { .verb = VERB_MERGE_PATCH,
                         .kind = &k8s_pod_kind,
                         .namespace = pod->namespace,
                         .name = pod->name,
                         .deadline = b->deadline };
    struct outcome outcome = { 0 };
    int rc;

    call.body = binding_patch(b->arena, pod->annotations, pod->uid, topology);
    if (!call.body)
        return 0;
    rc = client_call(b->admission->client, b->arena, &call, &outcome, err);
    if (rc == 0 && outcome.object)
        cache_put(b->admission->pods, outcome.object);
    /* Gone, or another of the same name by now: that one has a Binding of its own. */
    return rc == -ENOENT || rc == -ESTALE ? 0 : rc;
}

static int bind_pod(struct bind *b, const struct k8s_meta *wanted, const char *node_name,
                    struct error *err)
{
    const struct admission *admission = b->admission;
    const struct k8s_meta wanted_node = { .name = node_name };
    const struct k8s_meta *pod = NULL;
    const struct k8s_meta *node = NULL;
    int rc = find(b, admission->pods, &k8s_pod_kind, wanted, &pod, err);

    if (rc < 0)
        return wrap(err, "get the pod");
    if (!pod || !str_eq(pairs_get(pod->labels, SLINKY_APP_NAME), "slurmd"))
        return 0;
    rc = find(b, admission->nodes, &k8s_node_kind, &wanted_node, &node, err);
    if (rc < 0)
        return wrap(err, "get node %s", node_name);
    if (!node)
        return 0;
    rc = annotate(b, pod, pairs_get(node->annotations, SLINKY_TOPOLOGY) ?: "", err);
    return rc < 0 ? wrap(err, "annotate the pod") : 0;
}

/* The pod that is meant, and whether there is anything to do for it at all. */
static bool concerns(const struct review *review, const struct admission *admission,
                     struct k8s_meta *ret_pod, const char **ret_node)
{
    const struct k8s_binding *binding = review->object;

    *ret_pod = (struct k8s_meta) { .namespace = review->namespace ?: binding->meta.namespace,
                                   .name = binding->meta.name ?: review->name,
                                   .uid = binding->meta.uid };
    *ret_node = binding->target ? binding->target->name : NULL;
    return !review->dry_run && admission->client && ret_pod->name && ret_pod->namespace &&
           !str_empty(*ret_node);
}

bool binding_quick(struct arena *a, const struct review *review, struct verdict *ret, void *context)
{
    const struct admission *admission = context;
    scoped(view) struct view *view = NULL;
    const struct k8s_meta *pod, *node;
    struct k8s_meta wanted;
    const char *node_name;

    (void)a;
    (void)ret;
    if (!concerns(review, admission, &wanted, &node_name))
        return true;
    view = view_new();
    pod = cache_get(admission->pods, view, wanted.namespace, wanted.name);
    node = cache_get(admission->nodes, view, NULL, node_name);
    return pod && node && (!wanted.uid || str_eq(pod->uid, wanted.uid)) &&
           str_eq(pairs_get(pod->annotations, SLINKY_TOPOLOGY),
                  pairs_get(node->annotations, SLINKY_TOPOLOGY) ?: "");
}

void binding_judge(struct arena *a, const struct review *review, struct verdict *ret, void *context)
{
    scoped(view) struct view *view = NULL;
    struct bind b = { .arena = a, .admission = context, .deadline = clock_now() + BINDING_TIME };
    struct error err = { 0 };
    struct k8s_meta pod;
    const char *node;

    if (!concerns(review, context, &pod, &node))
        return;
    admission_watch(context);
    b.view = view = view_new();
    if (bind_pod(&b, &pod, node, &err) == 0)
        return;
    log_error(NULL, "a worker starts without its topology", KV("namespace", pod.namespace),
              KV("pod", pod.name), KV("error", error_text(&err)));
    ret->warnings = (struct strs) { .v = arena_make_n(a, const char *, 1), .n = 1 };
    ret->warnings.v[0] =
        fmt(a, "the topology of node %s is not on the pod yet: %s", node, error_text(&err));
}
