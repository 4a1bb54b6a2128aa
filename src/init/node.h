/* node.h - what a worker says about itself: the --conf of slurmd.
 *
 * slurmd sees the whole machine, whatever the pod may use. What the pod may not use is reserved:
 * CoreSpecCount and MemSpecLimit, from the limits that the operator puts into the environment.
 * Pure functions.
 */
#pragma once
#include <stdint.h>

#include "base/arena.h"

struct node_limits {
    int64_t cpus;         /* of the pod; 0: no limit */
    int64_t memory;       /* MiB; 0: no limit */
    const char *topology; /* where the node is, "" or NULL: not known */
};

/* conf with items added that it does not have yet; hardware is what `slurmd -C` prints. An item is
 * added only when the numbers that it is made from are all there. */
const char *node_conf(struct arena *a, const char *conf, const char *hardware,
                      const struct node_limits *limits);
