/* convert.c - from one version to the other, with what got lost on the way kept beside it. */
#include "slinky/convert.h"

#include <errno.h>

#include "base/str.h"
#include "slinky/convert_parts.h"

static const char alpha[] = CONVERT_GROUP "/v1alpha1";
static const char beta[] = CONVERT_GROUP "/v1beta1";

static bool is_version(const char *version)
{
    return str_eq(version, alpha) || str_eq(version, beta);
}

bool convert_knows(const struct json *object)
{
    return is_version(json_str_or(json_get(object, "apiVersion"), "")) &&
           rules_know(json_str_or(json_get(object, "kind"), ""));
}

/* Takes an annotation off; its text lives in the arena. Annotations that are then empty go too. */
static const char *take_kept(struct json *object, const char *name)
{
    struct json *meta = member_of(object, "metadata");
    struct json *annotations = member_of(meta, "annotations");
    const char *kept = json_str_or(json_get(annotations, name), NULL);

    if (!json_get(annotations, name))
        return NULL;
    json_remove(annotations, name);
    if (!json_count(annotations))
        json_remove(meta, "annotations");
    return kept;
}

static void set_kept(struct arena *a, struct json *object, const char *name, const char *kept)
{
    struct json *meta = member_of(object, "metadata");
    struct json *annotations;

    if (!kept)
        return;
    if (!meta || meta->type != JSON_OBJECT)
        json_set(a, object, "metadata", meta = json_object(a));
    annotations = member_of(meta, "annotations");
    if (!annotations || annotations->type != JSON_OBJECT)
        json_set(a, meta, "annotations", annotations = json_object(a));
    json_set_str(a, annotations, name, kept);
}

static void apply_rules(struct arena *a, struct json *object, bool up)
{
    if (up)
        rules_up(a, object);
    else
        rules_down(a, object);
    json_set_str(a, object, "apiVersion", up ? beta : alpha);
}

static struct json *convert(struct arena *a, const struct json *object, bool up)
{
    struct json *from = json_copy(a, object);
    const char *kept = take_kept(from, up ? CONVERT_KEPT_V1BETA1 : CONVERT_KEPT_V1ALPHA1);
    struct json *to = json_copy(a, from);
    struct json *back;

    apply_rules(a, to, up);
    kept_apply(a, to, kept);
    back = json_copy(a, to);
    apply_rules(a, back, !up);
    take_kept(to, up ? CONVERT_KEPT_V1ALPHA1 : CONVERT_KEPT_V1BETA1); /* of someone's own making */
    set_kept(a, to, up ? CONVERT_KEPT_V1ALPHA1 : CONVERT_KEPT_V1BETA1, kept_of(a, back, from));
    return to;
}

int convert_object(struct arena *a, const struct json *object, const char *to, struct json **ret,
                   struct error *err)
{
    const char *version = json_str_or(json_get(object, "apiVersion"), "nothing");
    const char *kind = json_str_or(json_get(object, "kind"), "nothing");

    if (!is_version(to))
        return fail(err, -EINVAL, "want %s or %s, not %s", alpha, beta, to);
    if (!is_version(version))
        return fail(err, -EINVAL, "apiVersion: want %s or %s, got %s", alpha, beta, version);
    if (!rules_know(kind))
        return fail(err, -EINVAL, "kind: %s is none of " CONVERT_GROUP, kind);
    *ret = str_eq(version, to) ? json_copy(a, object) : convert(a, object, str_eq(to, beta));
    return 0;
}
