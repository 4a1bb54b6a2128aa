/* restapi_controller.c - RestApi: slurmrestd behind a Service. */
#include "build/rest.h"
#include "k8s/configmap.h"
#include "k8s/secret.h"
#include "kinds.h"
#include "slinky/shared.h"
#include "slinky/takeover.h"

static int reconcile(struct reconcile *r)
{
    const struct slinky_restapi *cr = r->object;
    struct slinky_world world = world_of(r);
    struct slinky_restapi now = *cr;
    struct model_rest m;
    bool stop;
    int rc;

    now.status.observed_generation = cr->meta.generation;
    reconcile_status(r, &now);
    rc = translated(r, front_restapi(r->arena, &world, cr, &m, &r->err), &stop);
    if (stop)
        return rc;
    rc = APPLY(r, rest_service(r->arena, &m))
        ?: takeover_deployment(r, rest_deployment(r->arena, &m));
    if (rc == 0)
        tell_deployment(r, &cr->status.conditions, GET(r, k8s_deployment, m.workload.name),
                        m.replicas);
    return rc;
}

/* Where slurmdbd answers stands in the slurm.conf that slurmrestd starts with. */
static void on_accounting(struct mapping *m, void *context, const void *old, const void *now)
{
    const struct k8s_meta *before = old;
    const struct k8s_meta *after = now;

    (void)context;
    if (!before || !after || int_or(before->generation, 0) != int_or(after->generation, 0))
        mapping_add_all(m, (after ?: before)->namespace);
}

const struct controller restapi_controller = {
    .name = "restapi-controller",
    .reconciles = &slinky_restapi_kind,
    .owns = KINDS(&k8s_deployment_kind, &k8s_service_kind),
    .watches = WATCHES({ &slinky_controller_kind, .by = "spec.controllerRef.name" },
                       { &slinky_accounting_kind, .map = on_accounting }),
    .reads = KINDS(&slinky_nodeset_kind),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind),
    .reconcile = reconcile,
};
