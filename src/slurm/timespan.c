/* timespan.c - Slurm's spans and dates. */
#include "slurm/timespan.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/scope.h"
#include "base/str.h"

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR, NUMBER_MAX = 99999999 };

/* The digits at *text, at least one; moves behind them. */
static bool take_number(const char **text, int64_t *ret)
{
    int64_t value = 0;

    if (!isdigit((unsigned char)**text))
        return false;
    for (; isdigit((unsigned char)**text); (*text)++) {
        value = value * 10 + (**text - '0');
        if (value > NUMBER_MAX)
            return false;
    }
    *ret = value;
    return true;
}

/* Up to three numbers with colons between them and nothing behind; how many, 0 for a mistake. */
static int take_fields(const char *text, int64_t fields[3])
{
    for (int n = 0; n < 3; n++) {
        if (!take_number(&text, &fields[n]))
            return 0;
        if (!*text)
            return n + 1;
        if (*text++ != ':')
            return 0;
    }
    return 0;
}

static bool is_unlimited(const char *text)
{
    return strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITE") == 0 ||
           strcmp(text, "-1") == 0;
}

bool timespan_parse(const char *text, int64_t *ret)
{
    int64_t field[3] = { 0 }, days = 0;
    const char *at = text;
    int n;

    if (str_empty(text))
        return false;
    if (is_unlimited(text)) {
        *ret = TIMESPAN_UNLIMITED;
        return true;
    }
    if (strchr(text, '-')) { /* days-hours[:minutes[:seconds]] */
        if (!take_number(&at, &days) || *at++ != '-' || !take_fields(at, field))
            return false;
        *ret = days * DAY + field[0] * HOUR + field[1] * MINUTE + field[2];
        return true;
    }
    n = take_fields(text, field);
    if (n == 3)
        *ret = field[0] * HOUR + field[1] * MINUTE + field[2];
    else if (n > 0)
        *ret = field[0] * MINUTE + field[1];
    return n > 0;
}

char *timespan_text(struct arena *a, int64_t seconds)
{
    int64_t days = seconds / DAY, hours = seconds / HOUR % 24, minutes = seconds / MINUTE % 60;

    if (seconds == TIMESPAN_UNLIMITED)
        return arena_str(a, "UNLIMITED");
    if (seconds < 0)
        return arena_str(a, "INVALID");
    if (days > 0)
        return fmt(a, "%" PRId64 "-%02" PRId64 ":%02" PRId64 ":%02" PRId64, days, hours, minutes,
                   seconds % 60);
    return fmt(a, "%02" PRId64 ":%02" PRId64 ":%02" PRId64, hours, minutes, seconds % 60);
}

bool purge_age_parse(const char *text, int64_t *ret)
{
    static const struct {
        const char *unit;
        int64_t seconds;
    } units[] = { { "", 30 * DAY }, { "month", 30 * DAY }, { "months", 30 * DAY }, { "day", DAY },
                  { "days", DAY },  { "hour", HOUR },      { "hours", HOUR } };
    int64_t number;

    if (str_empty(text) || !take_number(&text, &number))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
        if (strcasecmp(text, units[i].unit) == 0) {
            *ret = number * units[i].seconds;
            return true;
        }
    }
    return false;
}

bool date_parse(const char *text, int64_t *ret_wall)
{
    static const char *const forms[] = { "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d" };

    if (str_starts(text, "uts"))
        return isdigit((unsigned char)text[3]) && str_int(text + 3, ret_wall);
    for (size_t i = 0; !str_empty(text) && i < ARRAY_SIZE(forms); i++) {
        struct tm parts = { .tm_isdst = -1 };
        const char *end = strptime(text, forms[i], &parts);

        if (end && !*end) {
            *ret_wall = mktime(&parts);
            return true;
        }
    }
    return false;
}

char *date_text(struct arena *a, int64_t wall)
{
    time_t when = (time_t)wall;
    struct tm parts;
    char text[32];

    localtime_r(&when, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    return arena_str(a, text);
}

char *date_uts(struct arena *a, int64_t wall)
{
    return fmt(a, "uts%" PRId64, wall);
}
