/* adopt.c - objects of an operator that we replace: its fields become ours before we first apply.
 *
 * Server-side apply removes a field when its last owner stops asking for it. What another operator
 * wrote with plain updates is owned by that operator's name, and would stay for ever. So its entries
 * in metadata.managedFields are made one entry of ours, as if we had applied all of it.
 */
#include <errno.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "kube/runtime.h"

static const char *text_of(const struct json *entry, const char *name)
{
    return json_str_or(json_get(entry, name), NULL);
}

/* An update of the object itself by one of those whom we replace. */
static bool is_theirs(const struct strs *theirs, const struct json *entry)
{
    return str_eq(text_of(entry, "operation"), "Update") && !text_of(entry, "subresource") &&
           strs_has(*theirs, text_of(entry, "manager") ?: "");
}

static bool is_ours(const char *ours, const struct json *entry)
{
    return str_eq(text_of(entry, "operation"), "Apply") && !text_of(entry, "subresource") &&
           str_eq(text_of(entry, "manager"), ours);
}

/* Every field of either: a tree of objects, in which a field is a path of names. */
static void join_fields(struct arena *a, struct json *all, const struct json *more)
{
    for_each_member(member, more) {
        struct json *have = (struct json *)json_get(all, member->name);

        if (have && have->type == JSON_OBJECT && member->value->type == JSON_OBJECT)
            join_fields(a, have, member->value);
        else if (!have)
            json_append(a, all, member->name, json_copy(a, member->value));
    }
}

static struct json *new_entry(struct arena *a, const char *ours, const struct json *from)
{
    struct json *entry = json_copy(a, from);

    json_set_str(a, entry, "manager", ours);
    json_set_str(a, entry, "operation", "Apply");
    return entry;
}

/* The list with what is theirs made ours; NULL when nothing is theirs. */
static struct json *adopted_fields(struct arena *a, const struct json *list, const char *ours,
                                   const struct strs *theirs)
{
    struct json *rest = json_array(a);
    struct json *own = NULL;
    bool found = false;

    for (size_t i = 0; i < json_count(list); i++) {
        const struct json *entry = json_item(list, i);
        const struct json *fields = json_get(entry, "fieldsV1");

        found |= is_theirs(theirs, entry);
        if (!is_theirs(theirs, entry) && !is_ours(ours, entry))
            json_add(a, rest, json_copy(a, entry));
        else if (!own)
            own = new_entry(a, ours, entry);
        else if (fields && fields->type == JSON_OBJECT)
            join_fields(a, (struct json *)json_get(own, "fieldsV1"), fields);
    }
    if (!found)
        return NULL;
    json_add(a, rest, own);
    return rest;
}

static struct json *replace(struct arena *a, const char *path, struct json *value)
{
    struct json *step = json_object(a);

    json_set_str(a, step, "op", "replace");
    json_set_str(a, step, "path", path);
    json_set(a, step, "value", value);
    return step;
}

static int write_fields(struct reconcile *r, const struct kind *kind, const struct k8s_meta *meta,
                        const char *version, struct json *fields)
{
    struct json *patch = json_array(r->arena);
    struct call call = { .verb = VERB_JSON_PATCH, .kind = kind, .namespace = meta->namespace,
                         .name = meta->name };

    json_add(r->arena, patch, replace(r->arena, "/metadata/managedFields", fields));
    json_add(r->arena, patch,
             replace(r->arena, "/metadata/resourceVersion", json_str(r->arena, version)));
    call.body = json_text(r->arena, patch);
    return reconcile_call(r, &call, NULL);
}

int adopt(struct reconcile *r, const struct kind *kind, const struct k8s_meta *live)
{
    const struct manager_options *options = &r->pass->runner->manager->options;
    scoped(buf) struct buf body = { 0 };
    struct json *object;
    struct json *fields;
    int rc;

    if (!options->replaces.n)
        return 0;
    rc = client_raw(r->client, "GET", client_path(r->arena, kind, live->namespace, live->name, NULL),
                    NULL, &body, &r->err)
        ?: json_parse(r->arena, buf_text(&body), body.len, &object, &r->err);
    if (rc < 0)
        return rc == -ENOENT ? 0 : rc;
    fields = adopted_fields(r->arena, json_at(object, "metadata.managedFields"), options->name,
                            &options->replaces);
    if (!fields)
        return 0;
    log_info(r->log, "taken over", KV("kind", kind->kind), KV("name", live->name));
    return write_fields(r, kind, live, json_str_or(json_at(object, "metadata.resourceVersion"), ""),
                        fields);
}
