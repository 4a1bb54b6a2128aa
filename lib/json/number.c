/* number.c - numbers as texts: their value without rounding. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "json/internal.h"

/* Significant digits between the first and the last that is not 0, times ten to the exponent. */
struct decimal {
    const char *first, *last; /* NULL for zero; a point may stand between */
    int64_t exponent;         /* of the last digit */
    bool negative;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int64_t exponent_of(const char *text)
{
    static const int64_t far = INT64_MAX / 4;
    int64_t value;

    if (*text != 'e' && *text != 'E')
        return 0;
    errno = 0;
    value = strtoll(text + 1, NULL, 10);
    if (value > far)
        return far;
    return value < -far ? -far : value;
}

/* Number of digits in [from, to), passing over a point. */
static int64_t digits_between(const char *from, const char *to)
{
    int64_t n = 0;

    for (; from < to; from++)
        n += *from != '.';
    return n;
}

static struct decimal decimal_of(const char *text)
{
    struct decimal d = { .negative = *text == '-' };
    const char *point = NULL;
    const char *end = text + d.negative;

    for (; is_digit(*end) || *end == '.'; end++) {
        if (*end == '.')
            point = end;
        if (is_digit(*end) && *end != '0') {
            d.first = d.first ?: end;
            d.last = end;
        }
    }
    if (!d.first)
        return (struct decimal) { 0 };
    d.exponent = exponent_of(end);
    if (point && point < d.last)
        d.exponent -= digits_between(point + 1, d.last + 1);
    else
        d.exponent += digits_between(d.last + 1, point ?: end);
    return d;
}

static const char *next_digit(const char *at)
{
    at++;
    return *at == '.' ? at + 1 : at;
}

bool number_equal(const char *a, const char *b)
{
    struct decimal x = decimal_of(a);
    struct decimal y = decimal_of(b);

    if (!x.first || !y.first)
        return x.first == y.first;
    if (x.negative != y.negative || x.exponent != y.exponent)
        return false;
    while (*x.first == *y.first && x.first < x.last && y.first < y.last) {
        x.first = next_digit(x.first);
        y.first = next_digit(y.first);
    }
    return *x.first == *y.first && x.first == x.last && y.first == y.last;
}

uint64_t number_hash(const char *digits)
{
    struct decimal d = decimal_of(digits);
    uint64_t hash;

    if (!d.first)
        return HASH_SEED;
    hash = hash_bytes(HASH_SEED, &d.exponent, sizeof d.exponent);
    hash = hash_bytes(hash, d.negative ? "-" : "+", 1);
    for (const char *at = d.first; at <= d.last; at = next_digit(at))
        hash = hash_bytes(hash, at, 1);
    return hash;
}

bool number_int(const char *digits, int64_t *ret)
{
    for (const char *at = digits + (*digits == '-'); *at; at++)
        if (!is_digit(*at))
            return false;
    return !str_eq(digits, "-0") && str_int(digits, ret);
}

const char *number_digits(const struct json *v, char room[static NUMBER_ROOM])
{
    if (v->type == JSON_REAL)
        return v->real.digits;
    snprintf(room, NUMBER_ROOM, "%" PRId64, v->integer);
    return room;
}

bool yy_int(yyjson_val *v, int64_t *ret)
{
    return yyjson_is_raw(v) && number_int(yyjson_get_raw(v), ret);
}

bool yy_real(yyjson_val *v, double *ret)
{
    if (!yyjson_is_raw(v))
        return false;
    *ret = strtod(yyjson_get_raw(v), NULL);
    return true;
}
