/* resource.c - objects of any kind, as a manifest has them. */
#include "ops/resource.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "json/merge.h"

struct bare {
    struct k8s_meta meta;
};

static const struct field bare_fields[] = {
    FIELD(bare, meta, OBJECT, "metadata", .of = &k8s_meta_type),
    { 0 },
};
static const struct type bare_type = TYPE(bare, bare_fields);

/* ------------------------------------------------------------------ where it lives */

static char *lower(struct arena *a, const char *text)
{
    char *copy = arena_str(a, text);

    for (char *c = copy; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

/* The plural in the path. Kubernetes forms its own by these rules, the few exceptions to which
 * (Endpoints) we never install. */
static const char *plural_of(struct arena *a, const char *kind)
{
    const char *one = lower(a, kind);

    if (str_ends(one, "y"))
        return fmt(a, "%.*sies", (int)strlen(one) - 1, one);
    return fmt(a, "%s%s", one, str_ends(one, "s") ? "es" : "s");
}

int resource_of(struct arena *a, struct json *object, struct resource *ret, struct error *err)
{
    const char *kind = json_str_or(json_get(object, "kind"), NULL);
    const char *version = json_str_or(json_get(object, "apiVersion"), NULL);
    const char *name = json_str_or(json_at(object, "metadata.name"), NULL);
    const char *slash = version ? strchr(version, '/') : NULL;
    const char *namespace = json_str_or(json_at(object, "metadata.namespace"), NULL);

    if (!kind || !version || !name)
        return fail(err, -EINVAL, "an object without %s",
                    !kind      ? "kind"
                    : !version ? "apiVersion"
                               : "metadata.name");
    *ret = (struct resource) {
        .kind = { .group = slash ? arena_strn(a, version, (size_t)(slash - version)) : "",
                  .version = slash ? slash + 1 : version,
                  .kind = kind,
                  .plural = plural_of(a, kind),
                  .namespaced = namespace != NULL,
                  .type = &bare_type },
        .namespace = namespace,
        .name = name,
        .json = object,
    };
    return 0;
}

const char *resource_title(struct arena *a, const struct resource *r)
{
    return fmt(a, "%s/%s", lower(a, r->kind.kind), r->name);
}

/* ------------------------------------------------------------------ what the server has */

int resource_look(struct session *s, struct resource *r, struct error *err)
{
    struct json *live = NULL;
    struct error why = { 0 };
    int rc =
        session_get(s, client_path(s->arena, &r->kind, r->namespace, r->name, NULL), &live, &why);

    r->live = live;
    if (rc < 0 && rc != -ENOENT)
        return fail(err, rc, "%s", error_text(&why));
    return 0;
}

static const char *annotation(const struct json *object, const char *key)
{
    return json_str_or(json_get(json_at(object, "metadata.annotations"), key), NULL);
}

const char *resource_helm_release(const struct resource *r)
{
    return annotation(r->live, "meta.helm.sh/release-name");
}

bool resource_is_ours(const struct resource *r)
{
    return annotation(r->live, RESOURCE_APPLIED) != NULL;
}

const char *resource_change_name(enum resource_change change)
{
    static const char *const names[] = { [RESOURCE_UNCHANGED] = "unchanged",
                                         [RESOURCE_CREATED] = "created",
                                         [RESOURCE_CHANGED] = "changed",
                                         [RESOURCE_KEPT] = "kept as it is" };

    return names[change];
}

/* What is sent: the object with the hash of itself. */
static struct json *signed_json(struct arena *a, const struct resource *r)
{
    struct json *object = json_copy(a, r->json);
    struct json *meta = (struct json *)json_get(object, "metadata");
    struct json *notes = (struct json *)json_get(meta, "annotations");

    if (!notes) {
        notes = json_object(a);
        json_set(a, meta, "annotations", notes);
    }
    json_set_str(a, notes, RESOURCE_APPLIED, fmt(a, "%016" PRIx64, json_hash(r->json)));
    return object;
}

enum resource_change resource_compare(struct arena *a, const struct resource *r)
{
    if (!r->live)
        return RESOURCE_CREATED;
    if (str_eq(r->kind.kind, "Namespace") && !resource_is_ours(r))
        return RESOURCE_KEPT;
    return json_covers(a, r->live, signed_json(a, r), NULL) ? RESOURCE_UNCHANGED : RESOURCE_CHANGED;
}

/* ------------------------------------------------------------------ writing */

int resource_apply(struct session *s, const struct resource *r, struct error *err)
{
    struct call call = { .verb = VERB_APPLY,
                         .kind = &r->kind,
                         .namespace = r->namespace,
                         .name = r->name,
                         .body = json_text(s->arena, signed_json(s->arena, r)),
                         .force = true };
    struct outcome outcome;
    int rc = client_call(s->client, s->arena, &call, &outcome, err);

    return rc < 0 ? wrap(err, "%s", resource_title(s->arena, r)) : 0;
}

int resource_delete(struct session *s, const struct resource *r, struct error *err)
{
    struct call call = { .verb = VERB_DELETE,
                         .kind = &r->kind,
                         .namespace = r->namespace,
                         .name = r->name,
                         .uid = json_str_or(json_at(r->live, "metadata.uid"), NULL),
                         .propagation = "Background" };
    struct outcome outcome;
    int rc = client_call(s->client, s->arena, &call, &outcome, err);

    return rc < 0 && rc != -ENOENT ? wrap(err, "%s", resource_title(s->arena, r)) : 0;
}
