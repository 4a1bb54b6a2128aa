/* adopt.h - leaving pods alone that another operator made.
 *
 * Whoever takes over a running cluster finds workloads that differ from its own in small things:
 * another text of the same helper script, hashes that the other one never wrote. Restarting
 * slurmctld for that would be a poor greeting, so such a template is kept as it is until there is a
 * reason to change it: something else in it differs, or one of those hashes changes from what it
 * was when we came, which is noted in an annotation of the workload.
 *
 * Each function returns what is to be applied: want itself, or want with live's own words in its
 * template. live NULL: there is none yet. hashes: the model's, whose absence is forgiven.
 */
#pragma once
#include "k8s/deployment.h"
#include "k8s/statefulset.h"

#define ADOPTED "windlass.dev/adopted"

struct k8s_statefulset *adopt_statefulset(struct arena *a, const struct k8s_statefulset *live,
                                          struct k8s_statefulset *want, struct pairs hashes);
struct k8s_deployment *adopt_deployment(struct arena *a, const struct k8s_deployment *live,
                                        struct k8s_deployment *want, struct pairs hashes);
