/* table_compare.c - whether two objects are equal in every field of their table. */
#include <string.h>

#include "base/str.h"
#include "json/quantity.h"
#include "json/table_compare.h"

bool pairs_equal(const struct field *f, const struct pair *x, const struct pair *y)
{
    return str_eq(x->key, y->key) &&
           (f->flags & QUANTITIES ? quantity_equal : str_eq)(x->value, y->value);
}

static bool element_equal(const struct field *f, const void *x, const void *y)
{
    switch (f->type) {
    case FIELD_STRS:
        return str_eq(*(const char *const *)x, *(const char *const *)y);
    case FIELD_MAP:
        return pairs_equal(f, x, y);
    case FIELD_OBJECTS:
        return str_eq(*(const char *const *)x, *(const char *const *)y) && table_equal(f->of, x, y);
    default:
        return table_equal(f->of, x, y);
    }
}

/* Present but empty differs from absent. Interned lists are often the same one. */
static bool list_equal(const struct field *f, const struct any_list *x, const struct any_list *y)
{
    if (x->v == y->v && x->n == y->n)
        return true;
    if (!x->v != !y->v || x->n != y->n)
        return false;
    for (size_t i = 0; i < x->n; i++)
        if (!element_equal(f, list_at(x, f, i), list_at(y, f, i)))
            return false;
    return true;
}

static bool int_or_str_equal(const struct int_or_str *x, const struct int_or_str *y)
{
    if (x->type != y->type)
        return false;
    return x->type == A_STR ? str_eq(x->text, y->text) : x->type == NEITHER || x->value == y->value;
}

static bool maybe_int_equal(const struct maybe_int *x, const struct maybe_int *y)
{
    return x->set == y->set && (!x->set || x->value == y->value);
}

static bool maybe_real_equal(const struct maybe_real *x, const struct maybe_real *y)
{
    return x->set == y->set && (!x->set || x->value == y->value);
}

static bool raw_equal(const struct json *x, const struct json *y)
{
    return x == y || (x && y && json_equal(x, y));
}

static bool pointer_equal(const struct type *type, const void *x, const void *y)
{
    return x == y || (x && y && table_equal(type, x, y));
}

bool field_equal(const struct field *f, const void *x, const void *y)
{
    switch (f->type) {
    case FIELD_STR:
        return str_eq(*AT(x, f, const char *), *AT(y, f, const char *));
    case FIELD_QUANTITY:
        return quantity_equal(*AT(x, f, const char *), *AT(y, f, const char *));
    case FIELD_INT:
        return maybe_int_equal(AT(x, f, struct maybe_int), AT(y, f, struct maybe_int));
    case FIELD_REAL:
        return maybe_real_equal(AT(x, f, struct maybe_real), AT(y, f, struct maybe_real));
    case FIELD_BOOL:
        return *AT(x, f, enum flag) == *AT(y, f, enum flag);
    case FIELD_TIME:
    case FIELD_MICROTIME:
        return *AT(x, f, usec) == *AT(y, f, usec);
    case FIELD_INT_STR:
        return int_or_str_equal(AT(x, f, struct int_or_str), AT(y, f, struct int_or_str));
    case FIELD_RAW:
        return raw_equal(*AT(x, f, const struct json *), *AT(y, f, const struct json *));
    case FIELD_OBJECT:
        return table_equal(f->of, AT(x, f, char), AT(y, f, char));
    case FIELD_POINTER:
        return pointer_equal(f->of, *AT(x, f, void *), *AT(y, f, void *));
    default:
        return list_equal(f, AT(x, f, struct any_list), AT(y, f, struct any_list));
    }
}

bool table_equal(const struct type *type, const void *x, const void *y)
{
    for (const struct field *f = type->fields; f->type; f++)
        if (!field_equal(f, x, y))
            return false;
    return true;
}
