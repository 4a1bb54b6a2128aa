/* translate_daemons.c - from an Accounting, a RestApi and a Token to what runs or is kept. */
#include <errno.h>

#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "slinky/front_parts.h"

#define ISSUER "slurm-operator"
#define TOKEN_LIFETIME (15 * 60 * USEC_SEC)

/* ------------------------------------------------------------------ Accounting */

static int read_storage(struct arena *a, const struct slinky_world *world,
                        const struct slinky_accounting *cr, struct model_accounting *ret,
                        struct error *err)
{
    const struct slinky_accounting_storage_config *storage = cr->spec.storage_config;
    struct slurmdbd_conf conf = {
        .host = fmt(a, "%s-0", ret->workload.name),
        .jwt_key = ret->jwt_key.name ? "/etc/slurm/jwt.key" : NULL,
        .jwks = ret->jwks.name ? "/etc/slurm/jwks.json" : NULL,
        .extra = cr->spec.extra_conf,
    };
    char *text = NULL;
    int rc;

    if (!storage || str_empty(storage->host))
        return fail(err, -EINVAL, "spec.storageConfig.host: name the host of the database");
    conf.storage_host = storage->host;
    conf.storage_port = (int)int_or(storage->port, 0);
    conf.storage_user = storage->username ?: "";
    conf.storage_database = str_empty(storage->database) ? NULL : storage->database;
    rc = front_secret_value(a, world, cr->meta.namespace, key_of(&storage->password_key_ref),
                            "spec.storageConfig.passwordKeyRef", &conf.storage_password, NULL, err);
    if (rc < 0)
        return rc;
    rc = slurmdbd_conf_text(a, &conf, &text, err);
    ret->conf = text;
    return rc;
}

int front_accounting(struct arena *a, const struct slinky_world *world,
                     const struct slinky_accounting *cr, struct model_accounting *ret,
                     struct error *err)
{
    const struct slinky_accounting_spec *spec = &cr->spec;
    struct origin from = origin_of(a, &slinky_accounting_kind, cr, "slurmdbd", "accounting");
    const char *name = slinky_accounting_name(a, cr->meta.name);
    const char *ns = cr->meta.namespace;
    struct model_object service = object_of(a, &from, name, service_meta(spec->service), true);

    *ret = (struct model_accounting) {
        .home = home_of(a, &from),
        .external = spec->external == YES,
        .workload = object_of(a, &from, name, template_meta(spec->template), true),
        .pods = pods_of(a, &from, spec->template),
        .config = object_of(a, &from, name, NULL, true),
        .slurm_key = key_of(spec->slurm_key_ref),
        .jwt_key = key_of(jwt_ref_of(spec->jwt_key_ref, spec->jwt_hs256_key_ref)),
        .jwks = jwks_of(spec->jwks_key_ref),
        .slurmdbd = spec->slurmdbd,
    };
    if (ret->external)
        return 0;
    return front_service(a, spec->service, service, "slurmdbd", SLURMDBD_PORT, &ret->service, err)
               ?: read_storage(a, world, cr, ret, err)
               ?: add_secret_hash(a, world, ns, ret->slurm_key, "spec.slurmKeyRef",
                                  slinky_profile.slurm_key_hash, &ret->pods, err)
               ?: add_secret_hash(a, world, ns, ret->jwt_key, "spec.jwtKeyRef",
                                  slinky_profile.jwt_key_hash, &ret->pods, err)
               ?: add_mounts_hash(a, world, ns, &spec->slurmdbd, 1, &ret->pods, err);
}

/* ------------------------------------------------------------------ RestApi */

/* slurmrestd reads slurm.conf once, when it starts. Which nodes there are it asks slurmctld, so a
 * new NodeSet is no reason to start again. */
static int add_config_hash(struct arena *a, const struct slinky_world *world,
                           const struct slinky_controller *controller, struct model_pods *pods,
                           struct error *err)
{
    struct slurm_conf conf;
    int rc = front_conf(a, world, controller, &conf, err);

    if (rc < 0)
        return rc;
    conf.nodesets = (struct conf_nodesets) { 0 };
    pods->hashes = pairs_with(a, pods->hashes, slinky_profile.config_hash,
                              hash_of_text(a, slurm_conf_text(a, &conf)));
    return 0;
}

static int add_rest_hashes(struct arena *a, const struct slinky_world *world,
                           const struct slinky_restapi *cr,
                           const struct slinky_controller *controller, struct model_rest *ret,
                           struct error *err)
{
    const char *ns = cr->meta.namespace;
    int rc = 0;

    if (!ret->pods.roll_on_change)
        return 0;
    if (ret->cluster.slurm_key.name)
        rc = add_secret_hash(a, world, ns, ret->cluster.slurm_key, "Controller spec.slurmKeyRef",
                             slinky_profile.slurm_key_hash, &ret->pods, err);
    return rc ?: add_config_hash(a, world, controller, &ret->pods, err)
              ?: add_mounts_hash(a, world, ns, &cr->spec.slurmrestd, 1, &ret->pods, err);
}

int front_restapi(struct arena *a, const struct slinky_world *world,
                  const struct slinky_restapi *cr, struct model_rest *ret, struct error *err)
{
    const struct slinky_restapi_spec *spec = &cr->spec;
    struct origin from = origin_of(a, &slinky_restapi_kind, cr, "slurmrestd", "restapi");
    const char *name = slinky_restapi_name(a, cr->meta.name);
    struct model_object service = object_of(a, &from, name, service_meta(spec->service), false);
    const void *controller = NULL;
    int rc;

    *ret = (struct model_rest) {
        .home = home_of(a, &from),
        .workload = object_of(a, &from, name, template_meta(spec->template), true),
        .pods = pods_of(a, &from, spec->template),
        .replicas = int_or(spec->replicas, 1),
        .slurmrestd = spec->slurmrestd,
    };
    rc = look_up(world, &slinky_controller_kind, cr->meta.namespace, spec->controller_ref.name,
                 "spec.controllerRef", &controller, err);
    if (rc < 0)
        return rc;
    return front_cluster_of(a, world, controller, &ret->cluster, err)
               ?: front_service(a, spec->service, service, "slurmrestd", SLURMRESTD_PORT,
                                &ret->service, err)
               ?: add_rest_hashes(a, world, cr, controller, ret, err);
}

/* ------------------------------------------------------------------ Token */

static int read_lifetime(const char *text, usec *ret, struct error *err)
{
    usec lifetime = TOKEN_LIFETIME;

    if (!str_empty(text) && !duration_parse(text, &lifetime))
        return fail(err, -EINVAL,
                    "spec.lifetime: \"%s\" is not a duration: write numbers with units, such as "
                    "15m or 12h",
                    text);
    if (lifetime < 0)
        lifetime = 0;
    *ret = lifetime > TOKEN_LIFETIME_MAX ? TOKEN_LIFETIME_MAX : lifetime;
    return 0;
}

int front_token(struct arena *a, const struct slinky_world *world, const struct slinky_token *cr,
                struct model_token *ret, struct error *err)
{
    const struct slinky_token_spec *spec = &cr->spec;
    const struct slinky_secret_key *secret = spec->secret_ref;
    bool named = secret && !str_empty(secret->name);
    struct origin from = origin_of(a, &slinky_token_kind, cr, "token", "token");

    (void)world;
    *ret = (struct model_token) {
        .home = home_of(a, &from),
        .secret = object_of(a, &from,
                            named ? secret->name
                                  : fmt(a, "%s-jwt-%s", cr->meta.name, spec->username ?: ""),
                            NULL, true),
        .key = named && !str_empty(secret->key) ? secret->key : "SLURM_JWT",
        .jwt_key = key_of(jwt_ref_of(spec->jwt_key_ref, spec->jwt_hs256_key_ref)),
        .user = str_empty(spec->username) ? "nobody" : spec->username,
        .issuer = ISSUER,
        .refresh = spec->refresh != NO,
    };
    if (!ret->jwt_key.name)
        return fail(err, -EINVAL, "spec.jwtKeyRef: name the Secret with the key that signs it");
    return read_lifetime(spec->lifetime, &ret->lifetime, err);
}
