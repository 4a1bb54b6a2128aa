/* clock.c - reading, writing and waiting on time. */
#include "base/clock.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rand.h"

static _Atomic usec wall_shift;

static usec read_clock(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (usec)now.tv_sec * USEC_SEC + now.tv_nsec / 1000;
}

usec clock_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

usec clock_wall(void)
{
    return read_clock(CLOCK_REALTIME) + atomic_load(&wall_shift);
}

void clock_shift_wall(usec by)
{
    atomic_fetch_add(&wall_shift, by);
}

char *time_text(struct arena *a, usec wall, bool micro)
{
    time_t seconds = wall / USEC_SEC;
    long rest = wall % USEC_SEC;
    struct tm tm;
    char *day;

    if (rest < 0) {
        rest += USEC_SEC;
        seconds--;
    }
    gmtime_r(&seconds, &tm);
    day = fmt(a, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
              tm.tm_hour, tm.tm_min, tm.tm_sec);
    return micro ? fmt(a, "%s.%06ldZ", day, rest) : fmt(a, "%sZ", day);
}

static const char *digits(const char *p, int count, int *ret)
{
    int value = 0;

    for (; count > 0; count--, p++) {
        if (!isdigit((unsigned char)*p))
            return NULL;
        value = value * 10 + (*p - '0');
    }
    *ret = value;
    return p;
}

static const char *fraction(const char *p, usec *ret)
{
    usec scale = USEC_SEC / 10;

    *ret = 0;
    if (*p != '.')
        return p;
    if (!isdigit((unsigned char)*++p))
        return NULL;
    for (; isdigit((unsigned char)*p); p++, scale /= 10)
        *ret += (*p - '0') * scale;
    return p;
}

static const char *offset(const char *p, usec *ret)
{
    int sign = *p == '-' ? -1 : 1;
    int hours;
    int minutes;

    if (*p == 'Z' || *p == 'z') {
        *ret = 0;
        return p + 1;
    }
    if ((*p != '+' && *p != '-') || !(p = digits(p + 1, 2, &hours)) || *p++ != ':' ||
        !(p = digits(p, 2, &minutes)) || hours > 23 || minutes > 59)
        return NULL;
    *ret = sign * (hours * 60 + minutes) * 60 * USEC_SEC;
    return p;
}

static bool expect(const char **p, char c)
{
    return *p && *(*p)++ == c;
}

bool time_parse(const char *text, usec *ret_wall)
{
    struct tm tm = { 0 };
    const char *p = text;
    usec rest;
    usec zone;

    if (!p || !(p = digits(p, 4, &tm.tm_year)) || !expect(&p, '-') ||
        !(p = digits(p, 2, &tm.tm_mon)) || !expect(&p, '-') || !(p = digits(p, 2, &tm.tm_mday)) ||
        (*p != 'T' && *p != 't' && *p != ' ') || !(p = digits(p + 1, 2, &tm.tm_hour)) ||
        !expect(&p, ':') || !(p = digits(p, 2, &tm.tm_min)) || !expect(&p, ':') ||
        !(p = digits(p, 2, &tm.tm_sec)) || !(p = fraction(p, &rest)) || !(p = offset(p, &zone)) ||
        *p)
        return false;
    if (tm.tm_mon < 1 || tm.tm_mon > 12 || tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour > 23 ||
        tm.tm_min > 59 || tm.tm_sec > 60)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    *ret_wall = (usec)timegm(&tm) * USEC_SEC + rest - zone;
    return true;
}

static const struct unit {
    const char *name;
    double usecs;
} units[] = {
    { "ns", 1e-3 }, { "us", 1 }, { "µs", 1 }, { "ms", 1e3 },
    { "s", 1e6 },   { "m", 6e7 }, { "h", 3.6e9 },
};

static const struct unit *unit_at(const char *p, size_t *ret_len)
{
    const struct unit *best = NULL;

    *ret_len = 0;
    for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
        size_t len = strlen(units[i].name);

        if (!strncmp(p, units[i].name, len) && len > *ret_len) {
            best = &units[i];
            *ret_len = len;
        }
    }
    return best;
}

bool duration_parse(const char *text, usec *ret)
{
    double sum = 0;
    bool negative;
    const char *p = text;

    if (!p || !*p)
        return false;
    negative = *p == '-';
    p += *p == '-' || *p == '+';
    if (!strcmp(p, "0")) {
        *ret = 0;
        return true;
    }
    if (!*p)
        return false;
    while (*p) {
        const struct unit *unit;
        char *end;
        double number;
        size_t len;

        if (!isdigit((unsigned char)*p) && *p != '.')
            return false;
        number = strtod(p, &end);
        if (end == p || strpbrk(p, "xXeE") || !(unit = unit_at(end, &len)))
            return false;
        sum += number * unit->usecs;
        p = end + len;
    }
    if (sum > (double)(INT64_MAX / 2))
        return false;
    *ret = (usec)(negative ? -sum : sum);
    return true;
}

usec backoff(unsigned n, usec base, usec max)
{
    usec wait = base;

    while (n-- > 0 && wait < max)
        wait *= 2;
    if (wait > max)
        wait = max;
    return wait + (usec)(rand_below((uint64_t)(wait / 5 + 1)));
}
