/* slurmclient_controller.c - keeps a client for every Controller that can be reached by a RestApi. */
#include <errno.h>

#include "base/str.h"
#include "k8s/configmap.h"
#include "k8s/secret.h"
#include "k8s/service.h"
#include "kinds.h"
#include "slinky/names.h"
#include "slinky/shared.h"
#include "slurm/registry.h"

/* The RestApi to use: the oldest one, so that adding another changes nothing. */
static const struct slinky_restapi *pick_restapi(struct reconcile *r)
{
    struct objects all = reconcile_list(r, &slinky_restapi_kind, r->namespace);
    const struct slinky_restapi *best = NULL;

    for_each (object, all) {
        const struct slinky_restapi *rest = *object;

        if (!str_eq(rest->spec.controller_ref.name, r->name) || rest->meta.deletion_timestamp)
            continue;
        if (!best || rest->meta.creation_timestamp < best->meta.creation_timestamp)
            best = rest;
    }
    return best;
}

static char *url_of(struct reconcile *r, const struct slinky_restapi *rest)
{
    const char *name = slinky_restapi_name(r->arena, rest->meta.name);
    int64_t port = rest->spec.service ? int_or(rest->spec.service->port, 0) : 0;

    return fmt(r->arena, "http://%s.%s:%lld", name, r->namespace,
               (long long)(port ?: SLURMRESTD_PORT));
}

static char *key_of(struct reconcile *r)
{
    return fmt(r->arena, "%s/%s", r->namespace, r->name);
}

static int connect_client(struct reconcile *r, const struct slinky_restapi *rest)
{
    struct slinky *slinky = r->context;
    struct slinky_world world = world_of(r);
    struct model_cluster cluster;
    struct slurm_options options = { .url = url_of(r, rest),
                                     .keep = SLURM_NODES | SLURM_JOBS,
                                     .refresh = slinky->slurm_refresh };
    const char *key = NULL;
    bool stop;
    int rc = front_cluster(r->arena, &world, r->namespace, r->name, &cluster, &r->err)
        ?: front_secret_value(r->arena, &world, r->namespace, cluster.jwt_key, "spec.jwtKeyRef",
                              &key, &options.token.key_len, &r->err);

    rc = translated(r, rc, &stop);
    if (stop)
        return rc;
    options.token.key = key;
    return slurm_registry_put(slinky->slurms, key_of(r), &options, &r->err);
}

static int reconcile(struct reconcile *r)
{
    struct slinky *slinky = r->context;
    const struct slinky_restapi *rest = pick_restapi(r);

    if (rest)
        return connect_client(r, rest);
    slurm_registry_remove(slinky->slurms, key_of(r));
    return 0;
}

/* The Controller goes: so does the client, and from then on everything about it is unknown. */
static int let_go(struct reconcile *r)
{
    struct slinky *slinky = r->context;

    slurm_registry_remove(slinky->slurms, key_of(r));
    return 0;
}

static void on_restapi(struct mapping *m, void *context, const void *old, const void *now)
{
    const struct slinky_restapi *before = old;
    const struct slinky_restapi *after = now;

    (void)context;
    if (before)
        mapping_add(m, before->meta.namespace, before->spec.controller_ref.name);
    if (after)
        mapping_add(m, after->meta.namespace, after->spec.controller_ref.name);
}

const struct controller slurmclient_controller = {
    .name = "slurmclient-controller",
    .reconciles = &slinky_controller_kind,
    .watches = WATCHES({ &slinky_restapi_kind, .map = on_restapi }),
    .reads = KINDS(&slinky_accounting_kind, &slinky_nodeset_kind),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind),
    .reconcile = reconcile,
    .gone = let_go,
    .silent = true,
};
