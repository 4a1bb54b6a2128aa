/* fleet.c - what there is, put together from lists. */
#include "ops/fleet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kinds.h"
#include "ops/jobs.h"
#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/names.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"

/* Everything as listed. */
struct lists {
    struct objects controllers, accountings, restapis, loginsets, nodesets, pods;
};

/* ------------------------------------------------------------------ how things fare */

struct health health_of(const struct k8s_condition_list *conditions, int64_t generation)
{
    for_each (c, *conditions) {
        if (!str_eq(c->type, "Ready"))
            continue;
        if (int_or(c->observed_generation, generation) < generation)
            return (struct health) { "unknown", "its last change has not been looked at yet" };
        if (str_eq(c->status, "True"))
            return (struct health) { "ready", NULL };
        return (struct health) { str_eq(c->status, "False") ? "not ready" : "unknown",
                                 c->message ?: c->reason };
    }
    return (struct health) { "unknown", "the operator has not said anything yet" };
}

void count_worker(struct count_view *count, const struct worker_view *w)
{
    count->nodes++;
    count->busy += w->busy == YES;
    count->drain += w->drain == YES;
    count->down += w->down == YES;
    count->unknown += w->busy == UNSET;
    count->idle += w->busy == NO && w->drain == NO && w->down == NO && !w->silent;
}

static void add_counts(struct count_view *to, const struct count_view *from)
{
    to->nodes += from->nodes;
    to->busy += from->busy;
    to->drain += from->drain;
    to->down += from->down;
    to->unknown += from->unknown;
    to->idle += from->idle;
}

/* ------------------------------------------------------------------ node sets */

/* The operator says so when it has not heard of Slurm for a while. */
static bool is_stale(const struct slinky_nodeset *set)
{
    for_each (c, set->status.conditions)
        if (str_eq(c->type, "Degraded") && str_eq(c->status, "Unknown"))
            return true;
    return false;
}

static int by_pod(const void *x, const void *y)
{
    const struct worker_view *a = x, *b = y;

    return (int)strlen(a->pod->meta.name) - (int)strlen(b->pod->meta.name)
               ?: strcmp(a->pod->meta.name, b->pod->meta.name);
}

static struct set_view set_of(struct arena *a, const struct slinky_nodeset *cr,
                              const struct objects *pods)
{
    struct set_view set = {
        .namespace = cr->meta.namespace,
        .name = cr->meta.name,
        .cluster = cr->spec.controller_ref.name,
        .desired = int_or(cr->status.desired, int_or(cr->spec.replicas, 1)),
        .ready = int_or(cr->status.ready_replicas, 0),
        .health = health_of(&cr->status.conditions, int_or(cr->meta.generation, 0)),
    };

    set.workers.v = arena_make_n(a, struct worker_view, pods->n + 1);
    for_each (object, *pods) {
        const struct k8s_pod *pod = *object;

        if (!str_eq(pod->meta.namespace, set.namespace) ||
            !str_eq(pairs_get(pod->meta.labels, SLINKY_APP_INSTANCE), set.name))
            continue;
        set.workers.v[set.workers.n] = worker_view_of(a, pod, is_stale(cr));
        count_worker(&set.count, &set.workers.v[set.workers.n++]);
    }
    qsort(set.workers.v, set.workers.n, sizeof *set.workers.v, by_pod);
    return set;
}

/* ------------------------------------------------------------------ clusters */

static void add_part(struct cluster_view *cluster, const char *kind, const struct k8s_meta *meta,
                     const struct k8s_condition_list *conditions)
{
    struct part_view part = { kind, meta->name,
                              health_of(conditions, int_or(meta->generation, 0)) };

    cluster->parts.v[cluster->parts.n++] = part;
    if (str_eq(part.health.state, "ready") || !str_eq(cluster->health.state, "ready"))
        return;
    cluster->health = part.health;
}

static bool is_of(const struct cluster_view *cluster, const struct k8s_meta *meta, const char *ref)
{
    return str_eq(meta->namespace, cluster->namespace) && str_eq(ref, cluster->name);
}

static void add_parts(struct cluster_view *cluster, const struct slinky_controller *cr,
                      const struct lists *l)
{
    const char *accounting = cr->spec.accounting_ref ? cr->spec.accounting_ref->name : NULL;

    add_part(cluster, "controller", &cr->meta, &cr->status.conditions);
    for_each (object, l->accountings) {
        const struct slinky_accounting *x = *object;

        if (str_eq(x->meta.namespace, cluster->namespace) && str_eq(x->meta.name, accounting))
            add_part(cluster, "accounting", &x->meta, &x->status.conditions);
    }
    for_each (object, l->restapis) {
        const struct slinky_restapi *x = *object;

        if (is_of(cluster, &x->meta, x->spec.controller_ref.name))
            add_part(cluster, "restapi", &x->meta, &x->status.conditions);
    }
    for_each (object, l->loginsets) {
        const struct slinky_loginset *x = *object;

        if (is_of(cluster, &x->meta, x->spec.controller_ref.name))
            add_part(cluster, "loginset", &x->meta, &x->status.conditions);
    }
}

static void add_sets(struct arena *a, struct cluster_view *cluster, const struct lists *l)
{
    cluster->sets.v = arena_make_n(a, struct set_view, l->nodesets.n + 1);
    for_each (object, l->nodesets) {
        const struct slinky_nodeset *cr = *object;
        struct set_view *set = &cluster->sets.v[cluster->sets.n];

        if (!is_of(cluster, &cr->meta, cr->spec.controller_ref.name))
            continue;
        *set = set_of(a, cr, &l->pods);
        add_counts(&cluster->count, &set->count);
        cluster->sets.n++;
        if (str_eq(cluster->health.state, "ready") && !str_eq(set->health.state, "ready"))
            cluster->health = set->health;
    }
}

static struct cluster_view cluster_of(struct arena *a, const struct slinky_controller *cr,
                                      const struct lists *l)
{
    struct cluster_view cluster = { .controller = cr,
                                    .namespace = cr->meta.namespace,
                                    .name = cr->meta.name,
                                    .health = { "ready", NULL } };

    cluster.parts.v =
        arena_make_n(a, struct part_view, 2 + l->accountings.n + l->restapis.n + l->loginsets.n);
    add_parts(&cluster, cr, l);
    add_sets(a, &cluster, l);
    return cluster;
}

/* ------------------------------------------------------------------ all of it */

int fleet_look(struct session *s, const char *namespace, struct fleet *ret, struct error *err)
{
    struct lists l = { 0 };
    int rc = session_list(s, &slinky_controller_kind, namespace, NULL, &l.controllers, err)
                 ?: session_list(s, &slinky_accounting_kind, namespace, NULL, &l.accountings, err)
                 ?: session_list(s, &slinky_restapi_kind, namespace, NULL, &l.restapis, err)
                 ?: session_list(s, &slinky_loginset_kind, namespace, NULL, &l.loginsets, err)
                 ?: session_list(s, &slinky_nodeset_kind, namespace, NULL, &l.nodesets, err)
                 ?: session_list(s, &k8s_pod_kind, namespace, SLINKY_APP_NAME "=slurmd", &l.pods,
                                 err);

    if (rc < 0)
        return rc;
    *ret = (struct fleet) { 0 };
    ret->clusters.v = arena_make_n(s->arena, struct cluster_view, l.controllers.n + 1);
    for_each (object, l.controllers)
        ret->clusters.v[ret->clusters.n++] = cluster_of(s->arena, *object, &l);
    return 0;
}

static const char *restapi_of(const struct cluster_view *cluster)
{
    for_each (part, cluster->parts)
        if (str_eq(part->kind, "restapi"))
            return part->name;
    return NULL;
}

void fleet_look_jobs(struct session *s, struct fleet *fleet)
{
    for_each (cluster, fleet->clusters) {
        const char *restapi = restapi_of(cluster);
        struct error err = { 0 };

        cluster->jobs_asked = true;
        if (!restapi)
            cluster->jobs_problem = "it has no RestApi to ask";
        else if (jobs_look(s, cluster->controller, restapi, &cluster->jobs, &err) < 0)
            cluster->jobs_problem = arena_str(s->arena, error_text(&err));
    }
}
