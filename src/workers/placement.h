/* placement.h - where the scheduler would let a worker run: node name, node selector, required node
 * affinity and taints, as core/v1 defines them.
 */
#pragma once
#include "k8s/node.h"
#include "k8s/pod_spec.h"
#include "workers/facts.h"

struct placement {
    const char *node_name;
    struct pairs selector;
    const struct json *terms; /* nodeSelectorTerms of the required node affinity; NULL: any node */
    struct k8s_toleration_list tolerations;
};

/* From a PodSpec. With as_daemon the tolerations that every DaemonSet's pods have are added. */
struct placement *placement_of(struct arena *a, const struct json *pod_spec, bool as_daemon);

enum fit {
    FIT_NEVER,    /* it must not be there */
    FIT_CONTINUE, /* none may be started there, but one that runs may stay */
    FIT_RUN,
};
enum fit placement_fit(const struct placement *p, const struct machine *machine);
