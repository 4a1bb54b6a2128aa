/* timespan_test.c - Slurm's spans and dates. */
#include <stdlib.h>
#include <time.h>

#include "slurm/timespan.h"
#include "support/test.h"

static void span_is(const char *text, int64_t want, const char *back)
{
    scoped(arena) struct arena *a = arena_new();
    int64_t seconds = -1;

    CHECK(timespan_parse(text, &seconds));
    CHECK_INT(seconds, want);
    CHECK_STR(timespan_text(a, seconds), back);
}

TEST(timespan_reads_every_form)
{
    span_is("90", 5400, "01:30:00");
    span_is("90:30", 5430, "01:30:30");
    span_is("1:30:00", 5400, "01:30:00");
    span_is("2-3", 2 * 86400 + 3 * 3600, "2-03:00:00");
    span_is("2-3:4", 2 * 86400 + 3 * 3600 + 240, "2-03:04:00");
    span_is("2-03:04:05", 2 * 86400 + 3 * 3600 + 245, "2-03:04:05");
    span_is("UNLIMITED", TIMESPAN_UNLIMITED, "UNLIMITED");
    span_is("infinite", TIMESPAN_UNLIMITED, "UNLIMITED");
    span_is("-1", TIMESPAN_UNLIMITED, "UNLIMITED");
    span_is("0", 0, "00:00:00");
}

TEST(timespan_refuses_the_rest)
{
    static const char *const wrong[] = { "",          "1h",  "1:2:3:4",  "-",     "1-",
                                         "-5",        "1:",  ":1",       "1-2-3", "1 2",
                                         "999999999", "1.5", "partition" };
    int64_t seconds = 77;

    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
        if (timespan_parse(wrong[i], &seconds))
            test_fail(__FILE__, __LINE__, "'%s' was read as a time", wrong[i]);
    CHECK_INT(seconds, 77);
    CHECK(!timespan_parse(NULL, &seconds));
}

TEST(purge_age_has_three_units)
{
    int64_t seconds = 0;

    CHECK(purge_age_parse("12month", &seconds));
    CHECK_INT(seconds, 12 * 30 * 86400);
    CHECK(purge_age_parse("2Days", &seconds));
    CHECK_INT(seconds, 2 * 86400);
    CHECK(purge_age_parse("36hours", &seconds));
    CHECK(purge_age_parse("12", &seconds));
    CHECK(!purge_age_parse("12weeks", &seconds));
    CHECK(!purge_age_parse("month", &seconds));
}

TEST(date_reads_and_writes_local_time)
{
    scoped(arena) struct arena *a = arena_new();
    int64_t wall = 0;

    setenv("TZ", "Europe/Zurich", 1);
    tzset();
    CHECK(date_parse("2026-07-02T03:04:05", &wall));
    CHECK_STR(date_text(a, wall), "2026-07-02T03:04:05");
    CHECK(date_parse("2026-07-02", &wall));
    CHECK_STR(date_text(a, wall), "2026-07-02T00:00:00");
    setenv("TZ", "UTC", 1);
    tzset();
    CHECK(date_parse("2026-01-02T03:04:05", &wall));
    CHECK_INT(wall, 1767323045);
    CHECK_STR(date_uts(a, wall), "uts1767323045");
    CHECK(date_parse("uts1767323045", &wall));
    CHECK(!date_parse("Unknown", &wall));
    CHECK(!date_parse("uts-5", &wall));
    CHECK(!date_parse("2026-13-02", &wall));
    CHECK(!date_parse("2026-01-02T03:04:05Z", &wall));
}
