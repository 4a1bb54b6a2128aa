/* parse.c - text to value: yyjson reads it, we check what it does not and copy it into an arena. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json/internal.h"

struct conversion {
    struct arena *arena;
    struct error *err;
};

int json_yy_read(const char *text, size_t len, yyjson_doc **ret, struct error *err)
{
    yyjson_read_err problem = { 0 };
    /* without INSITU the text is only read, whatever the signature says */
    yyjson_doc *doc =
        yyjson_read_opts((char *)text, len, YYJSON_READ_NUMBER_AS_RAW, NULL, &problem);
    size_t line = 1;
    size_t column = 1;

    if (doc) {
        *ret = doc;
        return 0;
    }
    if (problem.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
        abort();
    if (!len)
        return fail(err, -EBADMSG, "not JSON: the text is empty");
    for (const char *at = text; at < text + problem.pos && at < text + len; at++) {
        line += *at == '\n';
        column = *at == '\n' ? 1 : column + 1;
    }
    return fail(err, -EBADMSG, "not JSON: line %zu, column %zu: %s", line, column, problem.msg);
}

static int refuse(struct conversion *c, const struct path *path, const char *problem)
{
    return fail(c->err, -EBADMSG, "%s: %s", path_text(c->arena, path), problem);
}

static int convert(struct conversion *c, yyjson_val *v, const struct path *path, int depth,
                   struct json *out);

static int convert_array(struct conversion *c, yyjson_val *v, const struct path *path, int depth,
                         struct json *out)
{
    struct path here = { .up = path };
    struct json *items;
    yyjson_val *item;
    size_t i, n;
    int rc = 0;

    out->type = JSON_ARRAY;
    out->array.count = out->array.room = yyjson_arr_size(v);
    out->array.items = arena_make_n(c->arena, struct json *, out->array.count);
    items = arena_make_n(c->arena, struct json, out->array.count);
    yyjson_arr_foreach(v, i, n, item)
    {
        here.index = i;
        out->array.items[i] = &items[i];
        rc = convert(c, item, &here, depth + 1, &items[i]);
        if (rc < 0)
            break;
    }
    return rc;
}

static int refuse_twice(struct conversion *c, const struct path *path, const char *name)
{
    struct path here = { .up = path, .name = name };

    return refuse(c, &here, "the key is there twice");
}

static int check_unique(struct conversion *c, const struct path *path, const struct json *object)
{
    scoped(free) const struct json_member **sorted = members_sorted(object);

    for (size_t i = 1; i < object->object.count; i++)
        if (!strcmp(sorted[i - 1]->name, sorted[i]->name))
            return refuse_twice(c, path, sorted[i]->name);
    return 0;
}

/* For the few members that objects have, looking at each pair is faster than sorting. */
static int check_unique_small(struct conversion *c, const struct path *path,
                              const struct json *object)
{
    for (size_t i = 1; i < object->object.count; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(object->object.members[i].name, object->object.members[j].name))
                return refuse_twice(c, path, object->object.members[i].name);
    return 0;
}

static int convert_members(struct conversion *c, yyjson_val *v, const struct path *path, int depth,
                           struct json *out)
{
    struct json *values = arena_make_n(c->arena, struct json, out->object.count);
    struct path here = { .up = path };
    yyjson_val *key, *value;
    size_t i, n;

    yyjson_obj_foreach(v, i, n, key, value)
    {
        here.name = arena_strn(c->arena, yyjson_get_str(key), yyjson_get_len(key));
        if (strlen(here.name) != yyjson_get_len(key))
            return refuse(c, &here, "the key goes on after a NUL character");
        out->object.members[i] = (struct json_member) { .name = here.name, .value = &values[i] };
        if (convert(c, value, &here, depth + 1, &values[i]) < 0)
            return -EBADMSG;
    }
    return 0;
}

static int convert_object(struct conversion *c, yyjson_val *v, const struct path *path, int depth,
                          struct json *out)
{
    int rc;

    out->type = JSON_OBJECT;
    out->object.count = out->object.room = yyjson_obj_size(v);
    out->object.members = arena_make_n(c->arena, struct json_member, out->object.count);
    rc = convert_members(c, v, path, depth, out);
    if (rc < 0)
        return rc;
    return out->object.count <= 16 ? check_unique_small(c, path, out) : check_unique(c, path, out);
}

static void convert_number(struct conversion *c, yyjson_val *v, struct json *out)
{
    out->type = JSON_INT;
    if (yy_int(v, &out->integer))
        return;
    out->type = JSON_REAL;
    yy_real(v, &out->real.number);
    out->real.digits = arena_strn(c->arena, yyjson_get_raw(v), yyjson_get_len(v));
}

static int convert(struct conversion *c, yyjson_val *v, const struct path *path, int depth,
                   struct json *out)
{
    if (depth == JSON_DEPTH_MAX && yyjson_is_ctn(v))
        return refuse(c, path, "nested too deeply");
    switch (yyjson_get_type(v)) {
    case YYJSON_TYPE_ARR:
        return convert_array(c, v, path, depth, out);
    case YYJSON_TYPE_OBJ:
        return convert_object(c, v, path, depth, out);
    case YYJSON_TYPE_RAW:
        convert_number(c, v, out);
        return 0;
    case YYJSON_TYPE_STR:
        out->type = JSON_STR;
        out->str.len = yyjson_get_len(v);
        out->str.text = arena_strn(c->arena, yyjson_get_str(v), out->str.len);
        return 0;
    case YYJSON_TYPE_BOOL:
        out->type = JSON_BOOL;
        out->yes = yyjson_get_bool(v);
        return 0;
    default:
        out->type = JSON_NULL;
        return 0;
    }
}

int json_from_yy(struct arena *a, yyjson_val *v, struct json **ret, struct error *err)
{
    struct conversion c = { .arena = a, .err = err };
    struct json *out = arena_make(a, struct json);

    if (convert(&c, v, NULL, 0, out) < 0)
        return -EBADMSG;
    *ret = out;
    return 0;
}

int json_parse(struct arena *a, const char *text, size_t len, struct json **ret, struct error *err)
{
    scoped(yy) yyjson_doc *doc = NULL;

    if (json_yy_read(text, len, &doc, err) < 0)
        return -EBADMSG;
    return json_from_yy(a, yyjson_doc_get_root(doc), ret, err);
}
