/* workers.c - what the workers of a cluster share: names, protection, sshd's configuration. */
#include "build/workers.h"

#include "base/scope.h"
#include "build/parts.h"
#include "build/worker_parts.h"
#include "slurm/conf.h"

static struct k8s_meta shared_meta(const struct model_home *home, const char *name,
                                   struct k8s_owner_reference_list owners)
{
    return (struct k8s_meta) {
        .name = name,
        .namespace = home->namespace,
        .owner_references = owners,
    };
}

struct k8s_service *workers_service(struct arena *a, const struct model_home *home,
                                    const struct model_cluster *cluster,
                                    struct k8s_owner_reference_list owners)
{
    struct k8s_service_port ports[] = {
        { .name = SLURMD_PORT_NAME,
          .protocol = "TCP",
          .port = SOME(SLURMD_PORT),
          .target_port = { .type = A_STR, .text = SLURMD_PORT_NAME } },
    };
    struct k8s_service service = {
        .meta = shared_meta(home, cluster->workers, owners),
        .spec = {
            .cluster_ip = "None",
            .publish_not_ready_addresses = YES,
            .selector = cluster->worker_selector,
            .ports = LIST(ports),
        },
    };

    return k8s_service_keep(a, &service);
}

struct k8s_pdb *workers_pdb(struct arena *a, const struct model_home *home,
                            const struct model_cluster *cluster,
                            struct k8s_owner_reference_list owners)
{
    struct pair labels[] = {
        { home->profile->protect, "true" },
        { home->profile->cluster, cluster->name },
    };
    struct k8s_label_selector busy = { .match_labels = LIST(labels) };
    struct k8s_pdb pdb = {
        .meta = shared_meta(home, cluster->workers_pdb, owners),
        .spec = { .max_unavailable = { .type = AN_INT, .value = 0 }, .selector = &busy },
    };

    return k8s_pdb_keep(a, &pdb);
}

struct k8s_owner_reference workers_owner(const struct model_workers *m)
{
    struct k8s_owner_reference owner = m->home.owner;

    owner.controller = UNSET;
    owner.block_owner_deletion = YES;
    return owner;
}

const char *workers_sshd_config(struct arena *a, const struct model_workers *m)
{
    struct sshd_conf conf = { .role = SSHD_WORKER, .extra = m->sshd_extra };

    return m->ssh ? sshd_config_text(a, &conf) : NULL;
}

struct k8s_configmap *workers_ssh_config(struct arena *a, const struct model_workers *m)
{
    struct k8s_configmap config = { .meta = meta_of(a, &m->home, &m->ssh_config), .immutable = NO };

    if (!m->ssh)
        return NULL;
    config.data = pairs_with(a, config.data, "sshd_config", workers_sshd_config(a, m));
    return k8s_configmap_keep(a, &config);
}
