/* nodeset_parts.h - one pass over a NodeSet, cut into rooms; only for the files of the kind.
 *
 * nodeset_gather.c finds out the facts, src/workers decides, and the rest carries the plan out:
 * workers first, then what is told to Slurm, then what is written on pods, then the status. A room
 * that fails keeps none of the others from its work.
 */
#pragma once
#include "base/map.h"
#include "build/workers.h"
#include "k8s/pod.h"
#include "kube/controller.h"
#include "slinky/front.h"
#include "slinky/names.h"
#include "slinky/shared.h"
#include "slurm/registry.h"
#include "workers/placement.h"
#include "workers/plan.h"
#include "workers/podstate.h"
#include "workers/tally.h"

/* Beside pod-cordon, when it is ours: what for. Without it the cordon is a user's. */
#define NODESET_CORDON_WHY SLINKY_POD_CORDON_WHY
#define NODESET_DRAIN_TIMEOUT "windlass.dev/drain-timeout"
#define NODESET_FEATURE_PREFIX "k8s/"

enum { NODESET_FEW = 4 }; /* Slurm nodes that are looked at one by one, instead of all there are */

extern const struct podstate_words nodeset_podstate;

/* ------------------------------------------------------------------ between passes */

/* What one NodeSet's passes remember; a key is never with two workers, so only the cluster, which
 * the news of Slurm look at, is under the lock of the whole. */
struct nodeset_memory {
    char *cluster;       /* "namespace/controller" */
    usec last_pass;      /* clock_now() at the end of the last one that did anything */
    size_t pods;         /* how many there were then */
    int64_t generation;  /* of the NodeSet then */
    struct map told;     /* host -> clock_now() when Slurm was last told something about it */
    usec unknown_since;  /* clock_now() since when Slurm is silent; 0: it is not */
    usec traits_since;   /* since when features or topology wait to be told; 0: none do */
    usec going_since;    /* clock_now() when the newest deletion was seen */
    size_t going;        /* pods that were being deleted in the last pass */
    usec stale_since;    /* clock_now() since when some comment names another node; 0: none does */
    struct map failures; /* host -> struct nodeset_failure */
};

struct nodesets; /* all of them */
struct nodeset_memory *nodeset_remember(struct slinky *s, const char *namespace, const char *name,
                                        const char *controller);
void nodeset_forget(struct slinky *s, const char *namespace, const char *name);
/* The pod of that host has ended: when it may be replaced, wall clock. The first time at once, then
 * after a pause that doubles up to a quarter of an hour. */
usec nodeset_failed(struct nodeset_memory *memory, const char *host, const char *uid, usec now);

/* ------------------------------------------------------------------ one pass */

struct nodeset_pass {
    struct reconcile *r;
    struct slinky *slinky;
    const struct slinky_nodeset *cr;
    struct nodeset_memory *memory;
    struct model_workers model;
    const struct json *base;     /* the pod spec that all workers share; NULL: not made yet */
    struct placement *placement; /* where they may run; NULL: nobody asked */
    const struct k8s_pod **pods; /* pods[i] is facts.workers[i] */
    struct set_facts facts;
    struct slurm *slurm;         /* NULL: nobody to ask */
    struct slurm_view *view;     /* NULL likewise */
    struct slurm_view *old_view; /* of before, for what borrows from it */
    struct plan *plan;
    size_t made; /* workers, in this pass */
    int64_t collisions;
    struct pairs pins;
    struct error first; /* of the rooms that failed */
    int rc;
};

/* What all workers are made from; made once. */
const struct json *nodeset_base(struct nodeset_pass *p);
/* A Slurm call's arena and deadline, within those of the pass. */
struct slurm_call nodeset_call(struct nodeset_pass *p);
/* Notes that a room failed and goes on; the first one tells the story. */
void nodeset_note(struct nodeset_pass *p, const char *room, int rc);

/* Notes that Slurm was told something about these nodes, so that what it said before is not taken
 * for its answer. */
void nodeset_told(struct nodeset_pass *p, struct strs hosts);

/* nodeset_gather.c */
/* The pods that we control; beside them those that carry our name and nobody controls. */
struct objects nodeset_pods(struct reconcile *r, struct objects *ret_orphans);
/* Takes over those of them that could only be ours. */
int nodeset_adopt(struct nodeset_pass *p, struct objects orphans);
void nodeset_gather(struct nodeset_pass *p, struct objects pods);
/* Which nodes new workers may go to; needs a model that is whole. */
void nodeset_place(struct nodeset_pass *p);
/* Asks Slurm again, and fills in what it says now. */
void nodeset_look_again(struct nodeset_pass *p);
void nodeset_done(struct nodeset_pass *p);

/* nodeset_revisions.c */
int nodeset_revision(struct nodeset_pass *p); /* sets facts.hash */
int nodeset_truncate(struct nodeset_pass *p);

/* nodeset_shared.c: Service, PodDisruptionBudget and sshd's configuration */
int nodeset_shared(struct nodeset_pass *p);

/* nodeset_carry.c */
int nodeset_create(struct nodeset_pass *p);
int nodeset_drain(struct nodeset_pass *p); /* and delete what then may go */

/* nodeset_claims.c */
struct lot;
int nodeset_make_claims(struct nodeset_pass *p, struct lot *lot, const struct worker *worker);
int nodeset_claims(struct nodeset_pass *p); /* owned by whoever they go with */

/* nodeset_write.c: what is written on pods */
int nodeset_write(struct nodeset_pass *p);

/* nodeset_tell.c: what Slurm is told about its nodes */
int nodeset_tell(struct nodeset_pass *p);
int nodeset_prune(struct nodeset_pass *p);

/* nodeset_reservation.c */
int nodeset_reserve(struct nodeset_pass *p);
int nodeset_unreserve(struct nodeset_pass *p);

/* nodeset_status.c */
void nodeset_status(struct nodeset_pass *p);
/* What a status must say besides its conditions, for a set that has to wait. */
void nodeset_status_waiting(struct nodeset_pass *p);
