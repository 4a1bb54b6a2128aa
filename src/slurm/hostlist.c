/* hostlist.c - expanding host lists: a name is cut into parts, the parts count like an odometer. */
#include "slurm/hostlist.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

enum { PARTS_MAX = 16, RANGES_MAX = 1 << 16 };

/* One number or one "low-high" between brackets. */
struct range {
    uint64_t low, high;
    unsigned width; /* digits as written, the padding */
};

/* A piece of a name: literal text, then perhaps a bracket group behind it. */
struct part {
    const char *text;
    size_t len;
    const char *group; /* what stands between the brackets; NULL for none */
    size_t group_len;
    struct range *ranges;
    size_t count;   /* of ranges */
    uint64_t hosts; /* that the group names */
    size_t at;      /* odometer: range and number in it */
    uint64_t number;
};

struct name {
    struct part parts[PARTS_MAX];
    size_t count;
};

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool digits_value(const char *text, size_t len, uint64_t *ret)
{
    uint64_t value = 0;

    if (len == 0)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!isdigit((unsigned char)text[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
            return false;
    }
    *ret = value;
    return value < UINT64_MAX; /* so that "one more" always exists */
}

/* The end of the name that begins here: a separator outside brackets, or the end of the list. */
static size_t name_len(const char *list)
{
    size_t i = 0;

    for (bool inside = false; list[i] && (inside || !is_separator(list[i])); i++) {
        if (list[i] == '[')
            inside = true;
        else if (list[i] == ']')
            inside = false;
    }
    return i;
}

static int parse_range(const char *text, size_t len, struct range *ret, struct error *err)
{
    const char *dash = memchr(text, '-', len);
    size_t low_len = dash ? (size_t)(dash - text) : len;
    struct range range = { .width = (unsigned)low_len };

    if (!digits_value(text, low_len, &range.low))
        return fail(err, -EINVAL, "'%.*s' is not a number or a range such as 1-8", (int)len, text);
    range.high = range.low;
    if (dash && !digits_value(dash + 1, len - low_len - 1, &range.high))
        return fail(err, -EINVAL, "'%.*s' is not a number or a range such as 1-8", (int)len, text);
    if (range.high < range.low)
        return fail(err, -EINVAL, "the range %.*s runs backwards", (int)len, text);
    if (range.high - range.low >= HOSTLIST_RANGE_MAX)
        return fail(err, -E2BIG,
                    "the range %.*s names more than %d hosts, the most Slurm takes in one",
                    (int)len, text, HOSTLIST_RANGE_MAX);
    *ret = range;
    return 0;
}

/* Reads a group once to count it, and once more, with room for the result, to keep it. */
static int walk_group(struct part *part, struct range *keep, struct error *err)
{
    const char *end = part->group + part->group_len, *at = part->group;

    part->count = 0;
    part->hosts = 0;
    for (;;) {
        const char *comma = memchr(at, ',', (size_t)(end - at)) ?: end;
        struct range range;

        if (parse_range(at, (size_t)(comma - at), &range, err) < 0)
            return err ? err->code : -EINVAL;
        if (part->count == RANGES_MAX)
            return fail(err, -E2BIG, "more than %d ranges between two brackets", RANGES_MAX);
        if (keep)
            keep[part->count] = range;
        part->count++;
        part->hosts += range.high - range.low + 1; /* at most 2^32: cannot overflow */
        if (comma == end)
            return 0;
        at = comma + 1;
    }
}

/* Cuts one name at its brackets. */
static int cut_name(const char *text, size_t len, struct name *ret, struct error *err)
{
    const char *end = text + len;

    ret->count = 0;
    while (text < end) {
        const char *open = memchr(text, '[', (size_t)(end - text)) ?: end;
        const char *close = open < end ? memchr(open, ']', (size_t)(end - open)) : NULL;
        struct part part = { .text = text, .len = (size_t)(open - text) };

        if (memchr(text, ']', (size_t)(open - text)) || (open < end && !close) ||
            (close && memchr(open + 1, '[', (size_t)(close - open - 1))))
            return fail(err, -EINVAL, "the brackets do not match");
        if (ret->count == PARTS_MAX)
            return fail(err, -E2BIG, "more than %d bracket groups in one name", PARTS_MAX - 1);
        if (close) {
            part.group = open + 1;
            part.group_len = (size_t)(close - open - 1);
        }
        ret->parts[ret->count++] = part;
        text = close ? close + 1 : end;
    }
    return 0;
}

/* The name's parts with their groups counted; *ret_hosts is how many hosts they name together. */
static int parse_name(const char *text, size_t len, struct name *ret, uint64_t *ret_hosts,
                      struct error *err)
{
    uint64_t hosts = 1;

    if (cut_name(text, len, ret, err) < 0)
        return wrap(err, "host list '%.*s'", (int)len, text);
    for (size_t i = 0; i < ret->count; i++) {
        struct part *part = &ret->parts[i];

        if (!part->group)
            continue;
        if (walk_group(part, NULL, err) < 0)
            return wrap(err, "host list '%.*s'", (int)len, text);
        if (__builtin_mul_overflow(hosts, part->hosts, &hosts))
            hosts = UINT64_MAX;
    }
    *ret_hosts = hosts;
    return 0;
}

static void keep_groups(struct arena *a, struct name *name)
{
    for (size_t i = 0; i < name->count; i++) {
        struct part *part = &name->parts[i];

        if (!part->group)
            continue;
        part->ranges = arena_make_n(a, struct range, part->count);
        walk_group(part, part->ranges, NULL);
        part->number = part->ranges[0].low;
    }
}

/* One step of a group; false when it went round to its beginning. */
static bool step(struct part *part)
{
    if (part->number < part->ranges[part->at].high) {
        part->number++;
        return true;
    }
    part->at = part->at + 1 < part->count ? part->at + 1 : 0;
    part->number = part->ranges[part->at].low;
    return part->at != 0;
}

/* Slurm's order: the last group turns fastest, then the first, the second and so on. */
static void next_host(struct name *name)
{
    struct part *last = NULL;

    for (size_t i = 0; i < name->count; i++)
        if (name->parts[i].group)
            last = &name->parts[i];
    if (!last || step(last))
        return;
    for (struct part *part = name->parts; part < last; part++)
        if (part->group && step(part))
            return;
}

static const char *host_text(struct arena *a, const struct name *name, struct buf *scratch)
{
    buf_clear(scratch);
    for (const struct part *part = name->parts; part < name->parts + name->count; part++) {
        buf_add(scratch, part->text, part->len);
        if (part->group)
            buf_fmt(scratch, "%0*" PRIu64, (int)part->ranges[part->at].width, part->number);
    }
    return arena_strn(a, buf_text(scratch), scratch->len);
}

/* Calls for each name of the list until one fails. */
static int each_name(const char *list, int (*see)(void *, const char *, size_t, struct error *),
                     void *userdata, struct error *err)
{
    while (list && *list) {
        size_t len = name_len(list);

        if (len > 0 && see(userdata, list, len, err) < 0)
            return err ? err->code : -EINVAL;
        list += len;
        while (*list && is_separator(*list))
            list++;
    }
    return 0;
}

static int count_name(void *userdata, const char *text, size_t len, struct error *err)
{
    uint64_t *total = userdata, hosts = 0;
    struct name name;

    if (parse_name(text, len, &name, &hosts, err) < 0)
        return err ? err->code : -EINVAL;
    if (__builtin_add_overflow(*total, hosts, total))
        *total = UINT64_MAX;
    return 0;
}

int hostlist_count(const char *list, uint64_t *ret, struct error *err)
{
    struct error own = { 0 };
    uint64_t total = 0;
    int code = each_name(list, count_name, &total, err ?: &own);

    if (code < 0)
        return code;
    *ret = total;
    return 0;
}

struct expansion {
    struct arena *arena;
    struct strs names;
    struct buf scratch;
};

static int expand_name(void *userdata, const char *text, size_t len, struct error *err)
{
    struct expansion *x = userdata;
    uint64_t hosts = 0;
    struct name name;

    if (parse_name(text, len, &name, &hosts, err) < 0)
        return err->code;
    keep_groups(x->arena, &name);
    for (; hosts > 0; hosts--) {
        x->names.v[x->names.n++] = host_text(x->arena, &name, &x->scratch);
        next_host(&name);
    }
    return 0;
}

int hostlist_expand(struct arena *a, const char *list, size_t limit, struct strs *ret,
                    struct error *err)
{
    struct expansion x = { .arena = a };
    struct error own = { 0 };
    uint64_t total = 0;
    int code;

    err = err ?: &own;
    limit = limit ?: HOSTLIST_MAX;
    if (hostlist_count(list, &total, err) < 0)
        return err->code;
    if (total > limit)
        return fail(err, -E2BIG,
                    "the host list names %" PRIu64 " hosts, more than the limit of %zu", total,
                    limit);
    x.names.v = arena_make_n(a, const char *, total + 1);
    code = each_name(list, expand_name, &x, err);
    buf_done(&x.scratch);
    if (code < 0)
        return code;
    *ret = x.names;
    return 0;
}
