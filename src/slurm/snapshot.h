/* snapshot.h - all nodes and jobs of a cluster at hand, as of a known moment.
 *
 *     scoped(slurm_view) struct slurm_view *view = slurm_view(slurm);
 *     struct slurm_node node;
 *
 *     if (is_yes(slurm_view_node(view, "gpu-7", &node)) && is_yes(node_is_drained(node.state)))
 *
 * One snapshot per client, shared by all its users, refreshed on the client's interval and after
 * each change made through the client. Refreshing is conditional: a cluster in which nothing
 * happened answers in a few hundred bytes. Lists are decoded record by record as they arrive and
 * kept small, see docs/slurm-client.md. A list that breaks off in the middle changes nothing.
 *
 * A view is what was known at one moment: immutable, for any thread, valid until it is given back.
 * Every question to a view answers Unknown when its part (nodes, jobs) was never loaded, is not
 * kept, or is older than the client's stale limit when asked: a view held too long falls silent
 * rather than wrong.
 *
 * Strings in results are borrowed from the view.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "slurm/client.h"
#include "slurm/job_api.h"
#include "slurm/node_api.h"

enum slurm_part { SLURM_NODES = 1, SLURM_JOBS = 2 };

/* Has these parts kept from now on, and loads them. */
void slurm_keep(struct slurm *slurm, unsigned parts);
bool slurm_keeps(struct slurm *slurm, enum slurm_part part);

struct slurm_view;
/* The newest there is, at once. Never NULL. */
struct slurm_view *slurm_view(struct slurm *slurm);
/* One whose parts were asked for at `moment` of clock_now() or later: give the time at which a
 * change of yours returned, and you see it. Starts a refresh if need be, joining one that others
 * wait for already, and waits for it until the call's deadline. If it does not come in time or
 * fails, call->fault tells why, and the view answers Unknown for those parts. Never NULL. */
struct slurm_view *slurm_view_since(struct slurm *slurm, struct slurm_call *call, unsigned parts,
                                    usec moment);
struct slurm_view *slurm_view_ref(struct slurm_view *view);
void slurm_view_unref(struct slurm_view *view);
DEFINE_SCOPE(slurm_view, slurm_view_unref)

/* How old a part is: since the question was sent whose answer it is. USEC_NEVER: never loaded. */
usec slurm_view_age(const struct slurm_view *view, enum slurm_part part);

/* No: there is no such node or job as of the view's moment. */
MUST_CHECK enum answer slurm_view_node(const struct slurm_view *view, const char *name,
                                       struct slurm_node *ret);
MUST_CHECK enum answer slurm_view_job(const struct slurm_view *view, uint32_t id,
                                      struct slurm_job *ret);
/* Whether the list can be walked, and how long it is; never No. Nodes are sorted by name, jobs by
 * id. Walk it with slurm_view_node_at(), i below the count. */
MUST_CHECK enum answer slurm_view_nodes(const struct slurm_view *view, size_t *ret_count);
MUST_CHECK enum answer slurm_view_jobs(const struct slurm_view *view, size_t *ret_count);
void slurm_view_node_at(const struct slurm_view *view, size_t i, struct slurm_node *ret);
void slurm_view_job_at(const struct slurm_view *view, size_t i, struct slurm_job *ret);

/* What is different about a node or a job; the first two stand alone. */
enum slurm_difference {
    SLURM_ADDED = 1 << 0,
    SLURM_REMOVED = 1 << 1,
    SLURM_STATE = 1 << 2,  /* state; of a job also why it waits */
    SLURM_REASON = 1 << 3, /* reason, its user and time */
    SLURM_TEXT = 1 << 4,   /* comment, extra */
    SLURM_PLACE = 1 << 5,  /* partitions, features, topology, reservation; a job's nodes */
    SLURM_SHAPE = 1 << 6,  /* address, version, boot; cpus, memory, gres; a job's resources */
    SLURM_USE = 1 << 7,    /* what jobs take of a node */
    SLURM_LOAD = 1 << 8,   /* load, free memory: different at almost every refresh */
    SLURM_TIMES = 1 << 9,  /* last busy; a job's start and end */
    SLURM_ANYTHING = (1 << 10) - 1,
};

struct slurm_change {
    enum slurm_part part;
    unsigned differences; /* bits of enum slurm_difference */
    const char *node;     /* SLURM_NODES */
    uint32_t job;         /* SLURM_JOBS */
};

struct slurm_news {
    const char *cluster;
    struct slurm_view *view; /* after the changes; borrowed */
    enum slurm_part part;
    /* Whether the part can answer. A refresh that failed is news once the part is stale: everything
     * about it is then unknown and no changes are listed; when it comes back the changes are those
     * against the last that was known. */
    enum answer known;
    const struct slurm_change *changes;
    size_t n;
};
/* Called on the loop thread, once per refresh that brought something, before those who wait for
 * that refresh go on. Must not wait. */
typedef void slurm_news_fn(void *userdata, const struct slurm_news *news);

/* Tells about the parts and differences asked for, beginning with everything there is as
 * SLURM_ADDED once it is loaded. From any thread. Returns a number for slurm_unsubscribe(), after
 * which fn is not called any more. */
uint64_t slurm_subscribe(struct slurm *slurm, unsigned parts, unsigned differences,
                         slurm_news_fn *fn, void *userdata);
void slurm_unsubscribe(struct slurm *slurm, uint64_t id);
