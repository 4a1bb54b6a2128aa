/* controller_controller.c - Controller: slurmctld, its Services, its configuration. */
#include <errno.h>

#include "base/str.h"
#include "build/adopt.h"
#include "build/parts.h"
#include "build/values.h"
#include "k8s/pod.h"
#include "k8s/pvc.h"
#include "k8s/secret.h"
#include "kinds.h"
#include "slinky/controller_parts.h"
#include "slinky/names.h"
#include "slinky/takeover.h"

/* ------------------------------------------------------------------ objects */

static int sync_services(struct reconcile *r, const struct model_controller *m)
{
    return APPLY(r, controller_internal_service(r->arena, m))
        ?: APPLY(r, controller_service(r->arena, m));
}

/* The name of the governing Service cannot change: the set is made anew around its pods, once the
 * server has let go of them. 1 while that is under way. */
static int replace_misnamed(struct reconcile *r, const struct k8s_statefulset *live,
                            const struct k8s_statefulset *want)
{
    struct call call = { .verb = VERB_DELETE,
                         .kind = &k8s_statefulset_kind,
                         .namespace = r->namespace,
                         .name = want->meta.name,
                         .propagation = "Orphan" };
    int rc;

    if (!live || str_eq(live->spec.service_name, want->spec.service_name))
        return 0;
    call.uid = live->meta.uid;
    rc = reconcile_call(r, &call, NULL);
    if (rc < 0)
        return rc == -ENOENT ? 0 : rc;
    again_after(r, USEC_SEC);
    return 1;
}

/* Backups share the state: a claim that only one node can mount would leave them pending. One that
 * is not there yet may still come, as the pods wait for it anyway. */
static int check_claim(struct reconcile *r, const struct model_controller *m)
{
    const void *found = NULL;
    const struct k8s_pvc *claim;
    int rc;

    if (m->state != STATE_CLAIM || m->replicas < 2)
        return 0;
    rc = reconcile_follow(r, &k8s_pvc_kind, r->namespace, m->claim, &found);
    claim = found;
    if (rc < 0 || !claim || strs_has(claim->spec.access_modes, "ReadWriteMany"))
        return rc;
    return fail(&r->err, -EINVAL,
                "spec.persistence.existingClaim: PersistentVolumeClaim %s is not ReadWriteMany: "
                "backups could not mount it; name one that is, or set spec.ha.enabled=false",
                m->claim);
}

/* For a slurmctld whose pods are as another operator made them: they may have no names of their own,
 * the key that signs tokens may be a file of another name, and a sidecar may be there. */
static void fit_to(struct reconcile *r, struct model_controller *m,
                   const struct k8s_statefulset *live)
{
    const struct k8s_pod_template *template = &live->spec.template;
    const char *key = adopt_file_of(template, &m->cluster.jwt_key);

    if (!str_eq(live->spec.service_name, m->internal_service.name)) {
        m->conf.controllers.v = arena_make_n(r->arena, const char *, 1);
        m->conf.controllers.v[0] = fmt(r->arena, "%s-0(%s)", m->workload.name, m->cluster.host);
        m->conf.controllers.n = 1;
        m->conf.controller_addr = NULL;
    }
    if (m->conf.jwt_key && key)
        m->conf.jwt_key = fmt(r->arena, "%s/%s", ETC_DIR, key);
    if (value_named(json_get(template->spec, "initContainers"), "name", "reconfigure"))
        m->reconfigure_sidecar = true;
}

static int sync_config(struct reconcile *r, const struct model_controller *m,
                       struct k8s_configmap *config)
{
    const char *content = NULL;
    int rc = controller_config_hash(r, m, config, &content)
        ?: takeover_configmap(r, config, content);

    if (rc)
        return rc < 0 ? rc : 0;
    controller_config_stamp(r, m, config, content);
    return APPLY(r, config);
}

static int sync_statefulset(struct reconcile *r, struct k8s_statefulset *want)
{
    int rc;

    if (takeover_leaves(r, want))
        return takeover_statefulset(r, want);
    rc = replace_misnamed(r, GET(r, k8s_statefulset, want->meta.name), want);
    return rc > 0 ? 0 : rc ?: APPLY(r, want);
}

/* Clusters without Prometheus' operator do not know the kind, which is fine. */
static int sync_monitor(struct reconcile *r, const struct model_controller *m)
{
    const struct k8s_servicemonitor *want = controller_monitor(r->arena, m);
    int rc = want ? APPLY(r, want)
                  : reconcile_delete(r, &k8s_servicemonitor_kind,
                                     slinky_controller_name(r->arena, r->name));

    if (rc != -ENOENT)
        return rc;
    error_clear(&r->err);
    return 0;
}

/* ------------------------------------------------------------------ the two ways to have one */

static const struct k8s_condition_list *conditions_of(struct reconcile *r)
{
    const struct slinky_controller *cr = r->object;

    return &cr->status.conditions;
}

/* slurmctld runs elsewhere: slurmrestd still needs the file that says where. */
static int sync_external(struct reconcile *r, const struct model_controller *m)
{
    const char *name = slinky_controller_name(r->arena, r->name);
    int rc = APPLY(r, controller_config(r->arena, m))
        ?: reconcile_delete(r, &k8s_statefulset_kind, name)
        ?: reconcile_delete(r, &k8s_service_kind, name)
        ?: reconcile_delete(r, &k8s_service_kind,
                            slinky_controller_internal_name(r->arena, r->name))
        ?: sync_monitor(r, m);

    if (rc == 0)
        tell_ready(r, conditions_of(r), "External", "slurmctld is run by somebody else.");
    return rc;
}

/* The cluster goes on as it is; a new one cannot begin. */
static void tell_refused(struct reconcile *r, const struct k8s_statefulset *live)
{
    reconcile_condition(r, "Degraded", CONDITION_TRUE, "ConfigRefused",
                        "The condition ConfigApplied says what is wrong with the configuration.");
    if (!live)
        reconcile_condition(r, "Ready", CONDITION_FALSE, "ConfigRefused",
                            "slurmctld waits for a configuration that it can start with: see the "
                            "condition ConfigApplied.");
}

static int sync_own(struct reconcile *r, struct model_controller *m)
{
    struct k8s_statefulset *want = controller_statefulset(r->arena, m);
    struct k8s_configmap *config;
    bool sound;
    int rc;

    if (takeover_leaves(r, want))
        fit_to(r, m, GET(r, k8s_statefulset, m->workload.name));
    config = controller_config(r->arena, m);
    sound = controller_config_is_sound(r, config);
    rc = check_claim(r, m) ?: sync_services(r, m);
    if (rc == 0 && sound)
        rc = sync_config(r, m, config) ?: sync_statefulset(r, want);
    rc = rc ?: sync_monitor(r, m) ?: controller_active_sync(r, m);
    if (rc < 0)
        return rc;
    tell_statefulset(r, conditions_of(r), GET(r, k8s_statefulset, m->workload.name), m->replicas);
    if (sound)
        return controller_config_sync(r, m, config);
    tell_refused(r, GET(r, k8s_statefulset, m->workload.name));
    return 0;
}

static int reconcile(struct reconcile *r)
{
    const struct slinky_controller *cr = r->object;
    struct slinky_world world = world_of(r);
    struct slinky_controller now = *cr;
    struct model_controller m;
    bool stop;
    int rc;

    now.status.observed_generation = cr->meta.generation;
    reconcile_status(r, &now);
    rc = translated(r, front_controller(r->arena, &world, cr, &m, &r->err), &stop);
    if (stop)
        return rc;
    return m.cluster.external ? sync_external(r, &m) : sync_own(r, &m);
}

/* ------------------------------------------------------------------ who is concerned */

/* Node sets stand in slurm.conf with their names, partitions and sizes, not with their status. */
static void on_nodeset(struct mapping *m, void *context, const void *old, const void *now)
{
    const struct slinky_nodeset *before = old;
    const struct slinky_nodeset *after = now;

    (void)context;
    if (before && after && int_or(before->meta.generation, 0) == int_or(after->meta.generation, 0))
        return;
    if (before)
        mapping_add(m, before->meta.namespace, before->spec.controller_ref.name);
    if (after)
        mapping_add(m, after->meta.namespace, after->spec.controller_ref.name);
}

/* Which slurmctld is active can only have changed when one of them did. */
static void on_pod(struct mapping *m, void *context, const void *old, const void *now)
{
    const struct k8s_meta *meta = now ?: old;
    const char *instance = pairs_get(meta->labels, "app.kubernetes.io/instance");

    (void)context;
    if (instance && str_eq(pairs_get(meta->labels, "app.kubernetes.io/name"), "slurmctld"))
        mapping_add(m, meta->namespace, instance);
}

const struct controller controller_controller = {
    .name = "controller-controller",
    .reconciles = &slinky_controller_kind,
    .owns = KINDS(&k8s_statefulset_kind, &k8s_service_kind, &k8s_configmap_kind,
                  &k8s_servicemonitor_kind),
    .watches = WATCHES({ &slinky_accounting_kind, .by = "spec.accountingRef.name" },
                       { &slinky_nodeset_kind, .map = on_nodeset },
                       { &k8s_pod_kind, .map = on_pod }),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind, &k8s_pvc_kind),
    .writes = KINDS(&k8s_pod_kind), /* the active label, and what became of the configuration */
    .reconcile = reconcile,
};
