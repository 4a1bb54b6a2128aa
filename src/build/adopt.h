/* adopt.h - leaving pods alone that another operator made.
 *
 * An operator that takes over a running cluster finds templates that differ from its own in small
 * things: another text of the same helper script, annotations that the other one never wrote.
 * Restarting slurmctld for that would be a poor greeting, so such a template is kept until there is
 * a real reason to change it.
 */
#pragma once
#include "k8s/meta.h"

/* The template to apply: live's own words for the scripts of our helper containers and for missing
 * annotations where nothing else differs, want itself otherwise. */
struct k8s_pod_template adopt_template(struct arena *a, const struct k8s_pod_template *live,
                                       const struct k8s_pod_template *want);
