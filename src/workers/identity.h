/* identity.h - numbers of workers: the lowest free ones are given out, and nobody shares one. */
#pragma once
#include "workers/plan.h"

/* The lowest `wanted` numbers that no worker of the set has, whatever its mode or state. */
struct ordinals identity_free(struct arena *a, const struct set_facts *set, size_t wanted);
