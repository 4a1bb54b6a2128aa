/* metrics.h - counters, gauges and histograms in the Prometheus text format.
 *
 * A family is declared once, as a static struct, and registers itself on first use. A series is
 * found by its label values and is then a pointer whose update is one atomic operation, from any
 * thread; keep it where the update is hot.
 *
 *     static struct metric_family requests = {
 *         .name = "rest_client_requests_total", .help = "...", .type = METRIC_COUNTER,
 *         .labels = { "code", "method" },
 *     };
 *     metric_add(metric(&requests, "200", "GET"), 1);
 *
 * A gauge that is known only when asked for registers a metric_collect() function instead.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { METRIC_LABELS_MAX = 4, METRIC_BUCKETS_MAX = 40 };
enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

struct metric; /* one series */

struct metric_family {
    const char *name;
    const char *help;
    enum metric_type type;
    const char *labels[METRIC_LABELS_MAX]; /* names; the rest NULL */
    const double *buckets;                 /* histograms: upper bounds, ended by 0 */
    /* owned by the registry */
    bool registered;
    struct metric *series;
    struct metric_family *next;
};

/* The series with these label values, in the order of .labels; made at 0 when new. */
struct metric *metric_find(struct metric_family *family, const char *const *values);
#define metric(family, ...)                                                                        \
    metric_find(family, (const char *const[METRIC_LABELS_MAX + 1]){ __VA_ARGS__ })

void metric_add(struct metric *m, double by);
void metric_set(struct metric *m, double to);
void metric_observe(struct metric *m, double value);
double metric_value(const struct metric *m); /* of a histogram: how many observations */
/* Forgets a series, for things that come and go (a cluster, a node). */
void metric_drop(struct metric_family *family, const char *const *values);

/* Called before each scrape, to set gauges; stays registered until the process ends. */
void metric_collect(void (*collect)(void *), void *userdata);
void metrics_write(struct buf *out);

/* 5 ms to 60 s, the buckets that controller dashboards expect. */
extern const double metric_latency_buckets[];
