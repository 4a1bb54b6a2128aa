/* traits.h - what a Kubernetes node says about the Slurm node of its worker: features and
 * topology.
 */
#pragma once
#include "workers/plan.h"

/* The features there are to be, sorted and separated by commas: those that others gave stay, those
 * with our prefix are what the annotation lists. */
const char *features_of(struct arena *a, const char *prefix, const char *now, const char *wanted);
/* Whether two lists hold the same words, in any order. */
bool features_same(struct arena *a, const char *x, const char *y);

/* What Slurm has to be told: .text the features, .more the active ones. */
struct groups features_plan(struct arena *a, const struct set_facts *set);
/* The same for topology. */
struct groups topology_plan(struct arena *a, const struct set_facts *set);
