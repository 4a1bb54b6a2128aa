/* render.h - every object that the operator would make of the manifests, without a cluster.
 *
 * The order is fixed: resources by kind, namespace and name, the objects of each as its builder
 * makes them. Host keys and tokens are placeholders unless their Secrets are among the manifests,
 * because each is made once and by chance. A DaemonSet-like NodeSet has a worker for every Node
 * among the manifests that it may run on.
 */
#pragma once
#include "slinky/manifests.h"

struct rendered {
    const struct kind *kind;
    const void *object;
};

struct rendering {
    struct rendered *v;
    size_t n, room;
    const char **errors; /* what kept a resource from being rendered, and where it is */
    size_t error_count;
};

void slinky_render(struct arena *a, struct manifests *m, const char *domain, struct rendering *ret);
