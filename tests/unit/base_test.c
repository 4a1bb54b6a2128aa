/* base_test.c - the small things everything stands on. */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/map.h"
#include "base/metrics.h"
#include "base/str.h"
#include "support/test.h"

TEST(arena_hands_out_zeroed_memory_of_any_size)
{
    scoped(arena) struct arena *a = arena_new();

    for (size_t size = 0; size < 300000; size = size * 3 + 1) {
        unsigned char *memory = arena_alloc(a, size);

        for (size_t i = 0; i < size; i++)
            CHECK(memory[i] == 0);
        memset(memory, 0xff, size);
    }
    arena_reset(a);
    CHECK(((unsigned char *)arena_alloc(a, 64))[63] == 0);
}

TEST(errors_tell_their_story_outermost_first)
{
    struct error err = { 0 };

    CHECK_STR(error_text(&err), "no error");
    CHECK_INT(fail(&err, -ETIMEDOUT, "connect: %s", "timed out"), -ETIMEDOUT);
    CHECK_INT(wrap(&err, "apply %s", "deployment"), -ETIMEDOUT);
    CHECK_STR(error_text(&err), "apply deployment: connect: timed out");
}

TEST(a_buffer_refuses_what_would_pass_its_limit_and_keeps_the_rest)
{
    scoped(buf) struct buf b = { .limit = 4 };

    CHECK_INT(buf_str(&b, "abc"), 0);
    CHECK_INT(buf_str(&b, "de"), -EMSGSIZE);
    CHECK(b.overflow);
    CHECK_STR(buf_text(&b), "abc");
    buf_consume(&b, 2);
    CHECK_STR(buf_text(&b), "c");
}

TEST(a_map_finds_replaces_and_removes)
{
    struct map m = { 0 };
    char key[16];
    int seen = 0;

    for (intptr_t i = 1; i <= 1000; i++) {
        snprintf(key, sizeof key, "k%d", (int)i);
        CHECK(!map_put(&m, key, (void *)i));
    }
    CHECK_INT((intptr_t)map_put(&m, "k7", (void *)7000), 7);
    CHECK_INT((intptr_t)map_get(&m, "k7"), 7000);
    for (int i = 1; i <= 1000; i += 2) {
        snprintf(key, sizeof key, "k%d", i);
        CHECK(map_remove(&m, key));
    }
    CHECK(!map_get(&m, "k1"));
    for (size_t at = 0; map_next(&m, &at, NULL, NULL);)
        seen++;
    CHECK_INT(seen, 500);
    map_done(&m, NULL);
}

TEST(times_survive_a_round_trip)
{
    scoped(arena) struct arena *a = arena_new();
    usec t = 0;

    CHECK(time_parse("2026-02-28T23:59:59Z", &t));
    CHECK_STR(time_text(a, t, false), "2026-02-28T23:59:59Z");
    CHECK(time_parse("2026-02-28T23:59:59.123456+01:00", &t));
    CHECK_STR(time_text(a, t, true), "2026-02-28T22:59:59.123456Z");
    CHECK(!time_parse("2026-02-28", &t));
    CHECK(!time_parse("2026-13-28T00:00:00Z", &t));
    CHECK(!time_parse("2026-02-28T00:00:00Zx", &t));
}

TEST(durations_are_read_as_go_writes_them)
{
    usec d = 0;

    CHECK(duration_parse("1h30m", &d) && d == 5400 * USEC_SEC);
    CHECK(duration_parse("250ms", &d) && d == 250 * USEC_MSEC);
    CHECK(duration_parse("-1.5s", &d) && d == -1500 * USEC_MSEC);
    CHECK(duration_parse("0", &d) && d == 0);
    CHECK(!duration_parse("10", &d));
    CHECK(!duration_parse("", &d));
    CHECK(!duration_parse("s", &d));
    CHECK(!duration_parse("1h 2m", &d));
    CHECK(!duration_parse("0x1p4s", &d));
}

TEST(backoff_grows_and_stays_within_its_bound)
{
    for (unsigned n = 0; n < 40; n++) {
        usec wait = backoff(n, 5 * USEC_MSEC, 10 * USEC_SEC);

        CHECK(wait >= 5 * USEC_MSEC && wait <= 12 * USEC_SEC);
    }
    CHECK(backoff(3, 5 * USEC_MSEC, 10 * USEC_SEC) >= 40 * USEC_MSEC);
}

TEST(metrics_are_written_as_prometheus_reads_them)
{
    static const double buckets[] = { 0.1, 1, 0 };
    static struct metric_family calls = { .name = "test_calls_total", .help = "Calls.",
                                          .labels = { "code" } };
    static struct metric_family spans = { .name = "test_seconds", .help = "Spans.",
                                          .type = METRIC_HISTOGRAM, .buckets = buckets };
    scoped(buf) struct buf out = { 0 };

    metric_add(metric(&calls, "20\"0"), 2);
    metric_observe(metric(&spans, NULL), 0.5);
    metrics_write(&out);
    CHECK(strstr(out.bytes, "# TYPE test_calls_total counter\ntest_calls_total{code=\"20\\\"0\"} 2\n"));
    CHECK(strstr(out.bytes, "test_seconds_bucket{le=\"0.1\"} 0\ntest_seconds_bucket{le=\"1\"} 1\n"
                            "test_seconds_bucket{le=\"+Inf\"} 1\ntest_seconds_sum 0.5\n"
                            "test_seconds_count 1\n"));
    metric_drop(&calls, (const char *const[]){ "20\"0" });
    buf_clear(&out);
    metrics_write(&out);
    CHECK(!strstr(out.bytes, "test_calls_total{"));
}

TEST(numbers_are_read_whole_or_not_at_all)
{
    int64_t n = 5;

    CHECK(str_int("-12", &n) && n == -12);
    CHECK(!str_int("12x", &n) && n == -12);
    CHECK(!str_int("99999999999999999999", &n));
    CHECK(!str_int(" 1", &n));
    CHECK(!str_int(NULL, &n));
}

TEST(base64_survives_a_round_trip_at_every_length)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf url = { 0 };
    unsigned char bytes[64];
    unsigned char *read;
    size_t len;

    for (size_t n = 0; n < sizeof bytes; n++) {
        char *back;

        bytes[n] = (unsigned char)(n * 37 + 200);
        back = base64_decode(a, base64_encode(a, bytes, n), &len);
        CHECK(back && len == n && !memcmp(back, bytes, n));
        buf_clear(&url);
        base64url_write(&url, bytes, n);
        back = base64_decode(a, buf_text(&url), &len);
        CHECK(back && len == n && !memcmp(back, bytes, n));
        CHECK(base64url_read(a, buf_text(&url), url.len, &read, &len));
        CHECK(len == n && !memcmp(read, bytes, n));
    }
    CHECK_STR(base64_encode(a, "hello?>", 7), "aGVsbG8/Pg==");
    CHECK(base64url_read(a, "aGVsbG8_Pg", 10, &read, &len));
    CHECK(!base64url_read(a, "aGVsbG8/Pg", 10, &read, &len));
    CHECK(!base64url_read(a, "aGVsbG8_Ph", 10, &read, &len)); /* spare bits */
    CHECK(!base64_decode(a, "a", NULL));
    CHECK(!base64_decode(a, "ab!d", NULL));
    CHECK(!base64_decode(a, "abcd=x", NULL));
}
