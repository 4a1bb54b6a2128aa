/* table_write.c - from a struct to a JSON value, and through it to text and to a hash. */
#include <string.h>

#include "json/table_internal.h"

static struct json *make(struct arena *a, enum json_type type)
{
    struct json *v = arena_make(a, struct json);

    v->type = type;
    return v;
}

static struct json *object_with_room(struct arena *a, size_t room)
{
    struct json *v = make(a, JSON_OBJECT);

    v->object.members = arena_make_n(a, struct json_member, room);
    v->object.room = room;
    return v;
}

static struct json *array_with_room(struct arena *a, size_t room)
{
    struct json *v = make(a, JSON_ARRAY);

    v->array.items = arena_make_n(a, struct json *, room);
    v->array.room = room;
    return v;
}

/* Straight into the room: json_set() would look for the name among those already there. */
static void add_member(struct json *object, const char *name, struct json *value)
{
    object->object.members[object->object.count++] = (struct json_member) { name, value };
}

static struct json *strs_json(struct arena *a, const struct strs *strs)
{
    struct json *v = array_with_room(a, strs->n);

    for (size_t i = 0; i < strs->n; i++)
        v->array.items[v->array.count++] = json_str(a, strs->v[i] ?: "");
    return v;
}

static struct json *map_json(struct arena *a, struct pairs pairs)
{
    struct json *v = object_with_room(a, pairs.n);

    if (pairs.n) /* hand-made maps may come in any order */
        pairs.v = arena_copy(a, pairs.v, pairs.n * sizeof *pairs.v);
    pairs_sort(pairs);
    for_each (pair, pairs)
        add_member(v, arena_str(a, pair->key), json_str(a, pair->value ?: ""));
    return v;
}

static struct json *list_json(struct arena *a, const struct field *f, const struct any_list *list)
{
    struct json *v = array_with_room(a, list->n);

    for (size_t i = 0; i < list->n; i++)
        v->array.items[v->array.count++] = table_json(a, f->of, list_at(list, f, i));
    return v;
}

static struct json *objects_json(struct arena *a, const struct field *f,
                                 const struct any_list *list)
{
    struct json *v = object_with_room(a, list->n);

    for (size_t i = 0; i < list->n; i++) {
        const void *object = list_at(list, f, i);

        add_member(v, arena_str(a, *(const char *const *)object), table_json(a, f->of, object));
    }
    return v;
}

static struct json *int_or_str_json(struct arena *a, const struct int_or_str *either)
{
    return either->type == A_STR ? json_str(a, either->text ?: "") : json_int(a, either->value);
}

static struct json *member_json(struct arena *a, const struct field *f, const void *object)
{
    switch (f->type) {
    case FIELD_STR:
    case FIELD_QUANTITY:
        return json_str(a, *AT(object, f, const char *));
    case FIELD_INT:
        return json_int(a, AT(object, f, struct maybe_int)->value);
    case FIELD_REAL:
        return json_real(a, AT(object, f, struct maybe_real)->value);
    case FIELD_BOOL:
        return json_bool(a, *AT(object, f, enum flag) == YES);
    case FIELD_TIME:
    case FIELD_MICROTIME:
        return json_str(a, time_text(a, *AT(object, f, usec), f->type == FIELD_MICROTIME));
    case FIELD_INT_STR:
        return int_or_str_json(a, AT(object, f, struct int_or_str));
    case FIELD_STRS:
        return strs_json(a, AT(object, f, struct strs));
    case FIELD_MAP:
        return map_json(a, *AT(object, f, struct pairs));
    case FIELD_RAW:
        return json_copy(a, *AT(object, f, const struct json *));
    case FIELD_OBJECT:
        return table_json(a, f->of, AT(object, f, char));
    case FIELD_POINTER:
        return table_json(a, f->of, *AT(object, f, void *));
    case FIELD_LIST:
        return list_json(a, f, AT(object, f, struct any_list));
    default:
        return objects_json(a, f, AT(object, f, struct any_list));
    }
}

struct json *table_json(struct arena *a, const struct type *type, const void *object)
{
    size_t room = 0;
    struct json *v;

    for (const struct field *f = type->fields; f->type; f++)
        room += !field_is_absent(f, object);
    v = object_with_room(a, room);
    for (const struct field *f = type->fields; f->type; f++)
        if (!field_is_absent(f, object))
            add_member(v, f->name, member_json(a, f, object));
    return v;
}

void table_write(const struct type *type, const void *object, struct buf *out)
{
    scoped(arena) struct arena *a = arena_new();

    json_write(table_json(a, type, object), JSON_COMPACT, out);
}

uint64_t table_hash(const struct type *type, const void *object)
{
    scoped(arena) struct arena *a = arena_new();

    return json_hash(table_json(a, type, object));
}
