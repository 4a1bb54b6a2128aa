/* clock.h - two clocks: one that only goes forward, and the one on the wall.
 *
 * Intervals, deadlines and back-off use clock_now(), which no clock jump can touch. Timestamps in
 * objects and tokens use clock_wall(). A test may shift the wall clock with clock_shift_wall().
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef int64_t usec; /* microseconds: a span, or a point on one of the clocks */

#define USEC_MSEC INT64_C(1000)
#define USEC_SEC INT64_C(1000000)
#define USEC_NEVER INT64_MAX

usec clock_now(void);  /* monotonic */
usec clock_wall(void); /* since 1970 */
void clock_shift_wall(usec by); /* for tests: added to every later clock_wall() */

/* RFC 3339 both ways: "2026-01-02T03:04:05Z", with ".123456" when micro. */
char *time_text(struct arena *a, usec wall, bool micro);
bool time_parse(const char *text, usec *ret_wall);

/* Go durations, as flags and some fields write them: "1h30m", "250ms", "-1.5s", "0". */
bool duration_parse(const char *text, usec *ret);

/* How long to wait before try number n (0 the first): base doubled n times, at most max, and a
 * random part of up to a fifth on top so that many who failed together do not come back together. */
usec backoff(unsigned n, usec base, usec max);
