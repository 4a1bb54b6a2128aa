/* front_mounts.c - the Secrets and ConfigMaps that users bring into pods, and whether they changed.
 *
 * A container that mounts a file by subPath, or takes a variable from a key, sees the value that
 * was there when it started. So what the user's part of a pod mentions counts for its template.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "k8s/configmap.h"
#include "k8s/secret.h"
#include "slinky/front_parts.h"

/* Members that name an object, wherever they stand in a container or pod. */
static const struct {
    const char *member;
    const char *name; /* of the member that holds the name */
    const struct kind *kind;
} mentions[] = {
    { "secret", "secretName", &k8s_secret_kind },
    { "secret", "name", &k8s_secret_kind }, /* projected */
    { "configMap", "name", &k8s_configmap_kind },
    { "secretRef", "name", &k8s_secret_kind },
    { "configMapRef", "name", &k8s_configmap_kind },
    { "secretKeyRef", "name", &k8s_secret_kind },
    { "configMapKeyRef", "name", &k8s_configmap_kind },
};

/* What is mentioned, each once: "kind/name". */
struct found {
    struct strs names;
    size_t room;
};

static void add_found(struct arena *a, struct found *found, const char *name)
{
    if (strs_has(found->names, name))
        return;
    if (found->names.n == found->room) {
        const char **grown = arena_make_n(a, const char *, found->room * 2 + 8);

        for (size_t i = 0; i < found->names.n; i++)
            grown[i] = found->names.v[i];
        found->names.v = grown;
        found->room = found->room * 2 + 8;
    }
    found->names.v[found->names.n++] = name;
}

static void look_at(struct arena *a, const struct json_member *member, struct found *found)
{
    for (size_t i = 0; i < ARRAY_SIZE(mentions); i++) {
        const char *name;

        if (!str_eq(member->name, mentions[i].member))
            continue;
        name = json_str_or(json_get(member->value, mentions[i].name), NULL);
        if (!str_empty(name))
            add_found(a, found, fmt(a, "%s/%s", mentions[i].kind->kind, name));
    }
}

static void search(struct arena *a, const struct json *v, struct found *found)
{
    if (!v)
        return;
    if (v->type == JSON_ARRAY)
        for (size_t i = 0; i < json_count(v); i++)
            search(a, json_item(v, i), found);
    if (v->type != JSON_OBJECT)
        return;
    for_each_member (member, v) {
        look_at(a, member, found);
        search(a, member->value, found);
    }
}

static int by_text(const void *one, const void *other)
{
    return str_cmp(*(const char *const *)one, *(const char *const *)other);
}

static int content_hash(struct arena *a, const struct slinky_world *world, const char *namespace,
                        const char *mention, const char **ret, struct error *err)
{
    const char *name = strchr(mention, '/') + 1;
    bool is_secret = str_starts(mention, k8s_secret_kind.kind);
    const struct kind *kind = is_secret ? &k8s_secret_kind : &k8s_configmap_kind;
    const void *object = NULL;
    int rc = world->get(world->userdata, kind, namespace, name, &object, err);

    if (rc < 0)
        return rc;
    *ret = !object     ? ""
           : is_secret ? hash_of_secret(a, ((const struct k8s_secret *)object)->data)
                       : hash_of_texts(a, ((const struct k8s_configmap *)object)->data);
    return 0;
}

int add_mounts_hash(struct arena *a, const struct slinky_world *world, const char *namespace,
                    const struct json *const *containers, size_t n, struct model_pods *pods,
                    struct error *err)
{
    scoped(buf) struct buf all = { 0 };
    struct found found = { 0 };

    for (size_t i = 0; i < n; i++)
        search(a, containers[i], &found);
    search(a, pods->spec, &found);
    if (!pods->roll_on_change || !found.names.n)
        return 0;
    qsort(found.names.v, found.names.n, sizeof *found.names.v, by_text);
    for_each (mention, found.names) {
        const char *hash = NULL;
        int rc = content_hash(a, world, namespace, *mention, &hash, err);

        if (rc < 0)
            return rc;
        buf_fmt(&all, "%s %s\n", *mention, hash);
    }
    pods->hashes = pairs_with(a, pods->hashes, slinky_profile.mounts_hash,
                              hash_of_bytes(a, all.bytes, all.len));
    return 0;
}
