/* translate_controller.c - from a Controller to slurmctld. */
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "k8s/configmap.h"
#include "slinky/front_parts.h"

#define STATE_SIZE "4Gi"

/* ------------------------------------------------------------------ state */

static const struct json *source_json(struct arena *a, const struct type *type, const void *source)
{
    return source ? table_json(a, type, source) : NULL;
}

/* The fields of a claim have the same names in both types. What a claim cannot do without is what
 * the charts ask for. */
static int read_claim(struct arena *a, const struct slinky_persistence *persistence,
                      struct k8s_claim_spec *ret, struct error *err)
{
    const struct json *claim = source_json(a, &slinky_persistence_type, persistence);
    struct strs once = STRS("ReadWriteOnce");

    if (claim && table_read_json(a, &k8s_claim_spec_type, claim, ret, err) < 0)
        return wrap(err, "spec.persistence");
    if (!ret->access_modes.n) {
        ret->access_modes.v = arena_copy(a, once.v, sizeof *once.v);
        ret->access_modes.n = 1;
    }
    if (!ret->resources)
        ret->resources = arena_make(a, struct k8s_resources);
    if (!pairs_get(ret->resources->requests, "storage"))
        ret->resources->requests = pairs_with(a, ret->resources->requests, "storage", STATE_SIZE);
    return 0;
}

static int read_state(struct arena *a, const struct slinky_controller *cr,
                      struct model_controller *ret, struct error *err)
{
    const struct slinky_persistence *persistence = cr->spec.persistence;
    const char *claim = persistence ? persistence->existing_claim : NULL;
    bool on = !persistence || persistence->enabled != NO;

    if (ret->replicas > 1 && (!on || str_empty(claim)))
        return fail(err, -EINVAL,
                    "spec.persistence.existingClaim: backups share one state: name a claim that "
                    "several pods can write (ReadWriteMany), with persistence enabled");
    if (!on) {
        ret->state = STATE_NONE;
    } else if (!str_empty(claim)) {
        ret->state = STATE_CLAIM;
        ret->claim = claim;
    } else {
        ret->state = STATE_CLAIM_TEMPLATE;
        return read_claim(a, persistence, &ret->claim_spec, err);
    }
    return 0;
}

/* ------------------------------------------------------------------ files beside slurm.conf */

static int by_text(const void *one, const void *other)
{
    return str_cmp(*(const char *const *)one, *(const char *const *)other);
}

static struct strs file_maps_of(struct arena *a, const struct slinky_controller_spec *spec)
{
    const struct slinky_local_ref_list lists[] = {
        spec->config_file_refs,
        spec->prolog_script_refs,
        spec->epilog_script_refs,
        spec->prolog_slurmctld_script_refs,
        spec->epilog_slurmctld_script_refs,
    };
    struct strs names = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
        n += lists[i].n;
    names.v = arena_make_n(a, const char *, n);
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
        for_each (ref, lists[i])
            if (!strs_has(names, ref->name)) /* a file twice in a volume is refused */
                names.v[names.n++] = ref->name;
    if (names.n)
        qsort(names.v, names.n, sizeof *names.v, by_text);
    return names;
}

/* Whether the user brings a cgroup.conf, and what the files are. */
static int read_files(struct arena *a, const struct slinky_world *world,
                      const struct slinky_controller *cr, struct model_controller *ret,
                      struct error *err)
{
    scoped(buf) struct buf contents = { 0 };

    ret->own_cgroup_conf = true;
    ret->file_maps = file_maps_of(a, &cr->spec);
    for_each (name, ret->file_maps) {
        const void *found = NULL;
        const struct k8s_configmap *map;
        int rc = look_up(world, &k8s_configmap_kind, cr->meta.namespace, *name,
                         "spec.configFileRefs", &found, err);

        if (rc < 0)
            return rc;
        map = found;
        if (pairs_get(map->data, "cgroup.conf"))
            ret->own_cgroup_conf = false;
        buf_fmt(&contents, "%s %s\n", *name, hash_of_texts(a, map->data));
    }
    if (contents.len && ret->restart_on_config && ret->pods.roll_on_change)
        ret->pods.hashes = pairs_with(a, ret->pods.hashes, slinky_profile.config_files_hash,
                                      hash_of_bytes(a, contents.bytes, contents.len));
    return 0;
}

/* ------------------------------------------------------------------ metrics */

static struct model_endpoints endpoints_of(struct arena *a, const struct slinky_service_monitor *in)
{
    static const char *const usual[] = { "/metrics/jobs", "/metrics/nodes", "/metrics/partitions",
                                         "/metrics/scheduler" };
    size_t n = in->endpoints.n ?: ARRAY_SIZE(usual);
    struct model_endpoints list = { .v = arena_make_n(a, struct model_endpoint, n) };

    for (; list.n < n; list.n++) {
        const struct slinky_metric_endpoint *given =
            in->endpoints.n ? &in->endpoints.v[list.n] : NULL;

        list.v[list.n] = (struct model_endpoint) {
            .path = given ? given->path : usual[list.n],
            .interval = given && given->interval ? given->interval : in->interval,
            .timeout = given && given->scrape_timeout ? given->scrape_timeout : in->scrape_timeout,
        };
    }
    return list;
}

static struct model_monitor monitor_of(struct arena *a, const struct origin *from,
                                       const struct slinky_metrics *metrics)
{
    const struct slinky_service_monitor *in = metrics ? metrics->service_monitor : NULL;
    struct model_monitor monitor = { 0 };
    struct slinky_metadata more;

    if (!in || metrics->enabled != YES || in->enabled != YES)
        return monitor;
    more = (struct slinky_metadata) { .labels = in->labels, .annotations = in->annotations };
    monitor.wanted = true;
    monitor.object = object_of(a, from, slinky_controller_name(a, from->meta->name), &more, true);
    monitor.endpoints = endpoints_of(a, in);
    return monitor;
}

/* ------------------------------------------------------------------ the whole */

/* An outside cluster has nothing here but its configuration. */
static int read_inside(struct arena *a, const struct slinky_world *world,
                       const struct slinky_controller *cr, const struct origin *from,
                       struct model_controller *ret, struct error *err)
{
    const struct slinky_controller_spec *spec = &cr->spec;
    const struct json *containers[] = { spec->slurmctld, spec->logfile, spec->reconfigure };
    const char *name = slinky_controller_name(a, cr->meta.name);
    struct model_object service = object_of(a, from, name, service_meta(spec->service), true);

    ret->workload = object_of(a, from, name, template_meta(spec->template), true);
    ret->internal_service =
        object_of(a, from, slinky_controller_internal_name(a, cr->meta.name), NULL, true);
    ret->config = object_of(a, from, slinky_controller_config_name(a, cr->meta.name), NULL, true);
    ret->monitor = monitor_of(a, from, spec->metrics);
    ret->restart_on_config = spec->inplace_reconfigure == NO; /* absent: the operator asks slurmctld */
    ret->reconfigure_sidecar = spec->inplace_reconfigure == YES;
    return front_service(a, spec->service, service, "slurmctld", SLURMCTLD_PORT, &ret->service, err)
               ?: read_state(a, cr, ret, err)
               ?: read_files(a, world, cr, ret, err)
               ?: add_secret_hash(a, world, cr->meta.namespace, ret->cluster.slurm_key,
                                  "spec.slurmKeyRef", slinky_profile.slurm_key_hash, &ret->pods,
                                  err)
               ?: add_secret_hash(a, world, cr->meta.namespace, ret->cluster.jwt_key,
                                  "spec.jwtKeyRef", slinky_profile.jwt_key_hash, &ret->pods, err)
               ?: add_mounts_hash(a, world, cr->meta.namespace, containers, ARRAY_SIZE(containers),
                                  &ret->pods, err);
}

int front_controller(struct arena *a, const struct slinky_world *world,
                     const struct slinky_controller *cr, struct model_controller *ret,
                     struct error *err)
{
    const struct slinky_controller_spec *spec = &cr->spec;
    struct origin from = origin_of(a, &slinky_controller_kind, cr, "slurmctld", "controller");
    int rc;

    *ret = (struct model_controller) {
        .home = home_of(a, &from),
        .pods = pods_of(a, &from, spec->template),
        .replicas = slinky_replicas(cr),
        .slurmctld = spec->slurmctld,
        .reconfigure = spec->reconfigure,
        .logfile = spec->logfile,
    };
    rc = front_cluster_of(a, world, cr, &ret->cluster, err)
             ?: front_conf(a, world, cr, &ret->conf, err);
    if (rc < 0)
        return rc;
    if (!ret->cluster.external)
        return read_inside(a, world, cr, &from, ret, err);
    ret->config = object_of(a, &from, slinky_controller_config_name(a, cr->meta.name),
                            template_meta(spec->template), false);
    return 0;
}
