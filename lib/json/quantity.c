/* quantity.c - a quantity as a whole number of billionths, which is as fine as Kubernetes goes. */
#include "json/quantity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/str.h"

typedef __int128 nano;

enum { NANO_DIGITS = 9, EXPONENT_MAX = 40 };

static const nano nano_max = (nano)(((unsigned __int128)1 << 127) - 1);

static const struct suffix {
    const char *text;
    int tens;   /* times 10 to this */
    int kibies; /* times 1024 to this */
} suffixes[] = {
    { "n", -9, 0 }, { "u", -6, 0 }, { "m", -3, 0 },  { "", 0, 0 },   { "k", 3, 0 },
    { "M", 6, 0 },  { "G", 9, 0 },  { "T", 12, 0 },  { "P", 15, 0 }, { "E", 18, 0 },
    { "Ki", 0, 1 }, { "Mi", 0, 2 }, { "Gi", 0, 3 },  { "Ti", 0, 4 }, { "Pi", 0, 5 },
    { "Ei", 0, 6 },
};

static bool times(nano *value, int factor)
{
    if (*value > nano_max / factor)
        return false;
    *value *= factor;
    return true;
}

/* Digits with at most one point; *ret_tens is how far the point moved. */
static const char *mantissa(const char *p, nano *ret, int *ret_tens)
{
    bool digits = false;
    bool point = false;

    for (*ret = 0, *ret_tens = 0; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (!times(ret, 10) || *ret > nano_max - (*p - '0'))
            return NULL;
        *ret += *p - '0';
        *ret_tens -= point;
        digits = true;
    }
    return digits ? p : NULL;
}

static bool suffix_of(const char *p, int *ret_tens, int *ret_kibies)
{
    int64_t exponent;

    for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
        if (str_eq(p, suffixes[i].text)) {
            *ret_tens = suffixes[i].tens;
            *ret_kibies = suffixes[i].kibies;
            return true;
        }
    }
    if ((*p != 'e' && *p != 'E') || !str_int(p + 1 + (p[1] == '+'), &exponent) ||
        llabs(exponent) > EXPONENT_MAX)
        return false;
    *ret_tens = (int)exponent;
    *ret_kibies = 0;
    return true;
}

static bool scale(nano *value, int tens, int kibies)
{
    for (; kibies > 0; kibies--)
        if (!times(value, 1024))
            return false;
    for (; tens > 0; tens--)
        if (!times(value, 10))
            return false;
    for (; tens < 0; tens++) /* finer than a billionth is rounded up */
        *value = *value / 10 + (*value % 10 != 0);
    return true;
}

static bool parse(const char *text, nano *ret)
{
    bool negative = text && *text == '-';
    int moved, tens, kibies;
    nano value;
    const char *p;

    if (!text)
        return false;
    p = mantissa(text + (*text == '-' || *text == '+'), &value, &moved);
    if (!p || !suffix_of(p, &tens, &kibies) || !scale(&value, tens + moved + NANO_DIGITS, kibies))
        return false;
    *ret = negative ? -value : value;
    return true;
}

bool quantity_is_valid(const char *text)
{
    nano value;

    return parse(text, &value);
}

bool quantity_equal(const char *x, const char *y)
{
    nano left, right;

    return str_eq(x, y) || (parse(x, &left) && parse(y, &right) && left == right);
}
