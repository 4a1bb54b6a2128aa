/* manifest_check.c - defaults, admission, fields that nobody knows, and Secrets that were not
 * given.
 */
#include "slinky/manifest_check.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "base/str.h"
#include "k8s/configmap.h"
#include "k8s/pvc.h"
#include "k8s/secret.h"
#include "slinky/validate.h"

static void note(struct manifests *m, const char *text)
{
    if (m->on_note)
        m->on_note(m->userdata, text);
}

static bool is_ours(const struct kind *kind)
{
    return str_eq(kind->group, "slinky.slurm.net");
}

/* ------------------------------------------------------------------ unknown fields */

static const struct field *row_of(const struct type *type, const char *name)
{
    for (const struct field *field = type->fields; field->type != FIELD_END; field++)
        if (str_eq(field->name, name))
            return field;
    return NULL;
}

static void look_for_unknown(struct manifests *m, const char *where, const char *path,
                             const struct type *type, const struct json *v)
{
    if (v->type == JSON_ARRAY)
        for (size_t i = 0; i < json_count(v); i++)
            look_for_unknown(m, where, fmt(m->arena, "%s[%zu]", path, i), type, json_item(v, i));
    if (v->type != JSON_OBJECT)
        return;
    for_each_member (member, v) {
        const struct field *field = row_of(type, member->name);
        const char *name = *path ? fmt(m->arena, "%s.%s", path, member->name) : member->name;
        bool is_head = !*path && str_in(name, (const char *const[]) { "apiVersion", "kind",
                                                                      "metadata", NULL });

        if (!field && !is_head)
            note(m, fmt(m->arena, "%s: %s: there is no such field; it is ignored", where, name));
        else if (field && field->of && field->type != FIELD_OBJECTS && !is_head)
            look_for_unknown(m, where, name, field->of, member->value);
    }
}

/* ------------------------------------------------------------------ admission */

int manifest_settle(struct manifests *m, struct manifest *one, const struct json *doc,
                    struct error *err)
{
    if (!is_ours(one->kind))
        return 0;
    look_for_unknown(m, one->where, "", one->kind->type, doc);
    if (table_default(m->arena, one->kind->type, one->object, err) < 0)
        return wrap(err, "%s", one->where);
    return 0;
}

static enum known files_of(void *userdata, const char *namespace, const char *config_map,
                           struct strs *ret_files)
{
    const struct manifests *m = userdata;
    const struct k8s_configmap *map = manifests_get(m, &k8s_configmap_kind, namespace, config_map);

    if (!map)
        return KNOWN_ABSENT;
    ret_files->v = arena_make_n(m->arena, const char *, map->data.n);
    for_each (file, map->data)
        ret_files->v[ret_files->n++] = file->key;
    return KNOWN_THERE;
}

static enum known access_modes_of(void *userdata, const char *namespace, const char *claim,
                                  struct strs *ret_modes)
{
    const struct k8s_pvc *pvc = manifests_get(userdata, &k8s_pvc_kind, namespace, claim);

    if (!pvc)
        return KNOWN_NOTHING;
    *ret_modes = pvc->spec.access_modes;
    return KNOWN_THERE;
}

/* Whether it would be let in. */
static bool judge(struct manifests *m, const struct manifest *one)
{
    struct surroundings around = { .files_of = files_of,
                                   .access_modes_of = access_modes_of,
                                   .userdata = m };
    struct problems problems = { .arena = m->arena };

    validate_schema(&problems, one->kind, one->object);
    validate_object(&problems, one->kind, NULL, one->object, &around);
    for_each (warning, problems.warnings)
        note(m, fmt(m->arena, "%s: %s", one->where, problem_text(m->arena, warning)));
    for_each (error, problems.errors)
        note(m, fmt(m->arena, "%s: %s", one->where, problem_text(m->arena, error)));
    return problems.errors.n == 0;
}

int manifest_judge(struct manifests *m, struct error *err)
{
    size_t ours = 0, refused = 0;

    for (size_t i = 0; i < m->n; i++) {
        if (!is_ours(m->v[i].kind))
            continue;
        ours++;
        refused += !judge(m, &m->v[i]);
    }
    if (refused)
        return fail(err, -EINVAL, "%zu of %zu resources would be refused, see above", refused,
                    ours);
    return 0;
}

/* ------------------------------------------------------------------ placeholders */

static const struct {
    const struct kind *kind;
    const char *path;
} secret_refs[] = {
    { &slinky_controller_kind, "spec.slurmKeyRef" },
    { &slinky_controller_kind, "spec.jwtKeyRef" },
    { &slinky_controller_kind, "spec.jwtHs256KeyRef" },
    { &slinky_accounting_kind, "spec.slurmKeyRef" },
    { &slinky_accounting_kind, "spec.jwtKeyRef" },
    { &slinky_accounting_kind, "spec.jwtHs256KeyRef" },
    { &slinky_accounting_kind, "spec.storageConfig.passwordKeyRef" },
    { &slinky_loginset_kind, "spec.sssdConfRef" },
    { &slinky_nodeset_kind, "spec.ssh.sssdConfRef" },
};

static bool is_placeholder(const struct k8s_secret *secret)
{
    return str_eq(secret->type, MANIFEST_PLACEHOLDER);
}

static struct k8s_secret *placeholder_of(struct manifests *m, const char *namespace,
                                         const char *name)
{
    struct k8s_secret *secret =
        (struct k8s_secret *)manifests_get(m, &k8s_secret_kind, namespace, name);

    if (secret)
        return secret;
    secret = arena_make(m->arena, struct k8s_secret);
    secret->meta.name = name;
    secret->meta.namespace = namespace;
    secret->type = MANIFEST_PLACEHOLDER;
    manifests_add(m, &k8s_secret_kind, secret, "a placeholder");
    note(m, fmt(m->arena, "Secret %s/%s was not given: what depends on it is made up", namespace,
                name));
    return secret;
}

void manifest_placeholders(struct manifests *m)
{
    size_t given = m->n;

    for (size_t i = 0; i < given * ARRAY_SIZE(secret_refs); i++) {
        const struct manifest one = m->v[i / ARRAY_SIZE(secret_refs)];
        const char *path = secret_refs[i % ARRAY_SIZE(secret_refs)].path;
        const struct type *type = one.kind->type;
        const struct k8s_meta *meta = one.object;
        const char *name, *key;
        struct k8s_secret *secret;

        if (secret_refs[i % ARRAY_SIZE(secret_refs)].kind != one.kind)
            continue;
        name = table_get(m->arena, type, meta, fmt(m->arena, "%s.name", path));
        key = table_get(m->arena, type, meta, fmt(m->arena, "%s.key", path));
        if (str_empty(name) || str_empty(key))
            continue;
        secret = placeholder_of(m, meta->namespace, name);
        if (is_placeholder(secret))
            secret->data = pairs_with(
                m->arena, secret->data, key,
                base64_encode(m->arena, MANIFEST_PLACEHOLDER, strlen(MANIFEST_PLACEHOLDER)));
    }
}
