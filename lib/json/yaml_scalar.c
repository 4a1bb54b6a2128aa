/* yaml_scalar.c - null, true, 0644, 1.5e3: the types of plain scalars. */
#include "json/yaml_scalar.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "json/internal.h"

static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
static const char *const trues[] = { "true", "True", "TRUE", NULL };
static const char *const falses[] = { "false", "False", "FALSE", NULL };
static const char *const not_json[] = { ".inf",  ".Inf",  ".INF",  "+.inf", "+.Inf",
                                        "+.INF", "-.inf", "-.Inf", "-.INF", ".nan",
                                        ".NaN",  ".NAN",  NULL };

static size_t count_of(const char *text, const char *chars)
{
    return strspn(text, chars);
}

static const char DIGITS[] = "0123456789";

/* 0x1f, 0o17 and 017, with or without a sign. */
static bool based_integer(const char *text, int64_t *ret)
{
    bool negative = *text == '-';
    bool hex, octal;
    const char *digits, *allowed;
    unsigned long long value;

    text += *text == '-' || *text == '+';
    hex = str_starts(text, "0x");
    octal = !hex && text[0] == '0' && text[1];
    digits = text + (hex || str_starts(text, "0o") ? 2 : 1);
    allowed = hex ? "0123456789abcdefABCDEF" : "01234567";
    if ((!hex && !octal) || !*digits || digits[count_of(digits, allowed)])
        return false;
    errno = 0;
    value = strtoull(digits, NULL, hex ? 16 : 8);
    if (errno || value > INT64_MAX)
        return false;
    *ret = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

/* The parts of a decimal number: sign, digits, fraction, exponent. */
struct decimal {
    bool negative;
    const char *whole, *fraction, *exponent;
    size_t whole_len, fraction_len;
    bool point;
};

static bool split_decimal(const char *text, struct decimal *d)
{
    const char *at = text + (*text == '-' || *text == '+');

    *d = (struct decimal) { .negative = *text == '-', .whole = at, .exponent = "" };
    d->whole_len = count_of(at, DIGITS);
    at += d->whole_len;
    if (*at == '.') {
        d->point = true;
        d->fraction = ++at;
        d->fraction_len = count_of(at, DIGITS);
        at += d->fraction_len;
    }
    if (!d->whole_len && !d->fraction_len)
        return false;
    if (*at == 'e' || *at == 'E') {
        d->exponent = at++;
        at += *at == '-' || *at == '+';
        if (!count_of(at, DIGITS))
            return false;
        at += count_of(at, DIGITS);
    }
    return !*at;
}

/* The same number as JSON spells it: no plus, digits on both sides of a point, no needless zeros.
 */
static struct json *decimal_value(struct arena *a, const char *text)
{
    struct json *v = json_null(a);
    struct decimal d;
    const char *digits;

    if (!split_decimal(text, &d))
        return NULL;
    for (; d.whole_len > 1 && *d.whole == '0'; d.whole_len--)
        d.whole++;
    digits = fmt(a, "%s%.*s%s%.*s%s", d.negative ? "-" : "", (int)(d.whole_len ?: 1),
                 d.whole_len ? d.whole : "0", d.fraction_len ? "." : "", (int)d.fraction_len,
                 d.fraction_len ? d.fraction : "", d.exponent);
    if (!d.point && number_int(digits, &v->integer)) {
        v->type = JSON_INT;
        return v;
    }
    v->type = JSON_REAL;
    v->real.number = strtod(digits, NULL);
    v->real.digits = digits;
    return v;
}

struct json *yaml_plain_value(struct arena *a, const char *text, size_t len)
{
    const char *copy = arena_strn(a, text, len);
    struct json *number;
    int64_t integer;

    if (strlen(copy) != len)
        return json_strn(a, text, len);
    if (str_in(copy, not_json))
        return NULL;
    if (str_in(copy, nulls))
        return json_null(a);
    if (str_in(copy, trues) || str_in(copy, falses))
        return json_bool(a, str_in(copy, trues));
    if (based_integer(copy, &integer))
        return json_int(a, integer);
    number = decimal_value(a, copy);
    return number ?: json_strn(a, text, len);
}

/* Words that YAML 1.1 readers take for booleans and nulls, in any case. */
static bool is_word_of_yaml(const char *text, size_t len)
{
    static const char *const words[] = {
        "y", "n", "yes", "no", "on", "off", "true", "false", "null"
    };

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strlen(words[i]) == len && !strncasecmp(words[i], text, len))
            return true;
    return false;
}

/* 4Gi, 500m, 1.5k: digits and a unit, which nothing reads as a number or a date. */
static bool is_quantity_like(const char *text, size_t len)
{
    size_t at = 0;
    size_t unit;

    while (at < len && (isdigit((unsigned char)text[at]) || text[at] == '.'))
        at++;
    unit = len - at;
    if (unit < 1 || unit > 2)
        return false;
    for (; at < len; at++)
        if (!isalpha((unsigned char)text[at]))
            return false;
    return true;
}

static bool has_only_plain_chars(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (isalnum(c) || (c && strchr("_./-+@=(),;$%^~", c)))
            continue;
        if (c == ' ' && i + 1 < len && text[i + 1] != '#')
            continue;
        if (c == ':' && i + 1 < len && text[i + 1] != ' ')
            continue;
        if (c == '#' && i > 0)
            continue;
        return false;
    }
    return true;
}

bool yaml_is_plain_string(const char *text, size_t len)
{
    if (!len || is_word_of_yaml(text, len) || !has_only_plain_chars(text, len))
        return false;
    if (isdigit((unsigned char)text[0]))
        return is_quantity_like(text, len);
    return isalpha((unsigned char)text[0]) || text[0] == '/' || text[0] == '_';
}
