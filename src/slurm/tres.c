/* tres.c - reading and writing counted resources. */
#include "slurm/tres.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/str.h"

static const char units[] = "KMGTP";

/* 1024 to the power that the letter stands for; 0 for a letter that is no unit. */
static uint64_t unit_of(char letter)
{
    const char *at = letter ? strchr(units, toupper((unsigned char)letter)) : NULL;

    return letter == '\0' ? 1 : at ? UINT64_C(1) << (10 * (at - units + 1)) : 0;
}

/* "B" and "iB" may stand behind a unit and change nothing. */
static size_t drop_byte_sign(const char *text, size_t len)
{
    if (len > 1 && toupper((unsigned char)text[len - 1]) == 'B' &&
        isalpha((unsigned char)text[len - 2]))
        len--;
    if (len > 2 && tolower((unsigned char)text[len - 1]) == 'i' &&
        isalpha((unsigned char)text[len - 2]))
        len--;
    return len;
}

/* Up to six digits behind the point, in millionths. */
static bool fraction_of(const char *text, size_t len, uint64_t *ret)
{
    uint64_t millionths = 0, worth = 100000;

    if (len == 0)
        return false;
    for (size_t i = 0; i < len; i++, worth /= 10) {
        if (!isdigit((unsigned char)text[i]))
            return false;
        millionths += worth * (uint64_t)(text[i] - '0');
    }
    *ret = millionths;
    return true;
}

static bool whole_of(const char *text, size_t len, uint64_t *ret)
{
    uint64_t value = 0;

    for (size_t i = 0; i < len; i++)
        if (!isdigit((unsigned char)text[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
            return false;
    *ret = value;
    return len > 0;
}

bool amount_parse(const char *text, size_t len, char unit, uint64_t *ret)
{
    uint64_t whole, millionths = 0, factor;
    const char *point;
    char letter = unit;

    len = drop_byte_sign(text, len);
    if (len > 0 && isalpha((unsigned char)text[len - 1]))
        letter = text[--len];
    factor = unit_of(letter);
    point = memchr(text, '.', len);
    if (!factor || !whole_of(text, point ? (size_t)(point - text) : len, &whole))
        return false;
    if (point && !fraction_of(point + 1, len - (size_t)(point + 1 - text), &millionths))
        return false;
    if (__builtin_mul_overflow(whole, factor, &whole))
        return false;
    /* factor is at most 2^50: take the millionths of it in two steps to stay in 64 bits */
    return !__builtin_add_overflow(
        whole, factor / 1000000 * millionths + (factor % 1000000 * millionths + 500000) / 1000000,
        ret);
}

char *amount_text(struct arena *a, uint64_t amount)
{
    for (size_t power = strlen(units); amount > 0 && power > 0; power--)
        if (amount % (UINT64_C(1) << (10 * power)) == 0)
            return fmt(a, "%" PRIu64 "%c", amount >> (10 * power), units[power - 1]);
    return fmt(a, "%" PRIu64, amount);
}

static bool is_nothing(const char *text)
{
    return str_empty(text) || str_eq(text, "(null)") || str_eq(text, "N/A");
}

static bool is_memory(const char *name)
{
    size_t len = strlen(name);

    return len >= 3 && strcasecmp(name + len - 3, "mem") == 0;
}

/* One item per comma that stands outside parentheses, and one more. */
static size_t items_max(const char *text)
{
    size_t n = 1;

    for (; *text; text++)
        n += *text == ',';
    return n;
}

static size_t item_len(const char *text)
{
    int depth = 0;
    size_t i = 0;

    for (; text[i] && (text[i] != ',' || depth > 0); i++)
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    return i;
}

static int parse_item(struct arena *a, const char *text, size_t len, struct tres *ret,
                      struct error *err)
{
    const char *equals = memchr(text, '=', len);

    if (!equals || equals == text)
        return fail(err, -EINVAL, "'%.*s' is not NAME=COUNT", (int)len, text);
    ret->name = arena_strn(a, text, (size_t)(equals - text));
    if (!amount_parse(equals + 1, len - (size_t)(equals + 1 - text), is_memory(ret->name) ? 'M' : 0,
                      &ret->count))
        return fail(err, -EINVAL, "'%.*s': want a count such as 8 or 16G", (int)len, text);
    return 0;
}

int tres_parse(struct arena *a, const char *text, struct tres_list *ret, struct error *err)
{
    struct tres_list list = { 0 };

    if (is_nothing(text)) {
        *ret = list;
        return 0;
    }
    list.v = arena_make_n(a, struct tres, items_max(text));
    while (*text) {
        size_t len = item_len(text);

        if (len > 0) {
            int code = parse_item(a, text, len, &list.v[list.n++], err);

            if (code < 0)
                return code;
        }
        text += len + (text[len] == ',');
    }
    *ret = list;
    return 0;
}

/* Memory is written in mebibytes or more: a plain number would be read as mebibytes. */
static void write_count(struct buf *out, struct arena *a, const struct tres *tres)
{
    if (!is_memory(tres->name))
        buf_fmt(out, "%" PRIu64, tres->count);
    else if (tres->count == 0)
        buf_str(out, "0");
    else if (tres->count % 1024 == 0)
        buf_str(out, amount_text(a, tres->count));
    else
        buf_fmt(out, "%" PRIu64 "K", tres->count / 1024 + 1);
}

char *tres_text(struct arena *a, struct tres_list list)
{
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < list.n; i++) {
        buf_fmt(&out, "%s%s=", i ? "," : "", list.v[i].name);
        write_count(&out, a, &list.v[i]);
    }
    return arena_str(a, buf_text(&out));
}

static const struct tres *find(struct tres_list list, const char *name)
{
    for (size_t i = 0; i < list.n; i++)
        if (strcasecmp(list.v[i].name, name) == 0)
            return &list.v[i];
    return NULL;
}

bool tres_has(struct tres_list list, const char *name)
{
    return find(list, name) != NULL;
}

uint64_t tres_get(struct tres_list list, const char *name)
{
    const struct tres *tres = find(list, name);

    return tres ? tres->count : 0;
}

/* name[:type][:no_consume][:count], already without its parentheses */
static int parse_gres_words(struct arena *a, const char *text, size_t len, struct gres *ret,
                            struct error *err)
{
    const char *item = text, *end = text + len;

    ret->count = 1;
    for (size_t i = 0; text <= end; i++) {
        const char *colon = memchr(text, ':', (size_t)(end - text)) ?: end;
        size_t word = (size_t)(colon - text);
        bool last = colon == end;

        if (word == 0)
            return fail(err, -EINVAL, "'%.*s' is not NAME[:TYPE][:COUNT]", (int)len, item);
        if (i == 0)
            ret->name = arena_strn(a, text, word);
        else if (word == strlen("no_consume") && strncasecmp(text, "no_consume", word) == 0)
            ret->no_consume = true;
        else if (last && amount_parse(text, word, 0, &ret->count))
            ;
        else if (!ret->type)
            ret->type = arena_strn(a, text, word);
        else
            return fail(err, -EINVAL, "'%.*s': '%.*s' is not a count", (int)len, item, (int)word,
                        text);
        text = colon + 1;
    }
    return 0;
}

static int parse_gres(struct arena *a, const char *text, size_t len, struct gres *ret,
                      struct error *err)
{
    const char *open = memchr(text, '(', len);

    if (open) {
        if (text[len - 1] != ')')
            return fail(err, -EINVAL, "'%.*s': the parentheses do not match", (int)len, text);
        ret->detail = arena_strn(a, open + 1, len - (size_t)(open + 1 - text) - 1);
        len = (size_t)(open - text);
    }
    return parse_gres_words(a, text, len, ret, err);
}

int gres_parse(struct arena *a, const char *text, struct gres_list *ret, struct error *err)
{
    struct gres_list list = { 0 };

    if (is_nothing(text)) {
        *ret = list;
        return 0;
    }
    list.v = arena_make_n(a, struct gres, items_max(text));
    while (*text) {
        size_t len = item_len(text);

        if (len > 0) {
            int code = parse_gres(a, text, len, &list.v[list.n++], err);

            if (code < 0)
                return code;
        }
        text += len + (text[len] == ',');
    }
    *ret = list;
    return 0;
}

char *gres_text(struct arena *a, struct gres_list list)
{
    scoped(buf) struct buf out = { 0 };

    for (const struct gres *g = list.v; g < list.v + list.n; g++) {
        buf_fmt(&out, "%s%s", g > list.v ? "," : "", g->name);
        if (g->type)
            buf_fmt(&out, ":%s", g->type);
        if (g->no_consume)
            buf_str(&out, ":no_consume");
        buf_fmt(&out, ":%" PRIu64, g->count);
        if (g->detail)
            buf_fmt(&out, "(%s)", g->detail);
    }
    return arena_str(a, buf_text(&out));
}

uint64_t gres_count(struct gres_list list, const char *name, const char *type)
{
    uint64_t count = 0;

    for (const struct gres *g = list.v; g < list.v + list.n; g++)
        if (strcasecmp(g->name, name) == 0 &&
            (!type || (g->type && strcasecmp(g->type, type) == 0)))
            count += g->count;
    return count;
}
