/* shared.c - lookups through the caches of a pass, and conditions from how a workload fares. */
#include "slinky/shared.h"

#include <errno.h>

#include "base/str.h"
#include "k8s/deployment.h"
#include "k8s/statefulset.h"

/* ------------------------------------------------------------------ lookups */

static bool is_ours(const struct kind *kind)
{
    return str_eq(kind->group, slinky_controller_kind.group);
}

static int get(void *userdata, const struct kind *kind, const char *namespace, const char *name,
               const void **ret, struct error *err)
{
    struct reconcile *r = userdata;
    int rc = 0;

    if (is_ours(kind))
        *ret = reconcile_get(r, kind, namespace, name);
    else
        rc = reconcile_follow(r, kind, namespace, name, ret);
    if (rc < 0 && err != &r->err)
        *err = r->err;
    return rc;
}

static int nodesets(void *userdata, struct arena *a, const char *namespace, const char *controller,
                    const struct slinky_nodeset ***ret, size_t *ret_n, struct error *err)
{
    struct reconcile *r = userdata;
    struct objects all = reconcile_list(r, &slinky_nodeset_kind, namespace);
    const struct slinky_nodeset **found = arena_make_n(a, const struct slinky_nodeset *, all.n);
    size_t n = 0;

    (void)err;
    for_each (object, all) {
        const struct slinky_nodeset *nodeset = *object;

        if (str_eq(nodeset->spec.controller_ref.name, controller))
            found[n++] = nodeset;
    }
    *ret = found;
    *ret_n = n;
    return 0;
}

struct slinky_world world_of(struct reconcile *r)
{
    const struct slinky *slinky = r->context;

    return (struct slinky_world){ .get = get, .nodesets = nodesets, .userdata = r,
                                  .domain = slinky->domain };
}

int translated(struct reconcile *r, int rc, bool *ret_stop)
{
    *ret_stop = rc != 0;
    return rc == -ENOENT ? waiting(r, "%s", error_text(&r->err)) : rc;
}

/* ------------------------------------------------------------------ conditions */

static const struct k8s_condition *find(const struct k8s_condition_list *list, const char *type)
{
    for_each (condition, *list)
        if (str_eq(condition->type, type))
            return condition;
    return NULL;
}

/* An event tells of a change only: what stays is in the conditions. */
static void say_ready(struct reconcile *r, const struct k8s_condition_list *was, bool ready,
                      const char *reason, const char *words)
{
    const struct k8s_condition *before = find(was, "Ready");

    reconcile_condition(r, "Ready", ready ? CONDITION_TRUE : CONDITION_FALSE, reason, "%s", words);
    if (before && str_eq(before->status, "True") != ready)
        reconcile_event(r, !ready, reason, "Observe", "%s", words);
}

void tell_ready(struct reconcile *r, const struct k8s_condition_list *was, const char *reason,
                const char *words)
{
    say_ready(r, was, true, reason, words);
    reconcile_condition(r, "Progressing", CONDITION_FALSE, reason, "%s", words);
    reconcile_condition(r, "Degraded", CONDITION_FALSE, reason, "%s", words);
}

/* How many pods there should be, are made from the newest template, and can be used. */
struct progress {
    int64_t wanted, updated, available;
    bool observed; /* the status speaks of the newest spec */
};

static void tell_progress(struct reconcile *r, const struct k8s_condition_list *was,
                          const struct progress *p)
{
    bool rolling = !p->observed || p->updated < p->wanted;
    bool missing = p->available < p->wanted;

    if (!rolling && !missing) {
        tell_ready(r, was, "Available", p->wanted ? "All pods are available."
                                                  : "No pods are wanted.");
        return;
    }
    say_ready(r, was, p->available > 0, p->available > 0 ? "PartlyAvailable" : "Unavailable",
              fmt(r->arena, "%lld of %lld pods are available", (long long)p->available,
                  (long long)p->wanted));
    reconcile_condition(r, "Progressing", rolling ? CONDITION_TRUE : CONDITION_FALSE,
                        rolling ? "RollingOut" : "RolledOut",
                        "%lld of %lld pods are made from the newest template",
                        (long long)p->updated, (long long)p->wanted);
    reconcile_condition(r, "Degraded", !rolling ? CONDITION_TRUE : CONDITION_FALSE,
                        !rolling ? "PodsMissing" : "RollingOut",
                        "%lld pods are missing or not ready; 'kubectl describe pod' says why",
                        (long long)(missing ? p->wanted - p->available : 0));
}

static bool is_observed(const struct k8s_meta *meta, struct maybe_int observed)
{
    return int_or(observed, 0) >= int_or(meta->generation, 0);
}

void tell_deployment(struct reconcile *r, const struct k8s_condition_list *was,
                     const struct k8s_deployment *live, int64_t wanted)
{
    struct progress p = { .wanted = wanted };

    if (live) {
        p.observed = is_observed(&live->meta, live->status.observed_generation);
        p.updated = int_or(live->status.updated_replicas, 0);
        p.available = int_or(live->status.available_replicas, 0);
    }
    tell_progress(r, was, &p);
}

void tell_statefulset(struct reconcile *r, const struct k8s_condition_list *was,
                      const struct k8s_statefulset *live, int64_t wanted)
{
    struct progress p = { .wanted = wanted };

    if (live) {
        p.observed = is_observed(&live->meta, live->status.observed_generation);
        p.updated = int_or(live->status.updated_replicas, 0);
        p.available = int_or(live->status.available_replicas, 0);
    }
    tell_progress(r, was, &p);
}
