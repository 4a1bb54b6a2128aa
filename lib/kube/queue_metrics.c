/* queue_metrics.c - the families of a lane's metrics. */
#include "kube/queue_metrics.h"

#include "base/metrics.h"

static const double seconds_buckets[] = { 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000, 0 };
static struct metric_family depth_family = {
    .name = "workqueue_depth", .help = "Keys waiting in the queue.", .type = METRIC_GAUGE,
    .labels = { "name", "controller" },
};
static struct metric_family adds_family = {
    .name = "workqueue_adds_total", .help = "Keys added to the queue.",
    .labels = { "name", "controller" },
};
static struct metric_family retries_family = {
    .name = "workqueue_retries_total", .help = "Keys added again after a failure.",
    .labels = { "name", "controller" },
};
static struct metric_family waited_family = {
    .name = "workqueue_queue_duration_seconds", .help = "How long keys wait for a worker.",
    .type = METRIC_HISTOGRAM, .buckets = seconds_buckets, .labels = { "name", "controller" },
};
static struct metric_family worked_family = {
    .name = "workqueue_work_duration_seconds", .help = "How long a worker holds a key.",
    .type = METRIC_HISTOGRAM, .buckets = seconds_buckets, .labels = { "name", "controller" },
};

static struct metric_family unfinished_family = {
    .name = "workqueue_unfinished_work_seconds", .type = METRIC_GAUGE,
    .help = "How long the keys under way have been with their workers, all together.",
    .labels = { "name", "controller" },
};
static struct metric_family longest_family = {
    .name = "workqueue_longest_running_processor_seconds", .type = METRIC_GAUGE,
    .help = "How long the oldest key under way has been with its worker.",
    .labels = { "name", "controller" },
};

struct lane_metrics lane_metrics_of(const char *name)
{
    return (struct lane_metrics){
        .depth = metric(&depth_family, name, name),
        .adds = metric(&adds_family, name, name),
        .retried = metric(&retries_family, name, name),
        .waited = metric(&waited_family, name, name),
        .worked = metric(&worked_family, name, name),
        .unfinished = metric(&unfinished_family, name, name),
        .longest = metric(&longest_family, name, name),
    };
}
