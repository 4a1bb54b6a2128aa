/* covers.c - whether an object already says what we want it to say. */
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "json/internal.h"
#include "json/list_key.h"
#include "json/merge.h"
#include "json/quantity.h"

struct covering {
    struct arena *arena;
    const char *difference; /* the path of the first */
};

/* Maps whose values are quantities, and single members that are. */
static const char *const quantity_maps[] = {
    "allocatable", "capacity", "default",  "defaultRequest", "hard", "limits", "max",
    "min",         "overhead", "podFixed", "requests",       "used", NULL
};
static const char *const quantity_members[] = { "divisor", "sizeLimit", "storage", NULL };

/* Fields for which false, 0 or {} and absent are one and the same, so that the server drops them.
 */
static const char *const dropped_when_empty[] = {
    "annotations",
    "data",
    "hostIPC",
    "hostNetwork",
    "hostPID",
    "hostPort",
    "labels",
    "limits",
    "matchLabels",
    "minReadySeconds",
    "nodeSelector",
    "paused",
    "publishNotReadyAddresses",
    "readOnly",
    "requests",
    "selector",
    "stdin",
    "stdinOnce",
    "stringData",
    "tty",
    NULL,
};
/* Fields for which "" means something that absent does not. */
static const char *const kept_when_empty[] = { "storageClassName", "volumeAttributesClassName",
                                               "runtimeClassName", NULL };

static bool differ(struct covering *c, const struct path *path)
{
    c->difference = path_text(c->arena, path);
    return false;
}

static const char *field_of(const struct path *path)
{
    return path ? path->name : NULL;
}

static bool is_quantity(const struct path *path)
{
    return path && path->name &&
           (str_in(path->name, quantity_members) || str_in(field_of(path->up), quantity_maps));
}

/* A quantity may be a string or a number. */
static bool same_quantity(struct arena *a, const struct json *have, const struct json *want)
{
    const char *x = json_str_or(have, NULL) ?: json_text(a, have);
    const char *y = json_str_or(want, NULL) ?: json_text(a, want);

    return quantity_equal(x, y);
}

/* Whether the server would leave out a field of this value. */
static bool may_be_absent(const struct json *want, const char *field)
{
    switch (want->type) {
    case JSON_NULL:
        return true;
    case JSON_ARRAY:
        return want->array.count == 0;
    case JSON_STR:
        return want->str.len == 0 && !str_in(field, kept_when_empty);
    case JSON_BOOL:
        return !want->yes && str_in(field, dropped_when_empty);
    case JSON_INT:
        return !want->integer && str_in(field, dropped_when_empty);
    case JSON_OBJECT:
        return want->object.count == 0 && str_in(field, dropped_when_empty);
    default:
        return false;
    }
}

static bool covers(struct covering *c, const struct json *have, const struct json *want,
                   const struct path *path);

static bool covers_object(struct covering *c, const struct json *have, const struct json *want,
                          const struct path *path)
{
    scoped(finder) struct finder members = { 0 };

    finder_init(&members, have);
    for_each_member (member, want) {
        struct path here = { .up = path, .name = member->name };

        if (!covers(c, finder_get(&members, member->name), member->value, &here))
            return false;
    }
    return true;
}

/* Element by element: the list is one thing, and only the members of its elements may be more. */
static bool covers_whole_list(struct covering *c, const struct json *have, const struct json *want,
                              const struct path *path)
{
    struct path here = { .up = path };

    if (json_count(have) != json_count(want))
        return differ(c, path);
    for (here.index = 0; here.index < json_count(want); here.index++)
        if (!covers(c, json_item(have, here.index), json_item(want, here.index), &here))
            return false;
    return true;
}

static void index_list(struct covering *c, const struct list_rule *rule, const struct json *list,
                       struct map *at)
{
    for (size_t i = 0; i < json_count(list); i++) {
        const char *key = list_key_of(c->arena, rule, json_item(list, i));

        if (key)
            map_put(at, key, list->array.items[i]);
    }
}

static bool covers_elements(struct covering *c, const struct list_rule *rule,
                            const struct map *have, const struct json *want,
                            const struct path *path)
{
    struct path here = { .up = path };

    for (here.index = 0; here.index < json_count(want); here.index++) {
        const struct json *element = json_item(want, here.index);
        const char *key = list_key_of(c->arena, rule, element);
        const struct json *found = key ? map_get(have, key) : NULL;

        if (!found)
            return differ(c, &here);
        if (!covers(c, found, element, &here))
            return false;
    }
    return true;
}

static bool covers_list(struct covering *c, const struct json *have, const struct json *want,
                        const struct path *path)
{
    const struct list_rule *rule = list_rule_of(field_of(path), have, want);
    struct map elements = { 0 };
    bool covered;

    if (!rule)
        return covers_whole_list(c, have, want, path);
    if (!rule->shared && json_count(have) != json_count(want))
        return differ(c, path);
    index_list(c, rule, have, &elements);
    covered = covers_elements(c, rule, &elements, want, path);
    map_done(&elements, NULL);
    return covered;
}

static bool covers(struct covering *c, const struct json *have, const struct json *want,
                   const struct path *path)
{
    bool present = have && have->type != JSON_NULL;

    if (!present)
        return may_be_absent(want, field_of(path)) || differ(c, path);
    if (want->type == JSON_OBJECT && have->type == JSON_OBJECT)
        return covers_object(c, have, want, path);
    if (want->type == JSON_ARRAY && have->type == JSON_ARRAY)
        return covers_list(c, have, want, path);
    if (json_equal(have, want) || (is_quantity(path) && same_quantity(c->arena, have, want)))
        return true;
    return differ(c, path);
}

bool json_covers(struct arena *a, const struct json *have, const struct json *want,
                 const char **ret_path)
{
    struct covering c = { .arena = a };
    bool covered = covers(&c, have, want, NULL);

    if (!covered && ret_path)
        *ret_path = c.difference;
    return covered;
}
