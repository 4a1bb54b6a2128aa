/* pins.h - which number belongs on which Kubernetes node.
 *
 * A number is pinned to the node where its worker first ran, and stays pinned while that node is
 * there and still takes it.
 */
#pragma once
#include "workers/placement.h"

/* The pins there are to be, sorted; keys are plain decimal numbers. */
struct pairs pins_of(struct arena *a, const struct set_facts *set,
                     const struct placement *placement, struct pairs old);
