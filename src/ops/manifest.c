/* manifest.c - what `windlass install` puts into a cluster. */
#include "ops/manifest.h"

#include <string.h>

#include "base/str.h"
#include "json/yaml.h"

/* ------------------------------------------------------------------ another namespace */

static struct json *member(struct json *object, const char *name)
{
    return (struct json *)json_get(object, name);
}

/* "slinky" below .namespace, and "--any-option=slinky" among arguments. */
static void move(struct arena *a, struct json *v, const char *name, const char *to)
{
    const char *text = json_str_or(v, NULL);

    if (text && str_eq(name, "namespace") && str_eq(text, MANIFEST_NAMESPACE))
        *v = *json_str(a, to);
    else if (str_starts(text, "--") && str_ends(text, "namespace=" MANIFEST_NAMESPACE))
        *v = *json_str(a, fmt(a, "%.*s=%s", (int)strcspn(text, "="), text, to));
    else if (v->type == JSON_OBJECT)
        for_each_member (m, v)
            move(a, m->value, m->name, to);
    else if (v->type == JSON_ARRAY)
        for (size_t i = 0; i < v->array.count; i++)
            move(a, v->array.items[i], name, to);
}

static void move_object(struct arena *a, struct json *object, const char *to)
{
    move(a, object, NULL, to);
    if (str_eq(json_str_or(json_get(object, "kind"), NULL), "Namespace"))
        json_set_str(a, member(object, "metadata"), "name", to);
}

/* ------------------------------------------------------------------ who installed it */

static void sign_labels(struct arena *a, struct json *labels)
{
    if (!json_get(labels, "app.kubernetes.io/managed-by"))
        return;
    json_set_str(a, labels, "app.kubernetes.io/managed-by", "windlass");
    json_remove(labels, "helm.sh/chart");
}

static void sign(struct arena *a, struct json *object)
{
    sign_labels(a, member(member(object, "metadata"), "labels"));
    sign_labels(a, (struct json *)json_at(object, "spec.template.metadata.labels"));
}

static void set_image(struct arena *a, struct json *object, const char *image)
{
    const struct json *containers = json_at(object, "spec.template.spec.containers");

    for (size_t i = 0; i < json_count(containers); i++)
        json_set_str(a, (struct json *)json_item(containers, i), "image", image);
}

/* ------------------------------------------------------------------ all of it */

int manifest_read(struct arena *a, const struct manifest_options *options, struct resources *ret,
                  struct error *err)
{
    struct json *documents = NULL;
    int rc = yaml_parse(a, manifest_text, manifest_text_len, &documents, err);

    *ret = (struct resources) { 0 };
    if (rc < 0)
        return rc;
    ret->v = arena_make_n(a, struct resource, json_count(documents) + 1);
    for (size_t i = 0; rc == 0 && i < json_count(documents); i++) {
        struct json *object = (struct json *)json_item(documents, i);

        move_object(a, object, options->namespace);
        sign(a, object);
        if (options->image)
            set_image(a, object, options->image);
        rc = resource_of(a, object, &ret->v[ret->n++], err);
    }
    return rc;
}
