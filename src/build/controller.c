/* controller.c - slurmctld: its Services, its configuration, its pods. */
#include "build/controller.h"

#include "base/scope.h"
#include "build/hash.h"
#include "build/parts.h"
#include "build/scripts.h"
#include "build/values.h"

#define PORT_NAME "slurmctld"
/* Where daemons look when people come in by a port of their own choice. */
#define RPC_PORT_NAME "slurmctld-rpc"
/* What Kubernetes calls the endpoints of a Service without an address; here on the Service, so that
 * one that selects by label can leave it out. */
#define HEADLESS "service.kubernetes.io/headless"

/* ------------------------------------------------------------------ Services */

static bool serves(const struct k8s_service_spec *spec, int port)
{
    for_each (one, spec->ports)
        if (int_or(one->port, 0) == port)
            return true;
    return false;
}

/* slurm.conf and configless clients name the usual port, so the Service always has it. */
static void add_rpc_port(struct arena *a, struct k8s_service_spec *spec)
{
    struct k8s_service_port_list old = spec->ports;

    if (serves(spec, SLURMCTLD_PORT))
        return;
    spec->ports.v = arena_make_n(a, struct k8s_service_port, old.n + 1);
    for (size_t i = 0; i < old.n; i++)
        spec->ports.v[i] = old.v[i];
    spec->ports.v[spec->ports.n++] = (struct k8s_service_port) {
        .name = RPC_PORT_NAME,
        .protocol = "TCP",
        .port = SOME(SLURMCTLD_PORT),
        .target_port = { .type = A_STR, .text = PORT_NAME },
    };
}

struct k8s_service *controller_service(struct arena *a, const struct model_controller *m)
{
    struct pairs selector = m->pods.selector;
    struct k8s_service service;

    if (m->cluster.external)
        return NULL;
    if (m->replicas > 1 && m->home.profile->active)
        selector = pairs_with(a, selector, m->home.profile->active, "true");
    service = service_of(a, &m->home, &m->service, PORT_NAME, SLURMCTLD_PORT, selector);
    add_rpc_port(a, &service.spec);
    return k8s_service_keep(a, &service);
}

struct k8s_service *controller_internal_service(struct arena *a, const struct model_controller *m)
{
    struct model_service headless = {
        .object = m->internal_service,
        .spec = { .cluster_ip = "None", .publish_not_ready_addresses = YES },
    };
    struct k8s_service service;

    if (m->cluster.external)
        return NULL;
    headless.object.labels = pairs_with(a, headless.object.labels, HEADLESS, "");
    service = service_of(a, &m->home, &headless, PORT_NAME, SLURMCTLD_PORT, m->pods.selector);
    return k8s_service_keep(a, &service);
}

/* ------------------------------------------------------------------ configuration */

struct k8s_configmap *controller_config(struct arena *a, const struct model_controller *m)
{
    struct cgroup_conf cgroup = { .profile = m->conf.profile };
    struct k8s_configmap config = { .meta = meta_of(a, &m->home, &m->config), .immutable = NO };

    config.data = pairs_with(a, config.data, "slurm.conf", slurm_conf_text(a, &m->conf));
    if (m->own_cgroup_conf && !m->cluster.external)
        config.data = pairs_with(a, config.data, "cgroup.conf", cgroup_conf_text(a, &cgroup));
    return k8s_configmap_keep(a, &config);
}

/* ------------------------------------------------------------------ pods */

static struct k8s_volume etc_volume(struct arena *a, const struct model_controller *m)
{
    struct projections sources = { 0 };

    project_all(a, &sources, m->config.name);
    project_secret(a, &sources, m->cluster.slurm_key, "slurm.key");
    project_secret(a, &sources, m->cluster.jwt_key, "jwt.key");
    for_each (name, m->file_maps)
        project_all(a, &sources, *name);
    project_config(a, &sources, m->cluster.jwks, "jwks.json");
    return projected_volume(a, "slurm-etc", MODE_SCRIPTS, sources);
}

static const struct json *slurmctld_of(struct arena *a, const struct model_controller *m)
{
    /* a backup never says that it is ready */
    const char *ready = m->replicas > 1 ? "/livez" : "/readyz";
    struct k8s_container_port ports[] = {
        { .name = PORT_NAME, .container_port = SOME(SLURMCTLD_PORT), .protocol = "TCP" },
    };
    struct k8s_volume_mount mounts[] = {
        { .name = "slurm-etc", .mount_path = ETC_DIR, .read_only = YES },
        { .name = "run", .mount_path = "/run" },
        { .name = "statesave",
          .mount_path = fmt(a, "/var/spool/slurmctld/%s", m->cluster.cluster_name) },
        { .name = "slurm-authsocket", .mount_path = "/run/slurmctld" },
        { .name = "slurm-logfile", .mount_path = LOG_DIR },
    };
    struct k8s_container slurmctld = {
        .name = "slurmctld",
        .ports = LIST(ports),
        .startup_probe = patient(http_probe(a, "/livez", PORT_NAME)),
        .liveness_probe = patient(http_probe(a, "/livez", PORT_NAME)),
        .readiness_probe = http_probe(a, ready, PORT_NAME),
        .security_context = runs_as(a, CONTROLLER_UID),
        .volume_mounts = LIST(mounts),
    };

    return container_of(a, &slurmctld, m->slurmctld);
}

static const struct json *reconfigure_of(struct arena *a, const struct model_controller *m)
{
    struct k8s_volume_mount mounts[] = {
        { .name = "slurm-etc", .mount_path = ETC_DIR, .read_only = YES },
        { .name = "slurm-authsocket", .mount_path = "/run/slurmctld", .read_only = YES },
    };
    struct k8s_container reconfigure = {
        .name = "reconfigure",
        .image = json_str_or(json_get(m->slurmctld, "image"), NULL), /* it has scontrol */
        .command = STRS("tini", "-g", "--", "bash", "-c", reconfigure_script),
        .restart_policy = "Always",
        .volume_mounts = LIST(mounts),
    };

    return container_of(a, &reconfigure, m->reconfigure);
}

static const struct json *pod_spec(struct arena *a, const struct model_controller *m)
{
    struct k8s_volume volumes[] = {
        etc_volume(a, m),
        memory_volume(a, "slurm-logfile"),
        memory_volume(a, "run"),
        empty_volume(a, "slurm-authsocket"),
        m->state == STATE_CLAIM ? claim_volume(a, "statesave", m->claim)
                                : empty_volume(a, "statesave"),
    };
    struct k8s_pod_spec spec = {
        .automount_service_account_token = NO,
        .security_context = pod_runs_as(a, CONTROLLER_UID),
        .volumes = LIST(volumes),
    };
    const struct json *logfile =
        logfile_container(a, m->home.profile, LOG_DIR "/slurmctld.log", m->logfile);
    const struct json *first[] = { reconfigure_of(a, m), logfile, NULL };
    const struct json *containers[] = { slurmctld_of(a, m), NULL };
    struct k8s_label_selector same = { .match_labels = m->pods.selector };

    if (m->state == STATE_CLAIM_TEMPLATE)
        spec.volumes.n--; /* the claim brings the volume with it */
    return with_anti_affinity(
        a,
        pod_spec_of(a, &spec, m->reconfigure_sidecar ? first : first + 1, containers, m->pods.spec),
        &same);
}

static struct pairs hashes_of(struct arena *a, const struct model_controller *m)
{
    struct pairs hashes = { 0 };

    if (m->restart_on_config && m->home.profile->config_hash)
        hashes = pairs_with(a, hashes, m->home.profile->config_hash,
                            hash_of_texts(a, controller_config(a, m)->data));
    return hashes;
}

struct k8s_statefulset *controller_statefulset(struct arena *a, const struct model_controller *m)
{
    struct k8s_claim_template claims[] = {
        { .meta = { .name = "statesave", .namespace = m->home.namespace }, .spec = m->claim_spec },
    };
    struct k8s_statefulset set = {
        .meta = meta_of(a, &m->home, &m->workload),
        .spec = {
            .replicas = SOME(m->replicas),
            .selector = { .match_labels = m->pods.selector },
            .service_name = m->internal_service.name,
            .revision_history_limit = SOME(0),
        },
    };

    if (m->cluster.external)
        return NULL;
    set.spec.template = template_of(a, &m->home, m->workload.name, &m->pods, hashes_of(a, m),
                                    "slurmctld", pod_spec(a, m));
    if (m->state == STATE_CLAIM_TEMPLATE)
        set.spec.volume_claim_templates = (struct k8s_claim_template_list)LIST(claims);
    return k8s_statefulset_keep(a, &set);
}

/* ------------------------------------------------------------------ metrics */

static struct k8s_metric_endpoint_list endpoints_of(struct arena *a,
                                                    const struct model_endpoints *in)
{
    struct k8s_metric_endpoint_list list = { .v = arena_make_n(a, struct k8s_metric_endpoint,
                                                               in->n) };

    for_each (endpoint, *in)
        list.v[list.n++] = (struct k8s_metric_endpoint) {
            .port = PORT_NAME,
            .path = endpoint->path,
            .scheme = "http",
            .interval = endpoint->interval,
            .scrape_timeout = endpoint->timeout,
        };
    return list;
}

struct k8s_servicemonitor *controller_monitor(struct arena *a, const struct model_controller *m)
{
    struct k8s_label_requirement with_address[] = {
        { .key = HEADLESS, .operator= "DoesNotExist" } };
    struct k8s_servicemonitor_namespace_selector here = { .match_names = STRS(m->home.namespace) };
    struct k8s_servicemonitor monitor = {
        .meta = meta_of(a, &m->home, &m->monitor.object),
        .spec = {
            .endpoints = endpoints_of(a, &m->monitor.endpoints),
            .selector = { .match_labels = m->pods.selector,
                          .match_expressions = LIST(with_address) },
            .namespace_selector = &here,
        },
    };

    if (!m->monitor.wanted || m->cluster.external)
        return NULL;
    return k8s_servicemonitor_keep(a, &monitor);
}
