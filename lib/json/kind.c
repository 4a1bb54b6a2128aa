/* kind.c - objects dressed for the API. */
#include "json/kind.h"

const char *kind_api_version(struct arena *a, const struct kind *kind)
{
    return *kind->group ? fmt(a, "%s/%s", kind->group, kind->version) : kind->version;
}

struct json *kind_json(struct arena *a, const struct kind *kind, const void *object)
{
    struct json *whole = json_object(a);
    const struct json *fields = table_json(a, kind->type, object);

    json_set_str(a, whole, "apiVersion", kind_api_version(a, kind));
    json_set_str(a, whole, "kind", kind->kind);
    for_each_member (member, fields)
        json_set(a, whole, member->name, member->value);
    return whole;
}

void kind_write(const struct kind *kind, const void *object, struct buf *out)
{
    scoped(arena) struct arena *a = arena_new();

    json_write(kind_json(a, kind, object), JSON_COMPACT, out);
}
