/* fleet.h - clusters, their parts, their node sets and their nodes, at one moment.
 *
 * All of it is what the API server holds: the status of the custom resources, and the state in
 * Slurm that the operator keeps on worker pods. Slurm itself is not asked, and no credential of it
 * is needed.
 */
#pragma once
#include "ops/session.h"
#include "ops/worker.h"
#include "slurm/job_api.h"

/* How something fares, by its Ready condition. */
struct health {
    const char *state;   /* "ready", "not ready", "unknown" */
    const char *message; /* NULL when it is ready */
};

struct part_view { /* of a cluster: what is not its workers */
    const char *kind, *name;
    struct health health;
};

struct count_view {
    size_t nodes, busy, idle, drain, down, unknown; /* busy ones that drain count as both */
};

struct set_view {
    const char *namespace, *name, *cluster;
    int64_t desired, ready; /* workers */
    struct health health;
    struct count_view count;
    struct {
        struct worker_view *v;
        size_t n;
    } workers;
};

struct cluster_view {
    const char *namespace, *name;
    struct health health; /* of all its parts together */
    struct {
        struct part_view *v;
        size_t n;
    } parts;
    struct {
        struct set_view *v;
        size_t n;
    } sets;
    struct count_view count;
    const struct slinky_controller *controller;
    struct slurm_jobs jobs;   /* of fleet_look_jobs() */
    const char *jobs_problem; /* why the jobs are not known; NULL: they are, or nobody asked */
    bool jobs_asked;
};

struct fleet {
    struct {
        struct cluster_view *v;
        size_t n;
    } clusters;
};

/* namespace NULL: all. -ENOENT when the kinds are not installed. */
int fleet_look(struct session *s, const char *namespace, struct fleet *ret, struct error *err);

/* Asks every cluster for its queue. A cluster whose queue cannot be had says why. */
void fleet_look_jobs(struct session *s, struct fleet *fleet);

/* nodes: list every one, not only a few or those in trouble. */
void fleet_write_text(struct arena *a, const struct fleet *fleet, bool nodes, struct buf *out);
struct json *fleet_json(struct arena *a, const struct fleet *fleet);

struct health health_of(const struct k8s_condition_list *conditions, int64_t generation);
void count_worker(struct count_view *count, const struct worker_view *w);
