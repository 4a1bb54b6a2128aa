/* timespan.h - how Slurm writes spans and points of time.
 *
 * A time limit is "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours",
 * "days-hours:minutes" or "days-hours:minutes:seconds", or one of the words that mean no limit. A
 * purge age is a number and a unit ("12months", "36h" is not one). A date is local time without a
 * zone. Unlike Go durations (base/clock.h) none of them has fractions. Everything is in seconds.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define TIMESPAN_UNLIMITED INT64_MAX

/* "2-03:04:05", "90", "1:30:00", "UNLIMITED", "INFINITE", "-1"; false for anything else. */
bool timespan_parse(const char *text, int64_t *ret);
/* "03:04:05", "2-03:04:05", "UNLIMITED": what timespan_parse reads. */
char *timespan_text(struct arena *a, int64_t seconds);

/* "12month", "2days", "36hours" or "12" (months), as slurmdbd.conf writes how long to keep things;
 * in the unit's own count of seconds, a month being 30 days. */
bool purge_age_parse(const char *text, int64_t *ret);

/* "2026-01-02T03:04:05", "2026-01-02T03:04", "2026-01-02", "uts1767323045"; local time. False for
 * the rest, among them "Unknown", "None" and "N/A", which say that there is no date. */
bool date_parse(const char *text, int64_t *ret_wall);
/* "2026-01-02T03:04:05" in local time. */
char *date_text(struct arena *a, int64_t wall);
/* "uts1767323045": a date that means the same in every zone, which slurmrestd takes in queries. */
char *date_uts(struct arena *a, int64_t wall);
