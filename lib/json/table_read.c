/* table_read.c - from JSON text straight into a struct.
 *
 * yyjson checks the text and unescapes its strings in place, in the one copy that the arena holds;
 * the walk then only sets pointers to them. Members that no row names are stepped over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "json/table_internal.h"

struct reader {
    struct arena *a;
    struct error *err;
};

static int read_object(struct reader *r, const struct type *type, yyjson_val *v, void *object,
                       const struct path *up);

enum { QUOTE_MAX = 60 };

static int wrong(struct reader *r, const struct field *f, const char *want, yyjson_val *v,
                 const struct path *path)
{
    const char *where = path_text(r->a, path);
    size_t len = yyjson_get_len(v);

    if (!yyjson_is_str(v) || f->flags & SENSITIVE)
        return fail(r->err, -EINVAL, "%s: want %s, got %s", where, want,
                    yyjson_is_raw(v) ? "a number" : yyjson_get_type_desc(v));
    return fail(r->err, -EINVAL, "%s: want %s, got \"%.*s%s\"", where, want,
                (int)(len > QUOTE_MAX ? QUOTE_MAX : len), yyjson_get_str(v),
                len > QUOTE_MAX ? "..." : "");
}

static int read_text(struct reader *r, const struct field *f, yyjson_val *v, const char **ret,
                     const struct path *path)
{
    if (!yyjson_is_str(v))
        return wrong(r, f, "a string", v, path);
    if (strlen(unsafe_yyjson_get_str(v)) != unsafe_yyjson_get_len(v))
        return fail(r->err, -EINVAL, "%s: the text holds a NUL character", path_text(r->a, path));
    *ret = unsafe_yyjson_get_str(v);
    return 0;
}

static int read_quantity(struct reader *r, const struct field *f, yyjson_val *v, const char **ret,
                         const struct path *path)
{
    if (yyjson_is_raw(v)) {
        *ret = yyjson_get_raw(v);
        return 0;
    }
    return read_text(r, f, v, ret, path);
}

static int read_int(struct reader *r, const struct field *f, yyjson_val *v, struct maybe_int *ret,
                    const struct path *path)
{
    int64_t value;

    if (!yy_int(v, &value))
        return wrong(r, f, "an integer", v, path);
    *ret = (struct maybe_int)SOME(value);
    return 0;
}

static int read_real(struct reader *r, const struct field *f, yyjson_val *v, struct maybe_real *ret,
                     const struct path *path)
{
    double value;

    if (!yy_real(v, &value))
        return wrong(r, f, "a number", v, path);
    *ret = (struct maybe_real)SOME(value);
    return 0;
}

static int read_bool(struct reader *r, const struct field *f, yyjson_val *v, enum flag *ret,
                     const struct path *path)
{
    if (!yyjson_is_bool(v))
        return wrong(r, f, "true or false", v, path);
    *ret = unsafe_yyjson_get_bool(v) ? YES : NO;
    return 0;
}

/* Years 0 to 9999, in which a time can be written again after its zone is gone. */
static const usec first_time = INT64_C(-62167219200) * USEC_SEC;
static const usec last_time = INT64_C(253402300800) * USEC_SEC - 1;

static int read_time(struct reader *r, const struct field *f, yyjson_val *v, usec *ret,
                     const struct path *path)
{
    usec time;

    if (!yyjson_is_str(v) || !time_parse(unsafe_yyjson_get_str(v), &time) || time < first_time ||
        time > last_time)
        return wrong(r, f, "a time like 2026-01-02T03:04:05Z", v, path);
    if (f->type == FIELD_TIME)
        time -= (time % USEC_SEC + USEC_SEC) % USEC_SEC;
    *ret = time;
    return 0;
}

static int read_int_or_str(struct reader *r, const struct field *f, yyjson_val *v,
                           struct int_or_str *ret, const struct path *path)
{
    struct int_or_str either = { 0 };

    if (yyjson_is_str(v)) {
        either.type = A_STR;
        if (read_text(r, f, v, &either.text, path) < 0)
            return -EINVAL;
    } else if (yy_int(v, &either.value)) {
        either.type = AN_INT;
    } else {
        return wrong(r, f, "an integer or a string", v, path);
    }
    *ret = either;
    return 0;
}

static int read_strs(struct reader *r, const struct field *f, yyjson_val *v, struct strs *ret,
                     const struct path *up)
{
    struct strs strs = { 0 };
    size_t i, n;
    yyjson_val *item;

    if (!yyjson_is_arr(v))
        return wrong(r, f, "a list of strings", v, up);
    strs.v = arena_make_n(r->a, const char *, unsafe_yyjson_get_len(v));
    yyjson_arr_foreach(v, i, n, item)
    {
        struct path path = { .up = up, .index = i };

        if (read_text(r, f, item, &strs.v[strs.n++], &path) < 0)
            return -EINVAL;
    }
    *ret = strs;
    return 0;
}

/* A key that stands twice would mean one thing to us and another to whoever reads it next. */
static int refuse_twice(struct reader *r, struct pairs pairs, const struct path *up)
{
    for (size_t i = 1; i < pairs.n; i++)
        if (str_eq(pairs.v[i - 1].key, pairs.v[i].key))
            return fail(r->err, -EINVAL, "%s: the key \"%s\" stands there twice",
                        path_text(r->a, up), pairs.v[i].key);
    return 0;
}

static int read_map(struct reader *r, const struct field *f, yyjson_val *v, struct pairs *ret,
                    const struct path *up)
{
    struct pairs pairs = { 0 };
    size_t i, n;
    yyjson_val *key, *item;

    if (!yyjson_is_obj(v))
        return wrong(r, f, "an object of strings", v, up);
    pairs.v = arena_make_n(r->a, struct pair, unsafe_yyjson_get_len(v));
    yyjson_obj_foreach(v, i, n, key, item)
    {
        struct path path = { .up = up, .name = unsafe_yyjson_get_str(key) };
        struct pair *pair = &pairs.v[pairs.n];

        if (unsafe_yyjson_is_null(item))
            continue;
        if (read_text(r, f, key, &pair->key, &path) < 0 ||
            (f->flags & QUANTITIES ? read_quantity : read_text)(r, f, item, &pair->value, &path) <
                0)
            return -EINVAL;
        pairs.n++;
    }
    pairs_sort(pairs);
    *ret = pairs;
    return refuse_twice(r, pairs, up);
}

static int read_raw(struct reader *r, yyjson_val *v, const struct json **ret,
                    const struct path *path)
{
    struct json *value;
    int rc = json_from_yy(r->a, v, &value, r->err);

    if (rc < 0)
        return wrap(r->err, "%s", path_text(r->a, path));
    *ret = value;
    return 0;
}

static int read_pointer(struct reader *r, const struct field *f, yyjson_val *v, void **ret,
                        const struct path *path)
{
    void *object = arena_alloc(r->a, f->of->size);

    *ret = object;
    return read_object(r, f->of, v, object, path);
}

static int read_list(struct reader *r, const struct field *f, yyjson_val *v, struct any_list *ret,
                     const struct path *up)
{
    size_t i, n;
    yyjson_val *item;

    if (!yyjson_is_arr(v))
        return wrong(r, f, "a list", v, up);
    *ret = (struct any_list) { arena_alloc(r->a, unsafe_yyjson_get_len(v) * f->of->size),
                               unsafe_yyjson_get_len(v) };
    yyjson_arr_foreach(v, i, n, item)
    {
        struct path path = { .up = up, .index = i };

        if (read_object(r, f->of, item, list_at(ret, f, i), &path) < 0)
            return -EINVAL;
    }
    return 0;
}

static int compare_keys(const void *x, const void *y)
{
    return str_cmp(*(const char *const *)x, *(const char *const *)y);
}

static int read_objects(struct reader *r, const struct field *f, yyjson_val *v,
                        struct any_list *ret, const struct path *up)
{
    size_t i, n;
    yyjson_val *key, *item;

    if (!yyjson_is_obj(v))
        return wrong(r, f, "an object", v, up);
    *ret = (struct any_list) { arena_alloc(r->a, unsafe_yyjson_get_len(v) * f->of->size), 0 };
    yyjson_obj_foreach(v, i, n, key, item)
    {
        struct path path = { .up = up, .name = unsafe_yyjson_get_str(key) };
        char *object = list_at(ret, f, ret->n++);

        if (read_text(r, f, key, (const char **)object, &path) < 0 ||
            read_object(r, f->of, item, object, &path) < 0)
            return -EINVAL;
    }
    qsort(ret->v, ret->n, f->of->size, compare_keys);
    for (i = 1; i < ret->n; i++)
        if (!compare_keys(list_at(ret, f, i - 1), list_at(ret, f, i)))
            return fail(r->err, -EINVAL, "%s: the key \"%s\" stands there twice",
                        path_text(r->a, up), *(const char **)list_at(ret, f, i));
    return 0;
}

static int read_member(struct reader *r, const struct field *f, yyjson_val *v, void *object,
                       const struct path *path)
{
    if (unsafe_yyjson_is_null(v) && f->type != FIELD_RAW)
        return 0;
    switch (f->type) {
    case FIELD_STR:
        return read_text(r, f, v, AT(object, f, const char *), path);
    case FIELD_QUANTITY:
        return read_quantity(r, f, v, AT(object, f, const char *), path);
    case FIELD_INT:
        return read_int(r, f, v, AT(object, f, struct maybe_int), path);
    case FIELD_REAL:
        return read_real(r, f, v, AT(object, f, struct maybe_real), path);
    case FIELD_BOOL:
        return read_bool(r, f, v, AT(object, f, enum flag), path);
    case FIELD_TIME:
    case FIELD_MICROTIME:
        return read_time(r, f, v, AT(object, f, usec), path);
    case FIELD_INT_STR:
        return read_int_or_str(r, f, v, AT(object, f, struct int_or_str), path);
    case FIELD_STRS:
        return read_strs(r, f, v, AT(object, f, struct strs), path);
    case FIELD_MAP:
        return read_map(r, f, v, AT(object, f, struct pairs), path);
    case FIELD_RAW:
        return read_raw(r, v, AT(object, f, const struct json *), path);
    case FIELD_OBJECT:
        return read_object(r, f->of, v, AT(object, f, char), path);
    case FIELD_POINTER:
        return read_pointer(r, f, v, AT(object, f, void *), path);
    case FIELD_LIST:
        return read_list(r, f, v, AT(object, f, struct any_list), path);
    default:
        return read_objects(r, f, v, AT(object, f, struct any_list), path);
    }
}

static bool name_is(const struct field *f, const char *name, size_t len)
{
    return f->name_len == len && !memcmp(f->name, name, len);
}

/* Objects come in the order of their tables, so the row after the last one is tried first. Tells
 * apart a name that no row has and one that dotted rows reach through. */
static const struct field *row_for(const struct type *type, const struct field *hint,
                                   const char *name, size_t len, bool *ret_reaches)
{
    if (hint->type && name_is(hint, name, len))
        return hint;
    for (const struct field *f = type->fields; f->type; f++) {
        if (f->name_len < len || f->name[0] != name[0] || memcmp(f->name, name, len) != 0)
            continue;
        if (f->name_len == len)
            return f;
        *ret_reaches |= f->name[len] == '.';
    }
    return NULL;
}

/* The rows "Status.Health" and "Status.State", once their object Status has been met. */
static int read_reaching(struct reader *r, const struct type *type, const char *name,
                         yyjson_val *in, void *object, const struct path *up)
{
    size_t len = strlen(name);

    for (const struct field *f = type->fields; f->type; f++) {
        struct path path = { .up = up, .name = f->name };
        const char *rest = f->name + len;
        yyjson_val *v = in;

        if (f->name_len <= len || memcmp(f->name, name, len) != 0)
            continue;
        while (v && *rest == '.') {
            size_t part = strcspn(++rest, ".");

            v = yyjson_obj_getn(v, rest, part);
            rest += part;
        }
        if (v && !*rest && read_member(r, f, v, object, &path) < 0)
            return -EINVAL;
    }
    return 0;
}

static int read_object(struct reader *r, const struct type *type, yyjson_val *v, void *object,
                       const struct path *up)
{
    const struct field *hint = type->fields;
    uint64_t seen[4] = { 0 }; /* a row may be met once; name_len and this bound tables at 255 */
    size_t i, n;
    yyjson_val *key, *item;

    if (!yyjson_is_obj(v))
        return wrong(r, &(struct field) { 0 }, "an object", v, up);
    yyjson_obj_foreach(v, i, n, key, item)
    {
        const char *name = unsafe_yyjson_get_str(key);
        bool reaches = false;
        const struct field *f = row_for(type, hint, name, unsafe_yyjson_get_len(key), &reaches);
        struct path path = { .up = up, .name = name };
        size_t row = f ? (size_t)(f - type->fields) : 0;

        if (reaches && read_reaching(r, type, name, item, object, up) < 0)
            return -EINVAL;
        if (!f)
            continue;
        if (seen[row / 64] >> row % 64 & 1)
            return fail(r->err, -EINVAL, "%s: stands there twice", path_text(r->a, &path));
        seen[row / 64] |= UINT64_C(1) << row % 64;
        if (read_member(r, f, item, object, &path) < 0)
            return -EINVAL;
        hint = f + 1;
    }
    return 0;
}

/* The document whose strings lie in a copy of the text, in the arena. */
static int parse(struct arena *a, const char *text, size_t len, yyjson_doc **ret, struct error *err)
{
    char *copy = arena_alloc(a, len + YYJSON_PADDING_SIZE);

    memcpy(copy, text, len);
    *ret = yyjson_read_opts(copy, len, YYJSON_READ_INSITU | YYJSON_READ_NUMBER_AS_RAW, NULL, NULL);
    if (*ret)
        return 0;
    if (json_yy_read(text, len, ret, err) == 0) /* says where and why */
        abort(); /* good JSON after all: the first attempt ran out of memory */
    return -EBADMSG;
}

int table_read(struct arena *a, const struct type *type, const char *text, size_t len, void *object,
               struct error *err)
{
    struct reader r = { .a = a, .err = err };
    scoped(yy) yyjson_doc *doc = NULL;
    int rc = parse(a, text, len, &doc, err);

    if (rc < 0)
        return rc;
    return read_object(&r, type, yyjson_doc_get_root(doc), object, NULL);
}

int table_read_json(struct arena *a, const struct type *type, const struct json *v, void *object,
                    struct error *err)
{
    scoped(buf) struct buf text = { 0 };

    json_write(v, JSON_COMPACT, &text);
    return table_read(a, type, buf_text(&text), text.len, object, err);
}

int table_read_member(struct arena *a, const struct field *f, const char *text, void *object,
                      const struct path *path, struct error *err)
{
    struct reader r = { .a = a, .err = err };
    scoped(yy) yyjson_doc *doc = NULL;
    int rc = parse(a, text, strlen(text), &doc, err);

    if (rc < 0)
        return rc;
    return read_member(&r, f, yyjson_doc_get_root(doc), object, path);
}
