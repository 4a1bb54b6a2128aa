/* worker_pod.c - the pod of a worker: what all share, then what is its own. */
#include <inttypes.h>

#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "build/parts.h"
#include "build/scripts.h"
#include "build/values.h"
#include "build/worker_parts.h"
#include "build/workers.h"
#include "model/login.h"
#include "slurm/conf.h"

enum {
    MIB = 1 << 20,
    STOP_GRACE = 30,   /* what Kubernetes gives a pod to stop */
    STOP_RESERVE = 10, /* of that: for slurmd itself */
};

/* ------------------------------------------------------------------ the slurmd container */

static struct k8s_env_var_list env_of(struct arena *a, const struct model_workers *m)
{
    struct k8s_field_ref field = {
        .field_path = fmt(a, "metadata.annotations['%s']", m->home.profile->topology),
    };
    struct k8s_env_source topology = { .field_ref = arena_copy(a, &field, sizeof field) };
    struct k8s_env_source *source = arena_copy(a, &topology, sizeof topology);
    struct k8s_env_var *env = arena_make_n(a, struct k8s_env_var, 4);
    struct k8s_env_var_list list = { .v = env };

    if (m->home.profile->topology_variable)
        env[list.n++] = (struct k8s_env_var) { .name = m->home.profile->topology_variable,
                                               .value_from = source };
    /* the image adds it to the node record unless it is empty */
    if (m->home.profile->topology && !worker_conf_sets(a, m, "Topology"))
        env[list.n++] = (struct k8s_env_var) { .name = "POD_TOPOLOGY", .value_from = source };
    env[list.n++] = (struct k8s_env_var) {
        .name = "POD_CPUS",
        .value = fmt(a, "%" PRId64, worker_limit(a, m, "cpu")),
    };
    env[list.n++] = (struct k8s_env_var) {
        .name = "POD_MEMORY",
        .value = fmt(a, "%" PRId64, worker_limit(a, m, "memory") / MIB),
    };
    return list;
}

static const char *stop_script(struct arena *a, const struct model_workers *m)
{
    int64_t grace =
        json_int_or(json_get(m->pods.spec, "terminationGracePeriodSeconds"), STOP_GRACE);

    return worker_stop_script(a, m->home.profile->reason_prefix,
                              grace > STOP_RESERVE ? grace - STOP_RESERVE : 0);
}

static const struct json *slurmd_of(struct arena *a, const struct model_workers *m)
{
    struct k8s_container_port ports[] = {
        { .name = SLURMD_PORT_NAME, .container_port = SOME(SLURMD_PORT), .protocol = "TCP" },
        { .name = "ssh", .container_port = SOME(SSH_PORT), .protocol = "TCP" },
    };
    struct k8s_volume_mount mounts[] = {
        { .name = "slurm-etc", .mount_path = ETC_DIR, .read_only = YES },
        { .name = "slurm-logfile", .mount_path = LOG_DIR },
        file_mount("ssh-config", "/etc/ssh/sshd_config", "sshd_config"),
        file_mount("sssd-conf", "/etc/sssd/sssd.conf", "sssd.conf"),
    };
    struct k8s_capabilities capabilities = { .add = STRS("BPF", "NET_ADMIN", "SYS_ADMIN",
                                                         "SYS_NICE") };
    struct k8s_security_context security = { .privileged = YES, .capabilities = &capabilities };
    struct k8s_exec_action stop = { .command = STRS("/usr/bin/sh", "-c", stop_script(a, m)) };
    struct k8s_lifecycle_handler before_stop = { .exec = &stop };
    struct k8s_lifecycle lifecycle = { .pre_stop = &before_stop };
    struct k8s_container slurmd = {
        .name = "slurmd",
        .args = STRS("-Z", "--conf-server", fmt(a, "%s:%d", m->cluster.host, m->cluster.port),
                     "--conf", workers_conf(a, m)),
        .ports = { .v = ports, .n = m->ssh ? 2 : 1 },
        .env = env_of(a, m),
        .startup_probe = patient(http_probe(a, "/livez", SLURMD_PORT_NAME)),
        .liveness_probe = patient(http_probe(a, "/livez", SLURMD_PORT_NAME)),
        .readiness_probe = http_probe(a, "/readyz", SLURMD_PORT_NAME),
        .lifecycle = &lifecycle,
        .security_context = &security,
        .volume_mounts = { .v = mounts, .n = m->ssh ? 4 : 2 },
    };

    return container_of(a, &slurmd, m->slurmd);
}

/* ------------------------------------------------------------------ what all share */

static struct k8s_volume key_volume(struct arena *a, const char *name, struct model_key key,
                                    const char *path)
{
    struct projections sources = { 0 };

    project_secret(a, &sources, key, path);
    return projected_volume(a, name, MODE_PRIVATE, sources);
}

static struct k8s_volume_list volumes_of(struct arena *a, const struct model_workers *m)
{
    struct k8s_volume *volumes = arena_make_n(a, struct k8s_volume, 4);
    struct k8s_volume_list list = { .v = volumes };
    struct projections ssh = { 0 }, sssd = { 0 };

    volumes[list.n++] = key_volume(a, "slurm-etc", m->cluster.slurm_key, "slurm.key");
    volumes[list.n++] = memory_volume(a, "slurm-logfile");
    if (!m->ssh)
        return list;
    project_config(a, &ssh, (struct model_key) { m->ssh_config.name, "sshd_config" },
                   "sshd_config");
    project_mode(&ssh, MODE_PRIVATE);
    project_secret(a, &sssd, m->sssd_conf, "sssd.conf");
    project_mode(&sssd, MODE_PRIVATE);
    volumes[list.n++] = projected_volume(a, "ssh-config", MODE_PRIVATE, ssh);
    volumes[list.n++] = projected_volume(a, "sssd-conf", MODE_PRIVATE, sssd);
    return list;
}

/* What every daemon of a node puts up with, so that a node that is in trouble for a moment does not
 * lose its worker and the jobs on it. */
static const struct k8s_toleration daemon_tolerations[] = {
    { .key = "node.kubernetes.io/not-ready", .operator= "Exists", .effect = "NoExecute" },
    { .key = "node.kubernetes.io/unreachable", .operator= "Exists", .effect = "NoExecute" },
    { .key = "node.kubernetes.io/disk-pressure", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/memory-pressure", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/pid-pressure", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/unschedulable", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/network-unavailable",
      .operator= "Exists",
      .effect = "NoSchedule" }, /* only on the node's own network */
};

static struct k8s_toleration_list tolerations_of(struct arena *a, const struct model_workers *m)
{
    size_t n = ARRAY_SIZE(daemon_tolerations);
    struct k8s_toleration *v = arena_make_n(a, struct k8s_toleration, n + 1);
    struct k8s_toleration_list list = { .v = v };

    if (m->home.profile->worker_taint)
        v[list.n++] = (struct k8s_toleration) {
            .key = m->home.profile->worker_taint,
            .operator= "Equal",
            .effect = "NoExecute",
        };
    if (m->mode != WORKERS_PER_NODE)
        return list;
    if (!json_bool_or(json_get(m->pods.spec, "hostNetwork"), false))
        n--;
    for (size_t i = 0; i < n; i++)
        v[list.n++] = daemon_tolerations[i];
    return list;
}

/* The user's part: the host name is only a prefix there, and the node is chosen by the scheduler.
 */
static const struct json *user_spec(struct arena *a, const struct model_workers *m)
{
    if (!m->pods.spec)
        return NULL;
    return value_without(a, value_without(a, m->pods.spec, "hostname"), "nodeName");
}

static const struct json *with_own_node(struct arena *a, const struct model_workers *m,
                                        const struct json *spec)
{
    const struct pair *name = m->cluster.worker_selector.v;
    struct k8s_label_requirement slurmd[] = { {
        .key = name->key,
        .operator= "In",
        .values = STRS(name->value),
    } };
    struct k8s_label_selector any_worker = { .match_expressions = LIST(slurmd) };

    return m->shares_node ? spec : with_anti_affinity(a, spec, &any_worker);
}

const struct json *workers_pod_spec(struct arena *a, const struct model_workers *m)
{
    struct k8s_dns_config dns = { .searches = STRS(fmt(a, "%s.%s.svc.%s", m->cluster.workers,
                                                       m->home.namespace, m->cluster.domain)) };
    struct k8s_pod_spec spec = {
        .automount_service_account_token = NO,
        .enable_service_links = NO,
        .subdomain = m->cluster.workers,
        .dns_config = &dns,
        .tolerations = tolerations_of(a, m),
        .volumes = volumes_of(a, m),
    };
    const struct json *init_containers[] = {
        logfile_container(a, m->home.profile, LOG_DIR "/slurmd.log", m->logfile),
        NULL,
    };
    const struct json *containers[] = { slurmd_of(a, m), NULL };

    return with_own_node(a, m, pod_spec_of(a, &spec, init_containers, containers, user_spec(a, m)));
}

/* ------------------------------------------------------------------ what is its own */

/* Only that node will do, whatever else the user asked of nodes: it was asked of this one already.
 */
static const struct json *pinned(struct arena *a, const struct json *spec, const char *node)
{
    const struct json *affinity = json_get(spec, "affinity");
    struct strs names = STRS(node);
    struct json *field = json_object(a);
    struct json *fields = json_array(a);
    struct json *terms = json_array(a);

    json_set_str(a, field, "key", "metadata.name");
    json_set_str(a, field, "operator", "In");
    json_set(a, field, "values", value_list(a, names));
    json_add(a, fields, field);
    json_add(a, terms, value_with(a, NULL, "matchFields", fields));
    affinity = value_with(a, affinity, "nodeAffinity",
                          value_with(a, json_get(affinity, "nodeAffinity"),
                                     "requiredDuringSchedulingIgnoredDuringExecution",
                                     value_with(a, NULL, "nodeSelectorTerms", terms)));
    return value_with(a, spec, "affinity", affinity);
}

static const struct json *with_claims(struct arena *a, const struct json *spec,
                                      const struct model_workers *m, const struct worker *worker)
{
    const struct json *old = json_get(spec, "volumes");
    struct json *volumes = json_array(a);

    if (!m->claims.n)
        return spec;
    for_each (claim, m->claims) {
        struct k8s_volume volume =
            claim_volume(a, claim->meta.name, worker_claim_name(a, m, worker, claim->meta.name));

        json_add(a, volumes, table_json(a, &k8s_volume_type, &volume));
    }
    for (size_t i = 0; i < value_items(old); i++) {
        const struct json *volume = json_item(old, i);

        if (!value_named(volumes, "name", json_str_or(json_get(volume, "name"), NULL)))
            json_add(a, volumes, (struct json *)volume);
    }
    return value_with(a, spec, "volumes", volumes);
}

static struct pairs labels_of(struct arena *a, const struct model_workers *m,
                              const struct worker *worker)
{
    const struct profile *profile = m->home.profile;
    const char *name = worker_pod_name(a, m, worker);
    struct pairs labels = m->pods.labels;

    if (name)
        labels = pairs_with(a, labels, profile->pod_name, name);
    if (m->mode == WORKERS_NUMBERED)
        labels = pairs_with(a, labels, profile->pod_index, worker_index(a, m, worker->ordinal));
    labels = pairs_with(a, labels, profile->pod_hostname, worker_hostname(a, m, worker));
    labels = pairs_with(a, labels, profile->scaling_mode, m->mode_text);
    return pairs_with(a, labels, profile->revision, worker->hash);
}

static struct pairs annotations_of(struct arena *a, const struct model_workers *m,
                                   const struct worker *worker)
{
    const struct profile *profile = m->home.profile;
    struct pairs hashes = { 0 };
    struct pairs annotations;

    if (profile->sshd_hash)
        hashes =
            pairs_with(a, hashes, profile->sshd_hash, hash_of_text(a, workers_sshd_config(a, m)));
    annotations = template_of(a, &m->home, NULL, &m->pods, hashes, "slurmd", NULL).meta.annotations;
    if (!str_empty(worker->topology))
        annotations = pairs_with(a, annotations, profile->topology, worker->topology);
    return annotations;
}

struct k8s_built_pod *worker_pod(struct arena *a, const struct model_workers *m,
                                 const struct json *base, const struct worker *worker)
{
    struct model_object object = {
        .name = worker_pod_name(a, m, worker),
        .labels = labels_of(a, m, worker),
        .annotations = annotations_of(a, m, worker),
    };
    struct k8s_built_pod pod = {
        .meta = meta_of(a, &m->home, &object),
        .spec = value_with(a, with_claims(a, base, m, worker), "hostname",
                           json_str(a, worker_hostname(a, m, worker))),
    };

    pod.meta.generate_name = fmt(a, "%s-", m->name);
    if (worker->node)
        pod.spec = pinned(a, pod.spec, worker->node);
    return arena_copy(a, &pod, sizeof pod); /* shares base with a thousand others */
}

struct worker_claims worker_claims(struct arena *a, const struct model_workers *m,
                                   const struct worker *worker)
{
    struct worker_claims claims = { .v = arena_make_n(a, struct k8s_pvc, m->claims.n) };

    for_each (template, m->claims) {
        struct k8s_pvc *claim = &claims.v[claims.n++];

        *claim = *template;
        claim->meta.name = worker_claim_name(a, m, worker, template->meta.name);
        claim->meta.namespace = m->home.namespace;
        claim->meta.labels = pairs_over(a, template->meta.labels, m->pods.selector);
    }
    return claims;
}
