/* translate_sets.c - from a LoginSet and a NodeSet to login nodes and workers. */
#include <errno.h>

#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "k8s/pvc.h"
#include "slinky/front_parts.h"

enum { DIGITS_MAX = 63 };

/* The hash of sssd.conf; without one, that of nothing. */
static int add_sssd_hash(struct arena *a, const struct slinky_world *world, const char *namespace,
                         struct model_key key, const char *field, struct model_pods *pods,
                         struct error *err)
{
    const char *text = "";
    size_t len = 0;
    int rc = key.name ? front_secret_value(a, world, namespace, key, field, &text, &len, err) : 0;

    if (rc < 0)
        return rc;
    pods->hashes =
        pairs_with(a, pods->hashes, slinky_profile.sssd_hash, hash_of_bytes(a, text, len));
    return 0;
}

/* ------------------------------------------------------------------ LoginSet */

static struct k8s_deployment_strategy *strategy_of(struct arena *a,
                                                   const struct slinky_loginset_strategy *in)
{
    struct k8s_deployment_strategy *strategy;
    struct k8s_deployment_strategy_rolling_update *bounds;

    if (!in || (str_empty(in->type) && !in->rolling_update))
        return NULL;
    strategy = arena_make(a, struct k8s_deployment_strategy);
    strategy->type = in->type;
    if (!in->rolling_update)
        return strategy;
    bounds = arena_make(a, struct k8s_deployment_strategy_rolling_update);
    bounds->max_surge = in->rolling_update->max_surge;
    bounds->max_unavailable = in->rolling_update->max_unavailable;
    strategy->rolling_update = bounds;
    return strategy;
}

static int add_login_hashes(struct arena *a, const struct slinky_world *world,
                            const struct slinky_loginset *cr, struct model_login *ret,
                            struct error *err)
{
    const struct json *containers[] = { cr->spec.login, cr->spec.initconf };
    const char *ns = cr->meta.namespace;
    int rc = add_sssd_hash(a, world, ns, ret->sssd_conf, "spec.sssdConfRef", &ret->pods, err);

    if (ret->pods.roll_on_change && !str_empty(ret->authorized_keys))
        ret->pods.hashes = pairs_with(a, ret->pods.hashes, slinky_profile.authorized_keys_hash,
                                      hash_of_text(a, ret->authorized_keys));
    if (rc == 0 && ret->pods.roll_on_change && ret->cluster.slurm_key.name)
        rc = add_secret_hash(a, world, ns, ret->cluster.slurm_key, "Controller spec.slurmKeyRef",
                             slinky_profile.slurm_key_hash, &ret->pods, err);
    return rc ?: add_mounts_hash(a, world, ns, containers, ARRAY_SIZE(containers), &ret->pods, err);
}

int front_loginset(struct arena *a, const struct slinky_world *world,
                   const struct slinky_loginset *cr, struct model_login *ret, struct error *err)
{
    const struct slinky_loginset_spec *spec = &cr->spec;
    const char *name = cr->meta.name;
    struct origin from = origin_of(a, &slinky_loginset_kind, cr, "login", "login");
    struct model_object service = object_of(a, &from, name, service_meta(spec->service), true);

    *ret = (struct model_login) {
        .home = home_of(a, &from),
        .workload = object_of(a, &from, name, template_meta(spec->template), true),
        .pods = pods_of(a, &from, spec->template),
        .ssh_config = object_of(a, &from, slinky_ssh_config_name(a, name), NULL, true),
        .host_keys = object_of(a, &from, slinky_ssh_host_keys_name(a, name), NULL, true),
        .sssd_conf = key_of(&spec->sssd_conf_ref),
        .replicas = int_or(spec->replicas, 1),
        .strategy = strategy_of(a, spec->strategy),
        .sshd_extra = spec->extra_sshd_config,
        .authorized_keys = spec->root_ssh_authorized_keys,
        .login = spec->login,
        .initconf = spec->initconf,
    };
    if (!ret->sssd_conf.name)
        return fail(err, -EINVAL, "spec.sssdConfRef: name the Secret with sssd.conf");
    return front_cluster(a, world, cr->meta.namespace, spec->controller_ref.name, &ret->cluster,
                         err)
               ?: front_service(a, spec->service, service, "login", SSH_PORT, &ret->service, err)
               ?: add_login_hashes(a, world, cr, ret, err);
}

/* ------------------------------------------------------------------ NodeSet */

static int read_claims(struct arena *a, const struct json *templates, struct model_claims *ret,
                       struct error *err)
{
    size_t n = json_count(templates);

    if (templates && templates->type != JSON_NULL && templates->type != JSON_ARRAY)
        return fail(err, -EINVAL, "spec.volumeClaimTemplates: want a list, got %s",
                    json_type_name(templates->type));
    ret->v = arena_make_n(a, struct k8s_pvc, n);
    for (size_t i = 0; i < n; i++) {
        struct k8s_pvc *claim = &ret->v[i];

        if (table_read_json(a, &k8s_pvc_type, json_item(templates, i), claim, err) < 0)
            return wrap(err, "spec.volumeClaimTemplates[%zu]", i);
        if (str_empty(claim->meta.name))
            return fail(err, -EINVAL,
                        "spec.volumeClaimTemplates[%zu].metadata.name: name the volume", i);
        claim->status = (struct k8s_pvc_status) { 0 };
        ret->n++;
    }
    return 0;
}

static void read_ssh(struct arena *a, const struct origin *from,
                     const struct slinky_nodeset_ssh *ssh, struct model_workers *ret)
{
    if (!ssh || ssh->enabled != YES)
        return;
    ret->ssh = true;
    ret->ssh_config = object_of(a, from, slinky_ssh_config_name(a, from->meta->name), NULL, true);
    ret->sssd_conf = key_of(&ssh->sssd_conf_ref);
    ret->sshd_extra = ssh->extra_sshd_config;
}

static int read_workers(struct arena *a, const struct slinky_world *world,
                        const struct slinky_nodeset *cr, struct model_workers *ret,
                        struct error *err)
{
    const struct json *containers[] = { cr->spec.slurmd, cr->spec.logfile };
    const char *ns = cr->meta.namespace;

    if (ret->ssh && !ret->sssd_conf.name)
        return fail(err, -EINVAL, "spec.ssh.sssdConfRef: name the Secret with sssd.conf");
    return front_cluster(a, world, ns, cr->spec.controller_ref.name, &ret->cluster, err)
               ?: read_claims(a, cr->spec.volume_claim_templates, &ret->claims, err)
               ?: add_sssd_hash(a, world, ns, ret->sssd_conf, "spec.ssh.sssdConfRef", &ret->pods,
                                err)
               ?: add_mounts_hash(a, world, ns, containers, ARRAY_SIZE(containers), &ret->pods,
                                  err);
}

/* More digits than a name may have letters would never make a pod. */
static int padding_of(const struct slinky_nodeset_spec *spec)
{
    int64_t digits = int_or(spec->ordinal_padding, 0);

    return digits < 0 ? 0 : digits > DIGITS_MAX ? DIGITS_MAX : (int)digits;
}

int front_nodeset(struct arena *a, const struct slinky_world *world,
                  const struct slinky_nodeset *cr, struct model_workers *ret, struct error *err)
{
    const struct slinky_nodeset_spec *spec = &cr->spec;
    struct origin from = origin_of(a, &slinky_nodeset_kind, cr, "slurmd", "worker");
    bool per_node = str_eq(spec->scaling_mode, "DaemonSet");
    const char *hostname =
        spec->template ? json_str_or(json_get(spec->template->spec, "hostname"), NULL) : NULL;

    from.labels = pairs_with(a, from.labels, SLINKY_CLUSTER, spec->controller_ref.name ?: "");
    *ret = (struct model_workers) {
        .home = home_of(a, &from),
        .name = cr->meta.name,
        .nodeset = slinky_nodeset_name(a, cr),
        .hostname = str_empty(hostname) ? NULL : hostname,
        .pods = pods_of(a, &from, spec->template),
        .mode = per_node ? WORKERS_PER_NODE : WORKERS_NUMBERED,
        .mode_text = per_node ? "DaemonSet" : "StatefulSet",
        .replicas = int_or(spec->replicas, 1),
        .padding = padding_of(spec),
        .shares_node = spec->oversubscribe_node == YES,
        .extra_conf = spec->extra_conf,
        .slurmd = spec->slurmd,
        .logfile = spec->logfile,
        .revision = slinky_revision(a, cr),
        .revision_annotations = object_of(a, &from, NULL, NULL, true).annotations,
    };
    if (spec->template)
        ret->revision_labels = spec->template->meta.labels;
    read_ssh(a, &from, spec->ssh, ret);
    return read_workers(a, world, cr, ret, err);
}
