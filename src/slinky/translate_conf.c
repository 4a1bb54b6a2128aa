/* translate_conf.c - what a Controller says about slurm.conf, and what others have to know of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/str.h"
#include "k8s/configmap.h"
#include "slinky/front_parts.h"
#include "slurm/conf_read.h"

enum { BACKUPS_MAX = 63 }; /* each has a line in slurm.conf, and every client tries them in turn */

/* ------------------------------------------------------------------ the cluster */

const char *slinky_cluster_name(struct arena *a, const struct slinky_controller *cr)
{
    if (!str_empty(cr->spec.cluster_name))
        return cr->spec.cluster_name;
    return fmt(a, "%s_%s", cr->meta.namespace, cr->meta.name);
}

int slinky_replicas(const struct slinky_controller *cr)
{
    const struct slinky_controller_ha *ha = cr->spec.ha;

    int64_t backups = ha ? int_or(ha->backups, 1) : 0;

    if (cr->spec.external == YES || !ha || ha->enabled != YES)
        return 1;
    return 1 + (backups < 0 ? 0 : backups > BACKUPS_MAX ? BACKUPS_MAX : (int)backups);
}

/* Whether nodes may have GPUs: Slurm refuses a Gres whose type it was not told of. */
static bool counts_gpus(struct arena *a, const char *extra)
{
    const char *types;

    if (str_empty(extra))
        return false;
    types = conf_get(conf_read(a, "extraConf", extra, strlen(extra), NULL), "GresTypes");
    while (types && *types) {
        size_t len = strcspn(types, ",");

        if (len == 3 && strncasecmp(types, "gpu", len) == 0)
            return true;
        types += len + (types[len] == ',');
    }
    return false;
}

static int check_external(const struct slinky_controller *cr, struct error *err)
{
    const struct slinky_external_config *config = cr->spec.external_config;

    if (cr->spec.external == YES && (!config || str_empty(config->host)))
        return fail(err, -EINVAL,
                    "spec.externalConfig: name the host and port of the external slurmctld");
    return 0;
}

int front_cluster_of(struct arena *a, const struct slinky_world *world,
                     const struct slinky_controller *cr, struct model_cluster *ret,
                     struct error *err)
{
    const struct slinky_controller_spec *spec = &cr->spec;
    struct pairs workers = { 0 };
    int rc = check_external(cr, err);

    if (rc < 0)
        return rc;
    workers = pairs_with(a, workers, SLINKY_APP_NAME, "slurmd");
    *ret = (struct model_cluster) {
        .name = cr->meta.name,
        .cluster_name = slinky_cluster_name(a, cr),
        .domain = world->domain ?: SLINKY_DOMAIN,
        .external = spec->external == YES,
        .accounting = spec->accounting_ref && !str_empty(spec->accounting_ref->name),
        .gpus = counts_gpus(a, spec->extra_conf),
        .host = fmt(a, "%s.%s", slinky_controller_name(a, cr->meta.name), cr->meta.namespace),
        .port = SLURMCTLD_PORT,
        .config = slinky_controller_config_name(a, cr->meta.name),
        .workers = slinky_workers_service_name(a, cr->meta.name),
        .workers_pdb = slinky_workers_pdb_name(a, cr->meta.name),
        .worker_selector = pairs_with(a, workers, SLINKY_CLUSTER, cr->meta.name),
        .slurm_key = key_of(spec->slurm_key_ref),
        .jwt_key = key_of(jwt_ref_of(spec->jwt_key_ref, spec->jwt_hs256_key_ref)),
        .jwks = jwks_of(spec->jwks_key_ref),
    };
    if (ret->external) {
        ret->host = spec->external_config->host;
        ret->port = (int)int_or(spec->external_config->port, SLURMCTLD_PORT);
    }
    return 0;
}

int front_cluster(struct arena *a, const struct slinky_world *world, const char *namespace,
                  const char *controller, struct model_cluster *ret, struct error *err)
{
    const void *found = NULL;
    int rc = look_up(world, &slinky_controller_kind, namespace, controller, "spec.controllerRef",
                     &found, err);

    return rc < 0 ? rc : front_cluster_of(a, world, found, ret, err);
}

/* ------------------------------------------------------------------ files and scripts */

static int by_text(const void *one, const void *other)
{
    return str_cmp(*(const char *const *)one, *(const char *const *)other);
}

/* The names of all files in the ConfigMaps, sorted. */
static int file_names(struct arena *a, const struct slinky_world *world, const char *namespace,
                      struct slinky_local_ref_list refs, const char *field, struct strs *ret,
                      struct error *err)
{
    struct strs names = { 0 };

    for_each (ref, refs) {
        const void *found = NULL;
        const struct k8s_configmap *map;
        const char **grown;
        int rc = look_up(world, &k8s_configmap_kind, namespace, ref->name, field, &found, err);

        if (rc < 0)
            return rc;
        map = found;
        grown = arena_make_n(a, const char *, names.n + map->data.n);
        for (size_t i = 0; i < names.n; i++)
            grown[i] = names.v[i];
        for_each (file, map->data)
            grown[names.n++] = file->key;
        names.v = grown;
    }
    if (names.n)
        qsort(names.v, names.n, sizeof *names.v, by_text);
    *ret = names;
    return 0;
}

static int read_scripts(struct arena *a, const struct slinky_world *world,
                        const struct slinky_controller *cr, struct slurm_conf *ret,
                        struct error *err)
{
    const struct slinky_controller_spec *spec = &cr->spec;
    const char *ns = cr->meta.namespace;

    return file_names(a, world, ns, spec->prolog_script_refs, "spec.prologScriptRefs",
                      &ret->prolog, err)
               ?: file_names(a, world, ns, spec->epilog_script_refs, "spec.epilogScriptRefs",
                             &ret->epilog, err)
               ?: file_names(a, world, ns, spec->prolog_slurmctld_script_refs,
                             "spec.prologSlurmctldScriptRefs", &ret->prolog_slurmctld, err)
               ?: file_names(a, world, ns, spec->epilog_slurmctld_script_refs,
                             "spec.epilogSlurmctldScriptRefs", &ret->epilog_slurmctld, err);
}

/* ------------------------------------------------------------------ accounting */

/* A reference to something that is not there is no accounting, until it appears. */
static int read_accounting(struct arena *a, const struct slinky_world *world,
                           const struct slinky_controller *cr, struct slurm_conf *ret,
                           struct error *err)
{
    const struct slinky_local_ref *ref = cr->spec.accounting_ref;
    const struct slinky_accounting *accounting;
    const void *found = NULL;
    int rc;

    if (!ref || str_empty(ref->name))
        return 0;
    rc = world->get(world->userdata, &slinky_accounting_kind, cr->meta.namespace, ref->name, &found,
                    err);
    if (rc < 0 || !found)
        return rc;
    accounting = found;
    if (accounting->spec.external == YES && accounting->spec.external_config) {
        ret->accounting_host = accounting->spec.external_config->host;
        ret->accounting_port = (int)int_or(accounting->spec.external_config->port, 0);
    } else {
        ret->accounting_host = slinky_accounting_name(a, ref->name);
        if (accounting->spec.service)
            ret->accounting_port = (int)int_or(accounting->spec.service->port, 0);
    }
    return 0;
}

/* ------------------------------------------------------------------ node sets */

const char *slinky_nodeset_name(struct arena *a, const struct slinky_nodeset *cr)
{
    const char *blanks = " \t\r\n\v\f";
    const char *hostname =
        cr->spec.template ? json_str_or(json_get(cr->spec.template->spec, "hostname"), "") : "";
    size_t len;

    hostname += strspn(hostname, blanks);
    hostname += strspn(hostname, "-");
    len = strcspn(hostname, blanks);
    while (len > 0 && hostname[len - 1] == '-')
        len--;
    return len ? arena_strn(a, hostname, len) : cr->meta.name;
}

/* How many nodes a set may bring: as many as are asked for, or as many as there are. */
static uint64_t nodes_of(const struct slinky_nodeset *cr)
{
    int64_t wanted = str_eq(cr->spec.scaling_mode, "DaemonSet") ? 0 : int_or(cr->spec.replicas, 1);
    int64_t there = int_or(cr->status.desired, 0);

    return (uint64_t)(wanted > there ? wanted : there > 0 ? there : 0);
}

static int read_nodesets(struct arena *a, const struct slinky_world *world,
                         const struct slinky_controller *cr, struct slurm_conf *ret,
                         struct error *err)
{
    const struct slinky_nodeset **sets = NULL;
    size_t n = 0;
    int rc = world->nodesets(world->userdata, a, cr->meta.namespace, cr->meta.name, &sets, &n, err);

    if (rc < 0)
        return rc;
    ret->nodesets.v = arena_make_n(a, struct conf_nodeset, n);
    for (size_t i = 0; i < n; i++) {
        const struct slinky_nodeset_partition *partition = sets[i]->spec.partition;

        ret->nodesets.v[ret->nodesets.n++] = (struct conf_nodeset) {
            .name = slinky_nodeset_name(a, sets[i]),
            .partition = partition && partition->enabled == YES,
            .partition_options = partition ? partition->config : NULL,
            .replicas = nodes_of(sets[i]),
        };
    }
    return 0;
}

/* ------------------------------------------------------------------ the file */

static struct strs controllers_of(struct arena *a, const struct slinky_controller *cr)
{
    int replicas = slinky_replicas(cr);
    struct strs hosts = { .v = arena_make_n(a, const char *, (size_t)replicas) };

    if (cr->spec.external == YES) {
        hosts.v[hosts.n++] = cr->spec.external_config->host;
        return hosts;
    }
    for (int i = 0; i < replicas; i++) {
        const char *pod = slinky_controller_pod_name(a, cr->meta.name, i);

        hosts.v[hosts.n++] =
            fmt(a, "%s(%s.%s.%s)", pod, pod, slinky_controller_internal_name(a, cr->meta.name),
                cr->meta.namespace);
    }
    return hosts;
}

int front_conf(struct arena *a, const struct slinky_world *world,
               const struct slinky_controller *cr, struct slurm_conf *ret, struct error *err)
{
    struct model_cluster cluster;
    int rc = front_cluster_of(a, world, cr, &cluster, err);

    if (rc < 0)
        return rc;
    *ret = (struct slurm_conf) {
        .profile = CONF_SLINKY,
        .cluster_name = cluster.cluster_name,
        .controllers = controllers_of(a, cr),
        .controller_addr = cluster.external ? NULL : cluster.host,
        .controller_port = cluster.port,
        .external = cluster.external,
        .jwt_key = cluster.jwt_key.name ? "/etc/slurm/jwt.key" : NULL,
        .jwks = cluster.jwks.name ? "/etc/slurm/jwks.json" : NULL,
        .metrics = cr->spec.metrics && cr->spec.metrics->enabled == YES,
        .extra = cr->spec.extra_conf,
    };
    rc = read_accounting(a, world, cr, ret, err);
    if (rc < 0 || cluster.external)
        return rc;
    return read_scripts(a, world, cr, ret, err) ?: read_nodesets(a, world, cr, ret, err);
}
