/* worker.h - one worker as the API server tells of it: a pod, and the state in Slurm that the
 * operator keeps on it as conditions.
 *
 * Pure functions. What the conditions do not say is unknown (UNSET), never idle and never drained.
 */
#pragma once
#include "k8s/pod.h"

enum worker_cordon {
    WORKER_NOT_CORDONED,
    WORKER_CORDONED_BY_USER,
    WORKER_CORDONED_BY_NODE, /* its Kubernetes node is cordoned */
    WORKER_LEAVING,          /* it makes room: a smaller set, or a newer template */
};

struct worker_view {
    const struct k8s_pod *pod;
    const char *name;   /* in Slurm */
    const char *set;    /* the NodeSet */
    const char *state;  /* "idle", "mixed+drain", "unknown" */
    const char *reason; /* why Slurm says it is drained or down; NULL: no reason */
    enum flag busy, drain, drained, down; /* UNSET: unknown */
    bool silent; /* it does not answer Slurm, so that idle is only what it was */
    enum worker_cordon cordon;
    usec deadline; /* when its jobs end at the latest; 0: not known, or none runs */
};

/* stale: the operator has not heard of Slurm for a while, so that the conditions mean nothing. */
struct worker_view worker_view_of(struct arena *a, const struct k8s_pod *pod, bool stale);
/* Whether a person means this worker: by the name of its pod or of its node in Slurm. */
bool worker_is_called(const struct worker_view *w, const char *name);

/* Why a worker cannot be put back to work by taking our cordon away, with what to do instead; NULL
 * when it can. */
const char *worker_refuses_undrain(struct arena *a, const struct worker_view *w);
/* What becomes of it once it is cordoned, for people. */
const char *worker_drain_outlook(struct arena *a, const struct worker_view *w);
