/* workers.h - a set of workers: slurmd, in pods that we make and number ourselves.
 *
 * What the pods of a set have in common is described here; what tells one from another is a struct
 * worker. A worker is either numbered, and keeps its number for life, or it is the one of its
 * Kubernetes node.
 */
#pragma once
#include "k8s/pvc.h"
#include "model/cluster.h"

enum worker_mode { WORKERS_NUMBERED, WORKERS_PER_NODE };

struct model_claims {
    struct k8s_pvc *v; /* .meta.name is the name of the volume */
    size_t n;
};

struct model_workers {
    struct model_home home;
    struct model_cluster cluster;
    const char *name;       /* prefix of pods, claims and revisions: NAME-0 */
    const char *nodeset;    /* the Slurm NodeSet, feature and partition */
    const char *hostname;   /* prefix of host names; NULL: the pod's name is the host name */
    struct model_pods pods; /* .labels lack those of the single worker */
    enum worker_mode mode;
    const char *mode_text; /* as the API calls it, for the label */
    int64_t replicas;      /* WORKERS_NUMBERED */
    int padding;           /* digits of a number */
    bool shares_node;      /* several workers may run on one node */

    bool ssh;
    struct model_object ssh_config; /* the ConfigMap */
    struct model_key sssd_conf;     /* a Secret */
    const char *sshd_extra;

    const char *extra_conf; /* further Key=Value items of the node record */
    struct model_claims claims;
    const struct json *slurmd, *logfile;

    const struct json *revision; /* all that makes old pods differ from new ones */
    struct pairs revision_labels, revision_annotations;
};

/* One worker. */
struct worker {
    const char *name;          /* WORKERS_PER_NODE: of the pod; NULL: the server makes one up */
    int64_t ordinal;           /* WORKERS_NUMBERED */
    const char *node;          /* the Kubernetes node it belongs on; NULL: any */
    const char *node_hostname; /* WORKERS_PER_NODE: what the node says its worker is called; NULL:
                                  the first part of its name */
    const char *topology;      /* of that node, if it is known; NULL: not known */
    const char *hash;          /* of the revision it is made from */
};

/* The number with its zeros. */
const char *worker_index(struct arena *a, const struct model_workers *set, int64_t ordinal);
/* NAME-003; NULL for a worker that is named by the server (WORKERS_PER_NODE). */
const char *worker_pod_name(struct arena *a, const struct model_workers *set,
                            const struct worker *worker);
/* Its host name, which is also the name of its Slurm node unless it uses its node's network. */
const char *worker_hostname(struct arena *a, const struct model_workers *set,
                            const struct worker *worker);
/* The number in a pod's name; false when the name is not one of this set's. */
bool worker_ordinal(const struct model_workers *set, const char *pod_name, int64_t *ret);
/* CLAIM-NAME-003, or CLAIM-NAME-HOSTNAME. */
const char *worker_claim_name(struct arena *a, const struct model_workers *set,
                              const struct worker *worker, const char *claim);
