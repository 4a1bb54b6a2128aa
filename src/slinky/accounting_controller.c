/* accounting_controller.c - Accounting: slurmdbd, its configuration and its Service. */
#include "build/accounting.h"
#include "k8s/configmap.h"
#include "kinds.h"
#include "slinky/shared.h"
#include "slinky/takeover.h"

/* slurmdbd runs elsewhere: what was made when it ran here goes. */
static int sync_external(struct reconcile *r, const struct slinky_accounting *cr,
                         const struct model_accounting *m)
{
    int rc = reconcile_delete(r, &k8s_statefulset_kind, m->workload.name)
        ?: reconcile_delete(r, &k8s_service_kind, m->workload.name)
        ?: reconcile_delete(r, &k8s_secret_kind, m->config.name);

    if (rc == 0)
        tell_ready(r, &cr->status.conditions, "External", "slurmdbd is run by somebody else.");
    return rc;
}

static int sync_own(struct reconcile *r, const struct slinky_accounting *cr,
                    const struct model_accounting *m)
{
    struct k8s_statefulset *want = accounting_statefulset(r->arena, m);
    int rc = APPLY(r, accounting_service(r->arena, m));

    /* slurmdbd.conf names files as our pods mount them, and its hash is in their template */
    if (rc == 0 && !takeover_leaves(r, want))
        rc = APPLY(r, accounting_config(r->arena, m));
    rc = rc ?: takeover_statefulset(r, want);
    if (rc == 0)
        tell_statefulset(r, &cr->status.conditions, GET(r, k8s_statefulset, m->workload.name), 1);
    return rc;
}

static int reconcile(struct reconcile *r)
{
    const struct slinky_accounting *cr = r->object;
    struct slinky_world world = world_of(r);
    struct slinky_accounting now = *cr;
    struct model_accounting m;
    bool stop;
    int rc;

    now.status.observed_generation = cr->meta.generation;
    reconcile_status(r, &now);
    rc = translated(r, front_accounting(r->arena, &world, cr, &m, &r->err), &stop);
    if (stop)
        return rc;
    return m.external ? sync_external(r, cr, &m) : sync_own(r, cr, &m);
}

const struct controller accounting_controller = {
    .name = "accounting-controller",
    .reconciles = &slinky_accounting_kind,
    .owns = KINDS(&k8s_statefulset_kind, &k8s_service_kind, &k8s_secret_kind),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind),
    .reconcile = reconcile,
};
