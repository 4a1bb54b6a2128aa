/* hostlist_fold.c - writing host lists: neighbours that differ by one at their end become a range.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "slurm/hostlist.h"

/* A name and the number it ends in. */
struct host {
    const char *name;
    size_t prefix; /* length of what stands before the number */
    unsigned width;
    uint64_t number;
};

/* Names with the same text before their number, written as prefix[low-high,...]. */
struct run {
    const char *prefix;
    size_t prefix_len;
    unsigned width; /* 0: the name ends in no number */
    uint64_t low, high;
};

static unsigned digits_of(uint64_t number)
{
    unsigned digits = 1;

    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

static struct host host_of(const char *name)
{
    size_t len = strlen(name), at = len;
    uint64_t number = 0;

    while (at > 0 && isdigit((unsigned char)name[at - 1]))
        at--;
    for (size_t i = at; i < len; i++) {
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(name[i] - '0'), &number) ||
            number == UINT64_MAX)
            return (struct host) { .name = name, .prefix = len };
    }
    return (struct host) {
        .name = name, .prefix = at, .width = (unsigned)(len - at), .number = number
    };
}

static bool same_prefix(const struct run *run, const struct host *host)
{
    return run->width > 0 && host->width > 0 && run->prefix_len == host->prefix &&
           memcmp(run->prefix, host->name, host->prefix) == 0;
}

/* Whether the range, one longer, would print exactly this host at its end. */
static bool extends(const struct run *run, const struct host *host)
{
    unsigned natural = digits_of(host->number);

    return same_prefix(run, host) && host->number == run->high + 1 &&
           host->width == (natural > run->width ? natural : run->width);
}

static void write_range(struct buf *out, const struct run *run)
{
    buf_fmt(out, "%0*" PRIu64, (int)run->width, run->low);
    if (run->high > run->low)
        buf_fmt(out, "-%0*" PRIu64, (int)run->width, run->high);
}

/* Ends the bracket group. The bracket is known to be needed only now, so the text is made here. */
static void end_group(struct buf *out, struct buf *ranges, const struct run *run)
{
    if (!run->prefix)
        return;
    if (out->len > 0)
        buf_char(out, ',');
    buf_add(out, run->prefix, run->prefix_len);
    if (run->width == 0)
        return;
    write_range(ranges, run);
    if (strpbrk(buf_text(ranges), ",-"))
        buf_fmt(out, "[%s]", buf_text(ranges));
    else
        buf_str(out, buf_text(ranges));
    buf_clear(ranges);
}

static struct run run_of(const struct host *host)
{
    return (struct run) { .prefix = host->name,
                          .prefix_len = host->prefix,
                          .width = host->width,
                          .low = host->number,
                          .high = host->number };
}

static char *fold(struct arena *a, const struct host *hosts, size_t n)
{
    scoped(buf) struct buf out = { 0 };
    scoped(buf) struct buf ranges = { 0 };
    struct run run = { 0 };

    for (const struct host *host = hosts; host < hosts + n; host++) {
        if (run.prefix && extends(&run, host)) {
            run.high++;
        } else if (run.prefix && same_prefix(&run, host)) {
            write_range(&ranges, &run);
            buf_char(&ranges, ',');
            run = run_of(host);
        } else {
            end_group(&out, &ranges, &run);
            run = run_of(host);
        }
    }
    end_group(&out, &ranges, &run);
    return arena_strn(a, buf_text(&out), out.len);
}

static struct host *hosts_of(struct arena *a, struct strs names)
{
    struct host *hosts = arena_make_n(a, struct host, names.n + 1);

    for (size_t i = 0; i < names.n; i++)
        hosts[i] = host_of(names.v[i]);
    return hosts;
}

char *hostlist_fold(struct arena *a, struct strs names)
{
    return fold(a, hosts_of(a, names), names.n);
}

/* By text, then by number, then the shorter spelling: 9, 10, 010. */
static int by_number(const void *left, const void *right)
{
    const struct host *x = left, *y = right;
    size_t common = x->prefix < y->prefix ? x->prefix : y->prefix;
    int order = memcmp(x->name, y->name, common);

    if (order != 0)
        return order;
    if (x->prefix != y->prefix)
        return x->prefix < y->prefix ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->width > y->width) - (x->width < y->width);
}

char *hostlist_of_set(struct arena *a, struct strs names)
{
    struct host *hosts = hosts_of(a, names);
    size_t kept = 0;

    qsort(hosts, names.n, sizeof *hosts, by_number);
    for (size_t i = 0; i < names.n; i++)
        if (kept == 0 || strcmp(hosts[kept - 1].name, hosts[i].name) != 0)
            hosts[kept++] = hosts[i];
    return fold(a, hosts, kept);
}

bool hostlist_is_plain(const char *name)
{
    return name && *name && !strpbrk(name, "[], \t\r\n");
}

char *hostlist_of_count(struct arena *a, const char *prefix, uint64_t n)
{
    if (n == 0)
        return arena_str(a, "");
    if (n == 1)
        return fmt(a, "%s0", prefix);
    return fmt(a, "%s[0-%" PRIu64 "]", prefix, n - 1);
}
