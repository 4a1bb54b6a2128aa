/* takeover.c - notes on a workload that it stays as it is, or applies ours. */
#include "slinky/takeover.h"

#include "base/str.h"
#include "build/adopt.h"
#include "kinds.h"
#include "json/json.h"

/* A merge patch and no apply: what another operator wrote stays its own until we apply. */
static char *patch_of(struct arena *a, const char *note, struct maybe_int replicas)
{
    struct json *annotations = json_object(a);
    struct json *meta = json_object(a);
    struct json *spec = json_object(a);
    struct json *patch = json_object(a);

    json_set_str(a, annotations, ADOPTED, note);
    json_set(a, meta, "annotations", annotations);
    json_set(a, patch, "metadata", meta);
    if (replicas.set) {
        json_set(a, spec, "replicas", json_int(a, replicas.value));
        json_set(a, patch, "spec", spec);
    }
    return json_text(a, patch);
}

static int leave(struct reconcile *r, const struct kind *kind, const struct k8s_meta *live,
                 const char *note, struct maybe_int has, struct maybe_int wants)
{
    struct call call = { .verb = VERB_MERGE_PATCH,
                         .kind = kind,
                         .namespace = live->namespace,
                         .name = live->name,
                         .body = patch_of(r->arena, note, wants) };
    bool scaled = wants.set && int_or(has, 1) != wants.value;

    if (!scaled && str_eq(pairs_get(live->annotations, ADOPTED), note))
        return 0;
    log_info(r->log, "left as another operator made it", KV("kind", kind->kind),
             KV("name", live->name));
    return reconcile_call(r, &call, NULL);
}

int takeover_statefulset(struct reconcile *r, struct k8s_statefulset *want)
{
    const struct k8s_statefulset *live = want ? GET(r, k8s_statefulset, want->meta.name) : NULL;
    const char *note = adopt_statefulset(r->arena, live, want);

    if (!note)
        return APPLY(r, want);
    return leave(r, &k8s_statefulset_kind, &live->meta, note, live->spec.replicas,
                 want->spec.replicas);
}

int takeover_deployment(struct reconcile *r, struct k8s_deployment *want)
{
    const struct k8s_deployment *live = want ? GET(r, k8s_deployment, want->meta.name) : NULL;
    const char *note = adopt_deployment(r->arena, live, want);

    if (!note)
        return APPLY(r, want);
    return leave(r, &k8s_deployment_kind, &live->meta, note, live->spec.replicas,
                 want->spec.replicas);
}

int takeover_configmap(struct reconcile *r, const struct k8s_configmap *want, const char *content)
{
    const struct k8s_configmap *live = GET(r, k8s_configmap, want->meta.name);
    const char *note = adopt_configmap(r->arena, live, want, content);
    struct maybe_int none = { 0 };

    if (!note)
        return 0;
    return leave(r, &k8s_configmap_kind, &live->meta, note, none, none) ?: 1;
}

bool takeover_leaves(struct reconcile *r, const struct k8s_statefulset *want)
{
    const struct k8s_statefulset *live = want ? GET(r, k8s_statefulset, want->meta.name) : NULL;

    return adopt_statefulset(r->arena, live, want) != NULL;
}
