/* accounting_controller.c - Accounting: slurmdbd, its configuration and its Service. */
#include "build/accounting.h"
#include "build/adopt.h"
#include "k8s/configmap.h"
#include "kinds.h"
#include "slinky/shared.h"

static int reconcile(struct reconcile *r)
{
    const struct slinky_accounting *cr = r->object;
    struct slinky_world world = world_of(r);
    struct slinky_accounting now = *cr;
    struct model_accounting m;
    bool stop;
    int rc = translated(r, front_accounting(r->arena, &world, cr, &m, &r->err), &stop);

    if (stop)
        return rc;
    now.status.observed_generation = cr->meta.generation;
    reconcile_status(r, &now);
    if (m.external) {
        tell_ready(r, &cr->status.conditions, "External", "slurmdbd is run by somebody else.");
        return 0;
    }
    rc = APPLY(r, accounting_service(r->arena, &m))
        ?: APPLY(r, accounting_config(r->arena, &m))
        ?: APPLY(r, adopt_statefulset(r->arena, GET(r, k8s_statefulset, m.workload.name),
                                      accounting_statefulset(r->arena, &m), m.pods.hashes));
    if (rc == 0)
        tell_statefulset(r, &cr->status.conditions, GET(r, k8s_statefulset, m.workload.name), 1);
    return rc;
}

const struct controller accounting_controller = {
    .name = "accounting-controller",
    .reconciles = &slinky_accounting_kind,
    .owns = KINDS(&k8s_statefulset_kind, &k8s_service_kind, &k8s_secret_kind),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind),
    .reconcile = reconcile,
};
