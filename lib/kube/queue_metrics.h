/* queue_metrics.h - what a lane tells Prometheus, by the names that dashboards of controllers know. */
#pragma once

struct metric;

struct lane_metrics {
    struct metric *depth, *adds, *retried, *waited, *worked, *unfinished, *longest;
};

struct lane_metrics lane_metrics_of(const char *name);
