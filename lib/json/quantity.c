/* quantity.c - quantities as whole billionths, by way of an integer large enough for them all. */
#include "json/quantity.h"

#include <string.h>

#include "base/scope.h"
#include "base/str.h"

/* What a quantity is worth, in billionths; enough for every exponent a person would write, and the
 * rest meets at the limit. */
typedef __int128 nano;

enum { LIMBS = 16, DIGITS_MAX = 64, EXPONENT_MAX = 200 };

static const int64_t NANO = 1000000000;

struct big {
    uint32_t limbs[LIMBS]; /* lowest first */
    bool overflow;
    bool rest; /* something was cut off below */
};

static void big_multiply(struct big *n, uint32_t factor, uint32_t carry)
{
    uint64_t sum = carry;

    for (int i = 0; i < LIMBS; i++) {
        sum += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)sum;
        sum >>= 32;
    }
    n->overflow |= sum != 0;
}

static void big_divide(struct big *n, uint32_t divisor)
{
    uint64_t remainder = 0;

    for (int i = LIMBS - 1; i >= 0; i--) {
        remainder = remainder << 32 | n->limbs[i];
        n->limbs[i] = (uint32_t)(remainder / divisor);
        remainder %= divisor;
    }
    n->rest |= remainder != 0;
}

static nano big_value(const struct big *n)
{
    const nano most = (nano)INT64_MAX * INT64_MAX;
    nano value = 0;

    for (int i = LIMBS - 1; i >= 0; i--) {
        if (n->overflow || value > most >> 32)
            return most;
        value = value << 32 | n->limbs[i];
    }
    return value + n->rest;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits with or without a point. Returns what follows them, NULL when there was no digit. */
static const char *read_digits(const char *at, struct big *n, int *exponent)
{
    bool any = false;
    bool point = false;
    int kept = 0;

    for (; is_digit(*at) || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        any = true;
        if (kept < DIGITS_MAX) {
            big_multiply(n, 10, (uint32_t)(*at - '0'));
            kept += kept || *at != '0';
            *exponent -= point;
        } else {
            n->rest |= *at != '0';
            *exponent += !point && *exponent < EXPONENT_MAX;
        }
    }
    return any ? at : NULL;
}

static bool read_exponent(const char *at, int *exponent)
{
    bool negative = *at == '-';
    int value = 0;

    at += *at == '-' || *at == '+';
    if (!is_digit(*at))
        return false;
    for (; is_digit(*at); at++)
        value = value < EXPONENT_MAX ? value * 10 + (*at - '0') : value;
    *exponent += negative ? -value : value;
    return !*at;
}

static bool read_suffix(const char *at, int *exponent, int *kibis)
{
    static const struct {
        const char *text;
        int exponent, kibis;
    } suffixes[] = {
        { "", 0, 0 },   { "n", -9, 0 }, { "u", -6, 0 }, { "m", -3, 0 },
        { "k", 3, 0 },  { "M", 6, 0 },  { "G", 9, 0 },  { "T", 12, 0 },
        { "P", 15, 0 }, { "E", 18, 0 }, { "Ki", 0, 1 }, { "Mi", 0, 2 },
        { "Gi", 0, 3 }, { "Ti", 0, 4 }, { "Pi", 0, 5 }, { "Ei", 0, 6 },
    };

    for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
        if (str_eq(at, suffixes[i].text)) {
            *exponent += suffixes[i].exponent;
            *kibis = suffixes[i].kibis;
            return true;
        }
    }
    return (*at == 'e' || *at == 'E') && read_exponent(at + 1, exponent);
}

static bool parse(const char *text, nano *ret)
{
    struct big n = { 0 };
    bool negative = text && *text == '-';
    int exponent = 9;
    int kibis = 0;

    if (!text)
        return false;
    text = read_digits(text + (*text == '-' || *text == '+'), &n, &exponent);
    if (!text || !read_suffix(text, &exponent, &kibis))
        return false;
    for (; kibis > 0; kibis--)
        big_multiply(&n, 1024, 0);
    for (; exponent > 0; exponent--)
        big_multiply(&n, 10, 0);
    for (; exponent < 0; exponent++)
        big_divide(&n, 10);
    *ret = negative ? -big_value(&n) : big_value(&n);
    return true;
}

bool quantity_is_valid(const char *text)
{
    nano value;

    return parse(text, &value);
}

bool quantity_compare(const char *a, const char *b, int *ret)
{
    nano x, y;

    if (!parse(a, &x) || !parse(b, &y))
        return false;
    *ret = (x > y) - (x < y);
    return true;
}

bool quantity_equal(const char *a, const char *b)
{
    int order;

    return quantity_compare(a, b, &order) ? order == 0 : str_eq(a, b);
}

static int64_t rounded(nano value, nano unit)
{
    nano magnitude = value < 0 ? -value : value;
    nano whole = magnitude / unit + (magnitude % unit != 0);

    if (whole > INT64_MAX)
        whole = INT64_MAX;
    return (int64_t)(value < 0 ? -whole : whole);
}

bool quantity_units(const char *text, int64_t unit, int64_t *ret)
{
    nano value;

    if (!parse(text, &value))
        return false;
    *ret = rounded(value, (nano)unit * NANO);
    return true;
}

bool quantity_milli(const char *text, int64_t *ret)
{
    nano value;

    if (!parse(text, &value))
        return false;
    *ret = rounded(value, NANO / 1000);
    return true;
}
