/* adopt.c - whose workload it is, and whether it may stay as it is. */
#include "build/adopt.h"

#include <inttypes.h>

#include "base/scope.h"
#include "base/str.h"
#include "build/values.h"
#include "kube/controller.h"
#include "model/parts.h"

/* An object of that name which belongs to somebody else is not for us to leave alone. */
static bool has_our_owner(const struct k8s_meta *live, const struct k8s_meta *want)
{
    for_each (theirs, live->owner_references)
        for_each (ours, want->owner_references)
            if (theirs->controller == YES && str_eq(theirs->uid, ours->uid))
                return true;
    return false;
}

static const char *note_of(struct arena *a, const struct type *type, const void *live,
                           const void *want, const char *now)
{
    const struct k8s_meta *meta = live;
    const char *then = pairs_get(meta->annotations, ADOPTED);

    if (pairs_get(meta->annotations, APPLIED_HASH) || !has_our_owner(live, want))
        return NULL;
    if (then)
        return str_eq(then, now) ? now : NULL;
    return table_covers(a, type, live, want, NULL) ? NULL : now;
}

static const char *hash_of(struct arena *a, const struct type *type, const void *want)
{
    return fmt(a, "%016" PRIx64, table_hash(type, want));
}

const char *adopt_statefulset(struct arena *a, const struct k8s_statefulset *live,
                              const struct k8s_statefulset *want)
{
    struct k8s_statefulset scaled;

    if (!live || !want)
        return NULL;
    scaled = *want;
    scaled.spec.replicas = (struct maybe_int) { 0 };
    return note_of(a, k8s_statefulset_kind.type, live, &scaled,
                   hash_of(a, k8s_statefulset_kind.type, &scaled));
}

const char *adopt_deployment(struct arena *a, const struct k8s_deployment *live,
                             const struct k8s_deployment *want)
{
    struct k8s_deployment scaled;

    if (!live || !want)
        return NULL;
    scaled = *want;
    scaled.spec.replicas = (struct maybe_int) { 0 };
    return note_of(a, k8s_deployment_kind.type, live, &scaled,
                   hash_of(a, k8s_deployment_kind.type, &scaled));
}

const char *adopt_configmap(struct arena *a, const struct k8s_configmap *live,
                            const struct k8s_configmap *want, const char *content)
{
    return live ? note_of(a, k8s_configmap_kind.type, live, want, content) : NULL;
}

static const char *file_in(const struct json *source, const struct model_key *key)
{
    const struct json *secret = json_get(source, "secret");
    const struct json *item = value_named(json_get(secret, "items"), "key", key->key);

    if (!str_eq(json_str_or(json_get(secret, "name"), NULL), key->name))
        return NULL;
    return json_str_or(json_get(item, "path"), NULL);
}

const char *adopt_file_of(const struct k8s_pod_template *live, const struct model_key *key)
{
    const struct json *volumes = json_get(live->spec, "volumes");

    for (size_t i = 0; i < value_items(volumes); i++) {
        const struct json *sources =
            json_get(json_get(json_item(volumes, i), "projected"), "sources");

        for (size_t j = 0; j < value_items(sources); j++) {
            const char *file = file_in(json_item(sources, j), key);

            if (file)
                return file;
        }
    }
    return NULL;
}
