/* adopt.h - leaving pods alone that another operator made.
 *
 * Whoever takes over a running cluster finds workloads that differ from its own: another text of a
 * helper script, hashes that the other one never wrote, another name of a file or a Service.
 * Restarting slurmctld for that would be a poor greeting, and where its state is lost with the pod
 * it would lose every job. So such a workload, and the configuration that fits it, stays as it is until somebody asks for something
 * else: what we would make is then no longer what it was when we came, which is noted in an
 * annotation. From the first apply on the workload is ours, and none of this concerns it.
 *
 * Each function returns the note that live shall carry as long as it stays, or NULL when want is to
 * be applied: there is none yet, it is ours, it says what we want anyway, or the time has come.
 * The number of replicas is not a reason.
 */
#pragma once
#include "k8s/configmap.h"
#include "k8s/deployment.h"
#include "k8s/statefulset.h"

#define ADOPTED "windlass.dev/adopted"

const char *adopt_statefulset(struct arena *a, const struct k8s_statefulset *live,
                              const struct k8s_statefulset *want);
const char *adopt_deployment(struct arena *a, const struct k8s_deployment *live,
                             const struct k8s_deployment *want);
/* content: a hash of it and of whatever stands beside it. */
const char *adopt_configmap(struct arena *a, const struct k8s_configmap *live,
                            const struct k8s_configmap *want, const char *content);
/* The file in a mounted directory that a key of a Secret is given as; NULL when it is not. */
struct model_key;
const char *adopt_file_of(const struct k8s_pod_template *live, const struct model_key *key);
