/* manifests.c - reading, sorting and looking up. */
#include "slinky/manifests.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/scope.h"
#include "base/str.h"
#include "k8s/configmap.h"
#include "k8s/secret.h"
#include "kinds.h"
#include "slinky/manifest_check.h"
#include "json/yaml.h"

enum { FILE_MAX = 64 << 20 };

/* ------------------------------------------------------------------ one document */

static const struct kind *kind_find(struct arena *a, const char *api_version, const char *name)
{
    for (const struct kind *const *kind = all_kinds; *kind; kind++)
        if (str_eq((*kind)->kind, name) && str_eq(kind_api_version(a, *kind), api_version))
            return *kind;
    return NULL;
}

/* The server turns stringData into data. */
static void settle_secret(struct arena *a, struct k8s_secret *secret)
{
    for_each (text, secret->string_data)
        secret->data = pairs_with(a, secret->data, text->key,
                                  base64_encode(a, text->value, strlen(text->value)));
    secret->string_data = (struct pairs) { 0 };
}

static struct manifest *add(struct manifests *m)
{
    if (m->n == m->room) {
        struct manifest *grown = arena_make_n(m->arena, struct manifest, m->room * 2 + 16);

        for (size_t i = 0; i < m->n; i++)
            grown[i] = m->v[i];
        m->v = grown;
        m->room = m->room * 2 + 16;
    }
    return &m->v[m->n++];
}

static int read_object(struct manifests *m, const struct kind *kind, const struct json *doc,
                       const char *where, struct error *err)
{
    void *object = arena_alloc(m->arena, kind->type->size);
    struct k8s_meta *meta = object;
    struct manifest *one;

    if (table_read_json(m->arena, kind->type, doc, object, err) < 0)
        return wrap(err, "%s (%s)", where, kind->kind);
    if (str_empty(meta->name))
        return fail(err, -EINVAL, "%s (%s): metadata.name: give it a name", where, kind->kind);
    if (kind->namespaced && str_empty(meta->namespace))
        meta->namespace = m->namespace;
    if (kind == &k8s_secret_kind)
        settle_secret(m->arena, object);
    one = add(m);
    *one = (struct manifest) { .kind = kind, .object = object };
    one->where = fmt(m->arena, "%s (%s %s%s%s)", where, kind->kind, meta->namespace ?: "",
                     meta->namespace ? "/" : "", meta->name);
    return manifest_settle(m, one, doc, err);
}

static int read_document(struct manifests *m, const struct json *doc, const char *where,
                         struct error *err)
{
    const char *api_version = json_str_or(json_get(doc, "apiVersion"), NULL);
    const char *name = json_str_or(json_get(doc, "kind"), NULL);
    const struct json *items = json_get(doc, "items");
    const struct kind *kind;

    if (!api_version || !name)
        return fail(err, -EINVAL, "%s: no apiVersion and kind: this is not a manifest", where);
    if (str_ends(name, "List") && items) {
        for (size_t i = 0; i < json_count(items); i++) {
            int rc =
                read_document(m, json_item(items, i), fmt(m->arena, "%s, item %zu", where, i), err);

            if (rc < 0)
                return rc;
        }
        return 0;
    }
    kind = kind_find(m->arena, api_version, name);
    if (kind)
        return read_object(m, kind, doc, where, err);
    if (str_starts(api_version, "slinky.slurm.net/"))
        return fail(err, -EINVAL, "%s: there is no %s in %s: want %s", where, name, api_version,
                    "a Controller, NodeSet, LoginSet, Accounting, RestApi or Token of "
                    "slinky.slurm.net/v1beta1");
    return 0;
}

/* ------------------------------------------------------------------ files */

int manifests_read_text(struct manifests *m, const char *name, const char *text, size_t len,
                        struct error *err)
{
    struct json *documents = NULL;
    int rc = yaml_parse(m->arena, text, len, &documents, err);

    if (rc < 0)
        return wrap(err, "%s", name);
    for (size_t i = 0; i < json_count(documents); i++) {
        rc = read_document(m, json_item(documents, i),
                           fmt(m->arena, "%s, document %zu", name, i + 1), err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int read_one(struct manifests *m, const char *path, struct error *err)
{
    scoped(free) char *text = NULL;
    size_t len = 0;
    bool from_stdin = str_eq(path, "-");
    int rc = from_stdin ? read_all(STDIN_FILENO, FILE_MAX, &text, &len, err)
                        : file_read(path, FILE_MAX, &text, &len, err);

    if (rc < 0)
        return rc;
    return manifests_read_text(m, from_stdin ? "standard input" : path, text, len, err);
}

static int is_manifest(const struct dirent *entry)
{
    return str_ends(entry->d_name, ".yaml") || str_ends(entry->d_name, ".yml") ||
           str_ends(entry->d_name, ".json");
}

static int read_directory(struct manifests *m, const char *path, struct error *err)
{
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, is_manifest, alphasort);
    int rc = 0;

    if (n < 0)
        return fail(err, -errno, "read %s", path);
    for (int i = 0; i < n; i++) {
        if (rc == 0)
            rc = read_one(m, fmt(m->arena, "%s/%s", path, entries[i]->d_name), err);
        free(entries[i]);
    }
    free(entries);
    return rc;
}

int manifests_read(struct manifests *m, const char *path, struct error *err)
{
    struct stat status;

    if (!str_eq(path, "-") && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return read_directory(m, path, err);
    return read_one(m, path, err);
}

/* ------------------------------------------------------------------ all of them */

static int compare(const struct manifest *one, const struct manifest *other)
{
    const struct k8s_meta *x = one->object, *y = other->object;

    return str_cmp(one->kind->kind, other->kind->kind) ?: str_cmp(x->namespace, y->namespace)
               ?: str_cmp(x->name, y->name);
}

static int in_order(const void *one, const void *other)
{
    return compare(one, other);
}

int manifests_ready(struct manifests *m, struct error *err)
{
    if (m->n)
        qsort(m->v, m->n, sizeof *m->v, in_order);
    for (size_t i = 1; i < m->n; i++)
        if (compare(&m->v[i - 1], &m->v[i]) == 0)
            return fail(err, -EEXIST, "%s: it is there already, in %s", m->v[i].where,
                        m->v[i - 1].where);
    manifest_placeholders(m);
    if (m->n)
        qsort(m->v, m->n, sizeof *m->v, in_order);
    return manifest_judge(m, err);
}

void manifests_add(struct manifests *m, const struct kind *kind, void *object, const char *where)
{
    *add(m) = (struct manifest) { .kind = kind, .object = object, .where = where };
}

const void *manifests_get(const struct manifests *m, const struct kind *kind, const char *namespace,
                          const char *name)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct k8s_meta *meta = m->v[i].object;

        if (m->v[i].kind == kind && str_eq(meta->name, name) &&
            (!kind->namespaced || str_eq(meta->namespace, namespace)))
            return meta;
    }
    return NULL;
}

/* ------------------------------------------------------------------ the world */

static int get(void *userdata, const struct kind *kind, const char *namespace, const char *name,
               const void **ret, struct error *err)
{
    (void)err;
    *ret = manifests_get(userdata, kind, namespace, name);
    return 0;
}

static int nodesets(void *userdata, struct arena *a, const char *namespace, const char *controller,
                    const struct slinky_nodeset ***ret, size_t *ret_n, struct error *err)
{
    const struct manifests *m = userdata;

    (void)err;
    *ret = arena_make_n(a, const struct slinky_nodeset *, m->n);
    *ret_n = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct slinky_nodeset *set = m->v[i].object;

        if (m->v[i].kind == &slinky_nodeset_kind && str_eq(set->meta.namespace, namespace) &&
            str_eq(set->spec.controller_ref.name, controller))
            (*ret)[(*ret_n)++] = set;
    }
    return 0;
}

struct slinky_world manifests_world(struct manifests *m)
{
    return (struct slinky_world) { .get = get, .nodesets = nodesets, .userdata = m };
}
