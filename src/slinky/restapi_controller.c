/* restapi_controller.c - RestApi: slurmrestd behind a Service. */
#include "build/adopt.h"
#include "build/rest.h"
#include "k8s/configmap.h"
#include "k8s/secret.h"
#include "kinds.h"
#include "slinky/shared.h"

static int reconcile(struct reconcile *r)
{
    const struct slinky_restapi *cr = r->object;
    struct slinky_world world = world_of(r);
    struct slinky_restapi now = *cr;
    struct model_rest m;
    bool stop;
    int rc = translated(r, front_restapi(r->arena, &world, cr, &m, &r->err), &stop);

    if (stop)
        return rc;
    rc = APPLY(r, rest_service(r->arena, &m))
        ?: APPLY(r, adopt_deployment(r->arena, GET(r, k8s_deployment, m.workload.name),
                                     rest_deployment(r->arena, &m), m.pods.hashes));
    if (rc < 0)
        return rc;
    now.status.observed_generation = cr->meta.generation;
    reconcile_status(r, &now);
    tell_deployment(r, &cr->status.conditions, GET(r, k8s_deployment, m.workload.name), m.replicas);
    return 0;
}

const struct controller restapi_controller = {
    .name = "restapi-controller",
    .reconciles = &slinky_restapi_kind,
    .owns = KINDS(&k8s_deployment_kind, &k8s_service_kind),
    .watches = WATCHES({ &slinky_controller_kind, .by = "spec.controllerRef.name" }),
    .reads = KINDS(&slinky_accounting_kind, &slinky_nodeset_kind),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind),
    .reconcile = reconcile,
};
