/* table_covers.c - whether an object already says all that another one says.
 *
 * This is what keeps a converged cluster free of writes: what the server added does not count. A
 * TIME is compared in whole seconds, because that is all that a server keeps of it.
 */
#include <string.h>

#include "base/str.h"
#include "json/merge.h"
#include "json/quantity.h"
#include "json/table_compare.h"

struct covering {
    struct arena *a;
    const char **ret_path;
};

static bool object_covers(struct covering *c, const struct type *type, const void *have,
                          const void *want, const struct path *up);

static bool differs(struct covering *c, const struct path *path)
{
    if (c->ret_path)
        *c->ret_path = path_text(c->a, path);
    return false;
}

static bool strs_cover(const struct field *f, const void *have, const void *want)
{
    const struct strs *has = AT(have, f, struct strs);

    if (!(f->flags & SET_LIST))
        return field_equal(f, have, want);
    for_each (text, *AT(want, f, struct strs))
        if (!strs_has(*has, *text))
            return false;
    return true;
}

static bool map_covers(struct covering *c, const struct field *f, const struct pairs *have,
                       const struct pairs *want, const struct path *up)
{
    if ((f->flags & ATOMIC || !want->n) && have->n != want->n)
        return differs(c, up);
    for_each (pair, *want) {
        struct path path = { .up = up, .name = pair->key };
        struct pair has = { pair->key, pairs_get(*have, pair->key) };

        if (!has.value || !pairs_equal(f, &has, pair))
            return differs(c, &path);
    }
    return true;
}

/* Members of the key that want leaves to the server (a port's protocol) match whatever is there. */
static bool keys_match(const struct field *f, const void *have, const void *want)
{
    const char *key = f->list_key;

    while (*key) {
        size_t len = strcspn(key, ",");
        const struct field *member = field_named(f->of, key, len);

        if (!member || (!field_is_absent(member, want) && !field_equal(member, have, want)))
            return false;
        key += len + (key[len] == ',');
    }
    return true;
}

/* The element of have that is the one want means; order agrees most of the time. */
static const void *element_for(const struct field *f, const struct any_list *have, const void *want,
                               size_t hint)
{
    if (hint < have->n && keys_match(f, list_at(have, f, hint), want))
        return list_at(have, f, hint);
    for (size_t i = 0; i < have->n; i++)
        if (keys_match(f, list_at(have, f, i), want))
            return list_at(have, f, i);
    return NULL;
}

static bool list_covers(struct covering *c, const struct field *f, const struct any_list *have,
                        const struct any_list *want, const struct path *up)
{
    bool keyed = f->list_key && !(f->flags & ATOMIC);

    if (have->n < want->n || ((!keyed || !want->n) && have->n != want->n))
        return differs(c, up);
    for (size_t i = 0; i < want->n; i++) {
        struct path path = { .up = up, .index = i };
        const void *element = list_at(want, f, i);
        const void *has = keyed ? element_for(f, have, element, i) : list_at(have, f, i);

        if (!has)
            return differs(c, &path);
        if (!object_covers(c, f->of, has, element, &path))
            return false;
    }
    return true;
}

static const void *object_keyed(const struct field *f, const struct any_list *list, const char *key)
{
    for (size_t i = 0; i < list->n; i++)
        if (str_eq(*(const char **)list_at(list, f, i), key))
            return list_at(list, f, i);
    return NULL;
}

static bool objects_cover(struct covering *c, const struct field *f, const struct any_list *have,
                          const struct any_list *want, const struct path *up)
{
    for (size_t i = 0; i < want->n; i++) {
        const void *element = list_at(want, f, i);
        struct path path = { .up = up, .name = *(const char *const *)element };
        const void *has = object_keyed(f, have, path.name);

        if (!has)
            return differs(c, &path);
        if (!object_covers(c, f->of, has, element, &path))
            return false;
    }
    return true;
}

static bool raw_covers(struct covering *c, const struct json *have, const struct json *want,
                       const struct path *path)
{
    const char *inside = NULL;

    if (have && (json_equal(have, want) || json_covers(c->a, have, want, &inside)))
        return true;
    if (c->ret_path)
        *c->ret_path = inside && *inside ? fmt(c->a, "%s.%s", path_text(c->a, path), inside)
                                         : path_text(c->a, path);
    return false;
}

static bool field_covers(struct covering *c, const struct field *f, const void *have,
                         const void *want, const struct path *path)
{
    switch (f->type) {
    case FIELD_TIME:
        return *AT(have, f, usec) / USEC_SEC == *AT(want, f, usec) / USEC_SEC || differs(c, path);
    case FIELD_STRS:
        return strs_cover(f, have, want) || differs(c, path);
    case FIELD_MAP:
        return map_covers(c, f, AT(have, f, struct pairs), AT(want, f, struct pairs), path);
    case FIELD_RAW:
        return raw_covers(c, *AT(have, f, const struct json *), *AT(want, f, const struct json *),
                          path);
    case FIELD_OBJECT:
        return object_covers(c, f->of, AT(have, f, char), AT(want, f, char), path);
    case FIELD_POINTER:
        return *AT(have, f, void *)
                   ? object_covers(c, f->of, *AT(have, f, void *), *AT(want, f, void *), path)
                   : differs(c, path);
    case FIELD_LIST:
        return list_covers(c, f, AT(have, f, struct any_list), AT(want, f, struct any_list), path);
    case FIELD_OBJECTS:
        return objects_cover(c, f, AT(have, f, struct any_list), AT(want, f, struct any_list),
                             path);
    default:
        return field_equal(f, have, want) || differs(c, path);
    }
}

static bool object_covers(struct covering *c, const struct type *type, const void *have,
                          const void *want, const struct path *up)
{
    for (const struct field *f = type->fields; f->type; f++) {
        struct path path = { .up = up, .name = f->name };

        if (!field_is_absent(f, want) && !field_covers(c, f, have, want, &path))
            return false;
    }
    return true;
}

bool table_covers(struct arena *a, const struct type *type, const void *have, const void *want,
                  const char **ret_path)
{
    struct covering covering = { .a = a, .ret_path = ret_path };

    return object_covers(&covering, type, have, want, NULL);
}
