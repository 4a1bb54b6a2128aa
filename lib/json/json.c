/* json.c - making values and looking into them. */
#include "json/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "json/internal.h"

static struct json *make(struct arena *a, enum json_type type)
{
    struct json *v = arena_make(a, struct json);

    v->type = type;
    return v;
}

struct json *json_null(struct arena *a)
{
    return make(a, JSON_NULL);
}

struct json *json_bool(struct arena *a, bool yes)
{
    struct json *v = make(a, JSON_BOOL);

    v->yes = yes;
    return v;
}

struct json *json_int(struct arena *a, int64_t value)
{
    struct json *v = make(a, JSON_INT);

    v->integer = value;
    return v;
}

/* The fewest digits that read back as the same number, with a point so that it stays a real. */
static const char *shortest(struct arena *a, double value)
{
    char text[40];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return fmt(a, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

struct json *json_real(struct arena *a, double value)
{
    struct json *v;

    if (!isfinite(value))
        return json_null(a);
    v = make(a, JSON_REAL);
    v->real.number = value;
    v->real.digits = shortest(a, value);
    return v;
}

struct json *json_strn(struct arena *a, const char *text, size_t len)
{
    struct json *v = make(a, JSON_STR);

    v->str.text = arena_strn(a, text, len);
    v->str.len = len;
    return v;
}

struct json *json_str(struct arena *a, const char *text)
{
    return text ? json_strn(a, text, strlen(text)) : json_null(a);
}

struct json *json_array(struct arena *a)
{
    return make(a, JSON_ARRAY);
}

struct json *json_object(struct arena *a)
{
    return make(a, JSON_OBJECT);
}

static void copy_object(struct arena *a, const struct json *v, struct json *copy)
{
    copy->object.room = v->object.count;
    copy->object.members = arena_make_n(a, struct json_member, v->object.count);
    for (size_t i = 0; i < v->object.count; i++)
        copy->object.members[i] = (struct json_member) {
            .name = arena_str(a, v->object.members[i].name),
            .value = json_copy(a, v->object.members[i].value),
        };
}

static void copy_array(struct arena *a, const struct json *v, struct json *copy)
{
    copy->array.room = v->array.count;
    copy->array.items = arena_make_n(a, struct json *, v->array.count);
    for (size_t i = 0; i < v->array.count; i++)
        copy->array.items[i] = json_copy(a, v->array.items[i]);
}

struct json *json_copy(struct arena *a, const struct json *v)
{
    struct json *copy = arena_copy(a, v, sizeof *v);

    if (v->type == JSON_OBJECT)
        copy_object(a, v, copy);
    else if (v->type == JSON_ARRAY)
        copy_array(a, v, copy);
    else if (v->type == JSON_STR)
        copy->str.text = arena_strn(a, v->str.text, v->str.len);
    else if (v->type == JSON_REAL)
        copy->real.digits = arena_str(a, v->real.digits);
    return copy;
}

/* Room for one more element of size bytes, moving the elements when there is none. */
static void *grown(struct arena *a, void *old, size_t count, size_t *room, size_t size)
{
    void *memory = old;

    if (count == *room) {
        *room = *room ? *room * 2 : 4;
        memory = arena_alloc(a, *room * size);
        if (count)
            memcpy(memory, old, count * size);
    }
    return memory;
}

void json_append(struct arena *a, struct json *object, const char *name, struct json *value)
{
    object->object.members = grown(a, object->object.members, object->object.count,
                                   &object->object.room, sizeof *object->object.members);
    object->object.members[object->object.count++] =
        (struct json_member) { .name = arena_str(a, name), .value = value };
}

void json_add(struct arena *a, struct json *array, struct json *value)
{
    array->array.items = grown(a, array->array.items, array->array.count, &array->array.room,
                               sizeof *array->array.items);
    array->array.items[array->array.count++] = value;
}

static struct json_member *member_of(const struct json *object, const char *name)
{
    if (!object || object->type != JSON_OBJECT)
        return NULL;
    for (size_t i = 0; i < object->object.count; i++)
        if (!strcmp(object->object.members[i].name, name))
            return &object->object.members[i];
    return NULL;
}

void json_set(struct arena *a, struct json *object, const char *name, struct json *value)
{
    struct json_member *member = member_of(object, name);

    if (member)
        member->value = value;
    else
        json_append(a, object, name, value);
}

void json_set_str(struct arena *a, struct json *object, const char *name, const char *text)
{
    if (text)
        json_set(a, object, name, json_str(a, text));
}

void json_remove(struct json *object, const char *name)
{
    struct json_member *member = member_of(object, name);
    struct json_member *end;

    if (!member)
        return;
    end = object->object.members + object->object.count--;
    memmove(member, member + 1, (size_t)(end - member - 1) * sizeof *member);
}

const struct json *json_get(const struct json *object, const char *name)
{
    const struct json_member *member = member_of(object, name);

    return member ? member->value : NULL;
}

/* Whether a path's segment names this member; a backslash in the segment takes the next literally.
 */
static bool segment_is(const char *name, const char *segment, const char *end)
{
    for (; segment < end; segment++, name++) {
        segment += *segment == '\\' && segment + 1 < end;
        if (*name != *segment)
            return false;
    }
    return !*name;
}

static const struct json *step(const struct json *v, const char *segment, const char *end)
{
    size_t index = 0;

    if (v && v->type == JSON_OBJECT) {
        for_each_member (member, v)
            if (segment_is(member->name, segment, end))
                return member->value;
        return NULL;
    }
    if (segment == end || end - segment > 9)
        return NULL;
    for (; segment < end; segment++) {
        if (*segment < '0' || *segment > '9')
            return NULL;
        index = index * 10 + (size_t)(*segment - '0');
    }
    return json_item(v, index);
}

const struct json *json_at(const struct json *v, const char *path)
{
    const char *end;

    if (!*path)
        return v;
    for (; v; path = end + 1) {
        for (end = path; *end && *end != '.'; end++)
            end += *end == '\\' && end[1];
        v = step(v, path, end);
        if (!*end)
            break;
    }
    return v;
}

const char *json_str_or(const struct json *v, const char *otherwise)
{
    return v && v->type == JSON_STR ? v->str.text : otherwise;
}

int64_t json_int_or(const struct json *v, int64_t otherwise)
{
    return v && v->type == JSON_INT ? v->integer : otherwise;
}

double json_real_or(const struct json *v, double otherwise)
{
    if (v && v->type == JSON_INT)
        return (double)v->integer;
    return v && v->type == JSON_REAL ? v->real.number : otherwise;
}

bool json_bool_or(const struct json *v, bool otherwise)
{
    return v && v->type == JSON_BOOL ? v->yes : otherwise;
}

size_t json_count(const struct json *v)
{
    if (v && v->type == JSON_ARRAY)
        return v->array.count;
    return v && v->type == JSON_OBJECT ? v->object.count : 0;
}

const struct json *json_item(const struct json *array, size_t i)
{
    return array && array->type == JSON_ARRAY && i < array->array.count ? array->array.items[i]
                                                                        : NULL;
}

const char *json_type_name(enum json_type type)
{
    static const char *const names[] = {
        [JSON_NULL] = "null",        [JSON_BOOL] = "a boolean", [JSON_INT] = "an integer",
        [JSON_REAL] = "a number",    [JSON_STR] = "a string",   [JSON_ARRAY] = "an array",
        [JSON_OBJECT] = "an object",
    };

    return names[type];
}
