/* reservation.c - the Slurm reservation in which workers are updated by schedule. */
#include "workers/reservation.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "slurm/hostlist.h"

#define MINUTE (60 * USEC_SEC)

static const char *const repeating[] = { "HOURLY", "DAILY", "WEEKLY", "WEEKDAY", "WEEKEND", NULL };

static int compare(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

struct strs reservation_flags(struct arena *a, struct strs user)
{
    struct strs flags = { .v = arena_make_n(a, const char *, user.n + 2) };

    flags.v[flags.n++] = "IGNORE_JOBS";
    flags.v[flags.n++] = "MAINT";
    for_each (flag, user) {
        char *upper = arena_str(a, *flag);

        for (char *c = upper; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        if (*upper && !strs_has(flags, upper))
            flags.v[flags.n++] = upper;
    }
    qsort(flags.v, flags.n, sizeof *flags.v, compare);
    return flags;
}

const char *reservation_mark(struct arena *a, const struct reservation_wish *wish)
{
    struct strs flags = reservation_flags(a, wish->flags);
    scoped(buf) struct buf mark = { 0 };

    buf_fmt(&mark, "%s/%" PRId64 "m", time_text(a, wish->start, false), wish->duration / MINUTE);
    for_each (flag, flags)
        buf_fmt(&mark, "/%s", *flag);
    return arena_str(a, buf_text(&mark));
}

static bool has_all(struct strs have, struct strs want)
{
    for_each (flag, want)
        if (!strs_has(have, *flag) && !str_eq(*flag, "FORCE_START"))
            return false;
    return true;
}

static bool repeats(struct strs flags)
{
    for_each (flag, flags)
        if (str_in(*flag, repeating))
            return true;
    return false;
}

static bool same_hosts(struct arena *a, const char *x, const char *y)
{
    struct strs one, other;

    if (hostlist_expand(a, x, 0, &one, NULL) < 0 || hostlist_expand(a, y, 0, &other, NULL) < 0)
        return false;
    return str_eq(hostlist_of_set(a, one), hostlist_of_set(a, other));
}

static void fill(struct slurm_reservation_spec *spec, const struct reservation_wish *wish,
                 struct strs flags)
{
    static const char *users[] = { "slurm" };

    *spec = (struct slurm_reservation_spec) {
        .name = wish->name,
        .nodes = wish->hosts,
        .users = { users, 1 },
        .flags = flags,
        .start = wish->start,
        .duration = wish->duration,
    };
}

/* There is one: change it only where it differs, and while it runs only its nodes. */
static enum reservation_step change(struct arena *a, const struct reservation_wish *wish,
                                    const struct slurm_reservation *live, struct strs flags,
                                    bool edited, struct slurm_reservation_spec *spec)
{
    bool runs = live->start <= wish->now && wish->now < live->end;
    bool moved = repeats(flags) && !edited ? live->start < wish->start
                                           : live->start / USEC_SEC != wish->start / USEC_SEC;
    bool longer = (live->end - live->start) / MINUTE != wish->duration / MINUTE;
    bool other_hosts = !same_hosts(a, live->nodes, wish->hosts);

    if (runs) {
        if (!other_hosts)
            return RESERVATION_AS_IT_IS;
        *spec = (struct slurm_reservation_spec) { .name = wish->name, .nodes = wish->hosts };
        return RESERVATION_PUT;
    }
    if (!moved && !longer && !other_hosts && has_all(live->flags, flags))
        return RESERVATION_AS_IT_IS;
    if (!moved)
        spec->start = live->start; /* one that repeats has moved on by itself */
    return RESERVATION_PUT;
}

enum reservation_step reservation_plan(struct arena *a, const struct reservation_wish *wish,
                                       const struct slurm_reservation *live,
                                       struct slurm_reservation_spec *ret_spec)
{
    struct strs flags = reservation_flags(a, wish->flags);
    bool edited = !str_eq(reservation_mark(a, wish), wish->mark ?: "");

    if (str_empty(wish->hosts))
        return RESERVATION_AS_IT_IS;
    fill(ret_spec, wish, flags);
    if (live)
        return change(a, wish, live, flags, edited, ret_spec);
    if (!edited && wish->start <= wish->now)
        return RESERVATION_GONE;
    if (wish->start > wish->now || strs_has(flags, "FORCE_START"))
        return RESERVATION_PUT;
    return RESERVATION_AS_IT_IS;
}
