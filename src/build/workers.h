/* build/workers.h - the objects of a set of workers, and the workers themselves.
 *
 * Making a pod has two steps, because a thousand of them differ in very little:
 *
 *     const struct json *base = workers_pod_spec(a, m);
 *     struct k8s_built_pod *pod = worker_pod(a, m, base, &(struct worker){ .ordinal = 3, ... });
 *
 * The Service and the PodDisruptionBudget belong to all sets of a cluster together: their owners
 * are the caller's to say.
 */
#pragma once
#include "k8s/built_pod.h"
#include "k8s/configmap.h"
#include "k8s/controllerrevision.h"
#include "k8s/pdb.h"
#include "k8s/pvc.h"
#include "k8s/service.h"
#include "model/workers.h"

/* Headless: gives every worker of the cluster its name. owners: one per set, none of them
 * controlling (see workers_owner). */
struct k8s_service *workers_service(struct arena *a, const struct model_home *home,
                                    const struct model_cluster *cluster,
                                    struct k8s_owner_reference_list owners);
/* Nobody evicts a worker that carries the label of the busy ones. */
struct k8s_pdb *workers_pdb(struct arena *a, const struct model_home *home,
                            const struct model_cluster *cluster,
                            struct k8s_owner_reference_list owners);
/* A set as one owner among several. */
struct k8s_owner_reference workers_owner(const struct model_workers *m);

/* sshd_config; NULL without ssh. */
struct k8s_configmap *workers_ssh_config(struct arena *a, const struct model_workers *m);

/* The PodSpec that all workers of the set share, the user's part merged in. */
const struct json *workers_pod_spec(struct arena *a, const struct model_workers *m);
/* One worker, made from that and sharing it. Both kinds have .generate_name; a numbered one has its
 * name as well, the other kind only when the caller made one up. */
struct k8s_built_pod *worker_pod(struct arena *a, const struct model_workers *m,
                                 const struct json *base, const struct worker *worker);

struct worker_claims {
    struct k8s_pvc *v;
    size_t n;
};
/* The claims of one worker, without owners: those depend on the retention policy. */
struct worker_claims worker_claims(struct arena *a, const struct model_workers *m,
                                   const struct worker *worker);

/* The --conf argument of slurmd, quoted for the shell of the image. */
const char *workers_conf(struct arena *a, const struct model_workers *m);

/* Everything that makes a pod differ from those of an older revision, in the form that is stored.
 */
struct k8s_controllerrevision *workers_revision(struct arena *a, const struct model_workers *m,
                                                int64_t number, int64_t collisions);
/* The hash in the revision's name and in the label of its workers. */
const char *workers_revision_hash(struct arena *a, const struct model_workers *m,
                                  int64_t collisions);
/* Whether a stored revision says the same, however it was written: absent, null and empty are one.
 * Whoever takes over a running cluster keeps the stored hash then. */
bool workers_revision_same(struct arena *a, const struct model_workers *m,
                           const struct k8s_controllerrevision *stored);
