/* values.c - JSON values changed by copying. */
#include "build/values.h"

#include "base/str.h"

bool value_is_object(const struct json *v)
{
    return v && v->type == JSON_OBJECT;
}

size_t value_items(const struct json *list)
{
    return list && list->type == JSON_ARRAY ? json_count(list) : 0;
}

/* A new object with the same members. */
static struct json *same(struct arena *a, const struct json *object)
{
    struct json *copy = json_object(a);

    if (value_is_object(object))
        for_each_member (member, object)
            json_append(a, copy, member->name, member->value);
    return copy;
}

struct json *value_with(struct arena *a, const struct json *object, const char *name,
                        const struct json *value)
{
    struct json *copy = same(a, object);

    json_set(a, copy, name, (struct json *)value);
    return copy;
}

struct json *value_without(struct arena *a, const struct json *object, const char *name)
{
    struct json *copy = same(a, object);

    json_remove(copy, name);
    return copy;
}

struct json *value_joined(struct arena *a, const struct json *one, const struct json *other)
{
    struct json *list = json_array(a);

    for (size_t i = 0; i < value_items(one); i++)
        json_add(a, list, (struct json *)json_item(one, i));
    for (size_t i = 0; i < value_items(other); i++)
        json_add(a, list, (struct json *)json_item(other, i));
    return list;
}

struct json *value_list(struct arena *a, struct strs texts)
{
    struct json *list = json_array(a);

    for_each (text, texts)
        json_add(a, list, json_str(a, *text));
    return list;
}

bool value_has(const struct json *list, const struct json *item)
{
    for (size_t i = 0; i < value_items(list); i++)
        if (json_equal(json_item(list, i), item))
            return true;
    return false;
}

const struct json *value_named(const struct json *list, const char *member, const char *text)
{
    for (size_t i = 0; text && i < value_items(list); i++) {
        const struct json *item = json_item(list, i);

        if (str_eq(json_str_or(json_get(item, member), NULL), text))
            return item;
    }
    return NULL;
}
