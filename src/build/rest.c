/* rest.c - slurmrestd: its Service and its pods. */
#include "build/rest.h"

#include "base/scope.h"
#include "build/parts.h"
#include "build/values.h"

#define PORT_NAME "slurmrestd"

struct k8s_service *rest_service(struct arena *a, const struct model_rest *m)
{
    struct k8s_service service =
        service_of(a, &m->home, &m->service, PORT_NAME, SLURMRESTD_PORT, m->pods.selector);

    return k8s_service_keep(a, &service);
}

static struct k8s_volume etc_volume(struct arena *a, const struct model_rest *m)
{
    struct projections sources = { 0 };

    project_config(a, &sources, (struct model_key) { m->cluster.config, "slurm.conf" },
                   "slurm.conf");
    project_secret(a, &sources, m->cluster.slurm_key, "slurm.key");
    return projected_volume(a, "slurm-etc", MODE_PRIVATE, sources);
}

/* Where it listens is its last argument, behind the user's own. */
static const struct json *with_address(struct arena *a, const struct json *container)
{
    struct strs address = STRS(fmt(a, "0.0.0.0:%d", SLURMRESTD_PORT));

    return value_with(a, container, "args",
                      value_joined(a, json_get(container, "args"), value_list(a, address)));
}

static const struct json *slurmrestd_of(struct arena *a, const struct model_rest *m)
{
    struct k8s_container_port ports[] = {
        { .name = PORT_NAME, .container_port = SOME(SLURMRESTD_PORT), .protocol = "TCP" },
    };
    struct k8s_env_var env[] = {
        { .name = "SLURM_JWT", .value = "daemon" },
        { .name = "SLURMRESTD_SECURITY", .value = "disable_unshare_files,disable_unshare_sysv" },
    };
    struct k8s_volume_mount mounts[] = {
        { .name = "slurm-etc", .mount_path = ETC_DIR, .read_only = YES },
    };
    struct strs without_slurmdbd = STRS("-s", "openapi/slurmctld");
    struct k8s_container slurmrestd = {
        .name = "slurmrestd",
        .ports = LIST(ports),
        .env = LIST(env),
        .startup_probe = patient(tcp_probe(a, SLURMRESTD_PORT)),
        .liveness_probe = patient(tcp_probe(a, SLURMRESTD_PORT)),
        .readiness_probe = tcp_probe(a, SLURMRESTD_PORT),
        .security_context = runs_as(a, SLURMRESTD_UID),
        .volume_mounts = LIST(mounts),
    };

    if (!m->cluster.accounting) /* the plugin of slurmdbd would not load */
        slurmrestd.args = without_slurmdbd;
    return with_address(a, container_of(a, &slurmrestd, m->slurmrestd));
}

struct k8s_deployment *rest_deployment(struct arena *a, const struct model_rest *m)
{
    struct k8s_volume volumes[] = { etc_volume(a, m) };
    struct k8s_pod_spec spec = {
        .automount_service_account_token = NO,
        .security_context = pod_runs_as(a, SLURMRESTD_UID),
        .volumes = LIST(volumes),
    };
    const struct json *containers[] = { slurmrestd_of(a, m), NULL };
    struct k8s_deployment deployment = {
        .meta = meta_of(a, &m->home, &m->workload),
        .spec = {
            .replicas = SOME(m->replicas),
            .selector = { .match_labels = m->pods.selector },
            .revision_history_limit = SOME(0),
            .template = template_of(a, &m->home, m->workload.name, &m->pods, (struct pairs){ 0 },
                                    "slurmrestd",
                                    pod_spec_of(a, &spec, NULL, containers, m->pods.spec)),
        },
    };

    return k8s_deployment_keep(a, &deployment);
}
