/* table.c - the walker's small parts: rows by name, absence, values by path. */
#include "json/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "json/table_internal.h"

static char nothing;
void *const table_nothing = &nothing;

size_t field_element_size(const struct field *f)
{
    switch (f->type) {
    case FIELD_STRS:
        return sizeof(const char *);
    case FIELD_MAP:
        return sizeof(struct pair);
    default:
        return f->of->size;
    }
}

bool field_is_absent(const struct field *f, const void *object)
{
    switch (f->type) {
    case FIELD_INT:
        return !AT(object, f, struct maybe_int)->set;
    case FIELD_REAL:
        return !AT(object, f, struct maybe_real)->set;
    case FIELD_BOOL:
        return *AT(object, f, enum flag) == UNSET;
    case FIELD_TIME:
    case FIELD_MICROTIME:
        return *AT(object, f, usec) == 0;
    case FIELD_INT_STR:
        return AT(object, f, struct int_or_str)->type == NEITHER;
    case FIELD_OBJECT:
        return table_is_empty(f->of, AT(object, f, char));
    default: /* texts, raw values, pointers and the arrays of lists */
        return !*AT(object, f, void *);
    }
}

bool table_is_empty(const struct type *type, const void *object)
{
    for (const struct field *f = type->fields; f->type; f++)
        if (!field_is_absent(f, object))
            return false;
    return true;
}

const struct field *field_named(const struct type *type, const char *name, size_t len)
{
    for (const struct field *f = type->fields; f->type; f++)
        if (f->name_len == len && !memcmp(f->name, name, len))
            return f;
    return NULL;
}

const char *pairs_get(struct pairs pairs, const char *key)
{
    for_each (pair, pairs)
        if (str_eq(pair->key, key))
            return pair->value;
    return NULL;
}

struct pairs pairs_with(struct arena *a, struct pairs pairs, const char *key, const char *value)
{
    struct pairs more = { .v = arena_make_n(a, struct pair, pairs.n + 1) };

    for_each (pair, pairs)
        if (!str_eq(pair->key, key))
            more.v[more.n++] = *pair;
    more.v[more.n++] = (struct pair) { arena_str(a, key), arena_str(a, value) };
    pairs_sort(more);
    return more;
}

static int compare_pairs(const void *x, const void *y)
{
    return str_cmp(((const struct pair *)x)->key, ((const struct pair *)y)->key);
}

void pairs_sort(struct pairs pairs)
{
    for (size_t i = 1; i < pairs.n; i++)
        if (compare_pairs(&pairs.v[i - 1], &pairs.v[i]) > 0) {
            qsort(pairs.v, pairs.n, sizeof *pairs.v, compare_pairs);
            return;
        }
}

bool strs_has(struct strs strs, const char *text)
{
    for_each (item, strs)
        if (str_eq(*item, text))
            return true;
    return false;
}

/* The first part of a dotted path; *rest is what follows it, NULL when nothing does. */
static size_t first_part(const char *path, const char **rest)
{
    size_t len = strcspn(path, ".");

    *rest = path[len] ? path + len + 1 : NULL;
    return len;
}

static const char *scalar_text(struct arena *a, const struct field *f, const void *object)
{
    const struct int_or_str *either;

    switch (f->type) {
    case FIELD_STR:
    case FIELD_QUANTITY:
        return *AT(object, f, const char *);
    case FIELD_INT:
        return fmt(a, "%lld", (long long)AT(object, f, struct maybe_int)->value);
    case FIELD_REAL:
        return fmt(a, "%.17g", AT(object, f, struct maybe_real)->value);
    case FIELD_BOOL:
        return *AT(object, f, enum flag) == YES ? "true" : "false";
    case FIELD_TIME:
    case FIELD_MICROTIME:
        return time_text(a, *AT(object, f, usec), f->type == FIELD_MICROTIME);
    case FIELD_INT_STR:
        either = AT(object, f, struct int_or_str);
        return either->type == A_STR ? either->text : fmt(a, "%lld", (long long)either->value);
    default:
        return NULL;
    }
}

static const char *json_scalar_text(struct arena *a, const struct json *v)
{
    if (!v || v->type == JSON_NULL || v->type == JSON_ARRAY || v->type == JSON_OBJECT)
        return NULL;
    return v->type == JSON_STR ? v->str.text : json_text(a, v);
}

static const char *text_in_list(struct arena *a, const struct field *f, const struct any_list *list,
                                const char *path)
{
    const char *rest;
    size_t len = first_part(path, &rest);
    int64_t i = -1;

    if (f->type == FIELD_OBJECTS) {
        for (size_t at = 0; at < list->n; at++) {
            const char *key = *(const char **)list_at(list, f, at);

            if (strlen(key) == len && !memcmp(key, path, len))
                i = (int64_t)at;
        }
    } else if (!str_int(arena_strn(a, path, len), &i)) {
        return NULL;
    }
    if (i < 0 || (size_t)i >= list->n)
        return NULL;
    if (f->type == FIELD_STRS)
        return rest ? NULL : *(const char **)list_at(list, f, (size_t)i);
    return rest ? table_get(a, f->of, list_at(list, f, (size_t)i), rest) : NULL;
}

const char *table_get(struct arena *a, const struct type *type, const void *object,
                      const char *path)
{
    const char *rest;
    size_t len = first_part(path, &rest);
    const struct field *f = field_named(type, path, len);

    if (!f || field_is_absent(f, object))
        return NULL;
    switch (f->type) {
    case FIELD_OBJECT:
        return rest ? table_get(a, f->of, AT(object, f, char), rest) : NULL;
    case FIELD_POINTER:
        return rest ? table_get(a, f->of, *AT(object, f, void *), rest) : NULL;
    case FIELD_MAP:
        return rest ? pairs_get(*AT(object, f, struct pairs), rest) : NULL;
    case FIELD_STRS:
    case FIELD_LIST:
    case FIELD_OBJECTS:
        return rest ? text_in_list(a, f, AT(object, f, struct any_list), rest) : NULL;
    case FIELD_RAW: {
        const struct json *v = *AT(object, f, const struct json *);

        return json_scalar_text(a, rest ? json_at(v, rest) : v);
    }
    default:
        return rest ? NULL : scalar_text(a, f, object);
    }
}

static bool is_index(const char *part, size_t len)
{
    return len > 0 && strspn(part, "0123456789") >= len;
}

const struct field *table_find(const struct type *type, const char *path)
{
    const char *rest;
    size_t len = first_part(path, &rest);
    const struct field *f = field_named(type, path, len);

    if (!f || !rest)
        return f;
    if (f->type == FIELD_OBJECTS) { /* any key, then a field of what stands under it */
        first_part(rest, &rest);
        return rest ? table_find(f->of, rest) : f;
    }
    if (f->type == FIELD_LIST && is_index(rest, strcspn(rest, ".")))
        first_part(rest, &rest);
    if (!rest || f->type == FIELD_MAP || f->type == FIELD_RAW)
        return f;
    return f->of ? table_find(f->of, rest) : NULL;
}
