/* accounting.c - slurmdbd: its Service, its configuration, its pod. */
#include "build/accounting.h"

#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "build/hash.h"
#include "build/parts.h"
#include "model/controller.h"

#define PORT_NAME "slurmdbd"
#define CONF "slurmdbd.conf"

struct k8s_service *accounting_service(struct arena *a, const struct model_accounting *m)
{
    struct k8s_service service;

    if (m->external)
        return NULL;
    service = service_of(a, &m->home, &m->service, PORT_NAME, SLURMDBD_PORT, m->pods.selector);
    return k8s_service_keep(a, &service);
}

struct k8s_secret *accounting_config(struct arena *a, const struct model_accounting *m)
{
    struct k8s_secret secret = { .meta = meta_of(a, &m->home, &m->config), .immutable = NO };

    if (m->external)
        return NULL;
    secret.data = pairs_with(a, secret.data, CONF, base64_encode(a, m->conf, strlen(m->conf)));
    return k8s_secret_keep(a, &secret);
}

static struct k8s_volume etc_volume(struct arena *a, const struct model_accounting *m)
{
    struct projections sources = { 0 };

    project_secret(a, &sources, (struct model_key) { m->config.name, CONF }, CONF);
    project_secret(a, &sources, m->slurm_key, "slurm.key");
    project_secret(a, &sources, m->jwt_key, "jwt.key");
    project_config(a, &sources, m->jwks, "jwks.json");
    return projected_volume(a, "slurm-etc", MODE_PRIVATE, sources);
}

static const struct json *slurmdbd_of(struct arena *a, const struct model_accounting *m)
{
    struct k8s_container_port ports[] = {
        { .name = PORT_NAME, .container_port = SOME(SLURMDBD_PORT), .protocol = "TCP" },
    };
    struct k8s_volume_mount mounts[] = {
        { .name = "slurm-etc", .mount_path = ETC_DIR, .read_only = YES },
        { .name = "run", .mount_path = "/run" },
    };
    struct k8s_container slurmdbd = {
        .name = "slurmdbd",
        .ports = LIST(ports),
        .readiness_probe = tcp_probe(a, SLURMDBD_PORT),
        .security_context = runs_as(a, CONTROLLER_UID),
        .volume_mounts = LIST(mounts),
    };

    return container_of(a, &slurmdbd, m->slurmdbd);
}

static struct k8s_pod_template template(struct arena *a, const struct model_accounting *m)
{
    struct k8s_volume volumes[] = { etc_volume(a, m), memory_volume(a, "run") };
    struct k8s_pod_spec spec = {
        .automount_service_account_token = NO,
        .security_context = pod_runs_as(a, CONTROLLER_UID),
        .volumes = LIST(volumes),
    };
    const struct json *containers[] = { slurmdbd_of(a, m), NULL };
    struct pairs hashes = { 0 };

    if (m->home.profile->dbd_config_hash)
        hashes = pairs_with(a, hashes, m->home.profile->dbd_config_hash, hash_of_text(a, m->conf));
    return template_of(a, &m->home, m->workload.name, &m->pods, hashes, "slurmdbd",
                       pod_spec_of(a, &spec, NULL, containers, m->pods.spec));
}

struct k8s_statefulset *accounting_statefulset(struct arena *a, const struct model_accounting *m)
{
    struct k8s_statefulset set = {
        .meta = meta_of(a, &m->home, &m->workload),
        .spec = {
            .replicas = SOME(1),
            .selector = { .match_labels = m->pods.selector },
            .service_name = m->service.object.name,
            .pod_management_policy = "Parallel",
            .revision_history_limit = SOME(0),
        },
    };

    if (m->external)
        return NULL;
    set.spec.template = template(a, m);
    return k8s_statefulset_keep(a, &set);
}
