/* login.c - login nodes: sshd's files, the Service, the pods. */
#include "build/login.h"

#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "build/parts.h"
#include "build/scripts.h"
#include "slurm/conf.h"

#define PORT_NAME "login"
#define SACK_DIR "/run/slurm"

const char *const host_key_files[] = {
    "ssh_host_rsa_key",
    "ssh_host_rsa_key.pub",
    "ssh_host_ed25519_key",
    "ssh_host_ed25519_key.pub",
    "ssh_host_ecdsa_key",
    "ssh_host_ecdsa_key.pub",
    NULL,
};

enum { HOST_KEY_FILES = ARRAY_SIZE(host_key_files) - 1 };

/* ------------------------------------------------------------------ Service and files */

struct k8s_service *login_service(struct arena *a, const struct model_login *m)
{
    struct k8s_service service =
        service_of(a, &m->home, &m->service, PORT_NAME, SSH_PORT, m->pods.selector);

    return k8s_service_keep(a, &service);
}

static const char *sshd_config(struct arena *a, const struct model_login *m)
{
    struct sshd_conf conf = { .role = SSHD_LOGIN, .extra = m->sshd_extra };

    return sshd_config_text(a, &conf);
}

struct k8s_configmap *login_ssh_config(struct arena *a, const struct model_login *m)
{
    struct k8s_configmap config = { .meta = meta_of(a, &m->home, &m->ssh_config), .immutable = NO };

    config.data =
        pairs_with(a, config.data, "authorized_keys", authorized_keys_text(a, m->authorized_keys));
    config.data = pairs_with(a, config.data, "sshd_config", sshd_config(a, m));
    return k8s_configmap_keep(a, &config);
}

struct k8s_secret *login_host_keys(struct arena *a, const struct model_login *m, struct pairs keys)
{
    struct k8s_secret secret = { .meta = meta_of(a, &m->home, &m->host_keys), .immutable = YES };

    for_each (key, keys)
        secret.data =
            pairs_with(a, secret.data, key->key, base64_encode(a, key->value, strlen(key->value)));
    return k8s_secret_keep(a, &secret);
}

/* ------------------------------------------------------------------ volumes */

static struct k8s_volume host_keys_volume(struct arena *a, const struct model_login *m)
{
    struct k8s_key_to_path *items = arena_make_n(a, struct k8s_key_to_path, HOST_KEY_FILES);
    struct k8s_projected_keys keys = { .name = m->host_keys.name,
                                       .items = { .v = items, .n = HOST_KEY_FILES } };
    struct k8s_projection source = { .secret = arena_copy(a, &keys, sizeof keys) };
    struct projections sources = { arena_copy(a, &source, sizeof source), 1 };

    for (size_t i = 0; i < HOST_KEY_FILES; i++)
        items[i] = (struct k8s_key_to_path) {
            .key = host_key_files[i],
            .path = host_key_files[i],
            .mode = SOME(str_ends(host_key_files[i], ".pub") ? MODE_PUBLIC : MODE_PRIVATE),
        };
    return projected_volume(a, "ssh-host-keys", MODE_PRIVATE, sources);
}

static struct k8s_volume ssh_config_volume(struct arena *a, const struct model_login *m)
{
    struct k8s_key_to_path items[] = {
        { .key = "sshd_config", .path = "sshd_config", .mode = SOME(MODE_PRIVATE) },
        { .key = "authorized_keys", .path = "authorized_keys", .mode = SOME(MODE_PRIVATE) },
    };
    struct k8s_projected_keys keys = { .name = m->ssh_config.name,
                                       .items = { .v = arena_copy(a, items, sizeof items),
                                                  .n = ARRAY_SIZE(items) } };
    struct k8s_projection source = { .config_map = arena_copy(a, &keys, sizeof keys) };
    struct projections sources = { arena_copy(a, &source, sizeof source), 1 };

    return projected_volume(a, "ssh-config", MODE_PRIVATE, sources);
}

static struct k8s_volume slurm_key_volume(struct arena *a, const struct model_login *m)
{
    struct projections sources = { 0 };

    project_secret(a, &sources, m->cluster.slurm_key, "slurm.key");
    return projected_volume(a, "slurm-config", MODE_PRIVATE, sources);
}

/* ------------------------------------------------------------------ containers */

static const struct json *initconf_of(struct arena *a, const struct model_login *m)
{
    struct k8s_env_var env[] = { { .name = "SLURM_USER", .value = "slurm" } };
    struct k8s_volume_mount mounts[] = {
        { .name = "slurm-etc", .mount_path = "/mnt/etc/slurm" },
        { .name = "slurm-config", .mount_path = "/mnt/slurm", .read_only = YES },
    };
    struct k8s_container initconf = {
        .name = "initconf",
        .image = m->home.profile->helper_image,
        .command = STRS("sh", "-c", initconf_script),
        .env = LIST(env),
        .volume_mounts = LIST(mounts),
    };

    return container_of(a, &initconf, m->initconf);
}

/* Where sshd listens: at the user's port of that name, if there is one. */
static int64_t login_port(const struct model_login *m)
{
    const struct json *ports = json_get(m->login, "ports");

    for (size_t i = 0; i < json_count(ports); i++) {
        const struct json *port = json_item(ports, i);

        if (str_eq(json_str_or(json_get(port, "name"), NULL), PORT_NAME))
            return json_int_or(json_get(port, "containerPort"), SSH_PORT);
    }
    return SSH_PORT;
}

static struct k8s_volume_mount_list mounts_of(struct arena *a)
{
    struct k8s_volume_mount before[] = {
        { .name = "slurm-etc", .mount_path = ETC_DIR, .read_only = YES },
        { .name = "sackd-dir", .mount_path = SACK_DIR },
    };
    struct k8s_volume_mount after[] = {
        file_mount("ssh-config", "/etc/ssh/sshd_config", "sshd_config"),
        file_mount("ssh-config", "/root/.ssh/authorized_keys", "authorized_keys"),
        file_mount("sssd-conf", "/etc/sssd/sssd.conf", "sssd.conf"),
    };
    struct k8s_volume_mount_list list = { 0 };

    list.v = arena_make_n(a, struct k8s_volume_mount,
                          ARRAY_SIZE(before) + HOST_KEY_FILES + ARRAY_SIZE(after));
    for (size_t i = 0; i < ARRAY_SIZE(before); i++)
        list.v[list.n++] = before[i];
    for (size_t i = 0; i < HOST_KEY_FILES; i++)
        list.v[list.n++] = file_mount("ssh-host-keys", fmt(a, "/etc/ssh/%s", host_key_files[i]),
                                      host_key_files[i]);
    for (size_t i = 0; i < ARRAY_SIZE(after); i++)
        list.v[list.n++] = after[i];
    return list;
}

static const struct json *login_of(struct arena *a, const struct model_login *m)
{
    struct k8s_container_port ports[] = {
        { .name = PORT_NAME, .container_port = SOME(login_port(m)), .protocol = "TCP" },
    };
    struct k8s_env_var env[] = {
        { .name = "SACKD_OPTIONS",
          .value = fmt(a, "--conf-server %s:%d", m->cluster.host, m->cluster.port) },
    };
    struct k8s_exec_action socket_there = { .command =
                                                STRS("test", "-S", SACK_DIR "/sack.socket") };
    struct k8s_probe ready = { .exec = &socket_there };
    struct k8s_container login = {
        .name = "login",
        .ports = LIST(ports),
        .env = LIST(env),
        .readiness_probe = &ready,
        .volume_mounts = mounts_of(a),
    };

    return container_of(a, &login, m->login);
}

/* ------------------------------------------------------------------ the Deployment */

static const struct json *pod_spec(struct arena *a, const struct model_login *m)
{
    struct projections sssd = { 0 };
    struct k8s_dns_config dns = { .searches = STRS(fmt(a, "%s.%s.svc.%s", m->cluster.workers,
                                                       m->home.namespace, m->cluster.domain)) };
    const struct json *init_containers[] = { initconf_of(a, m), NULL };
    const struct json *containers[] = { login_of(a, m), NULL };

    project_secret(a, &sssd, m->sssd_conf, "sssd.conf");
    project_mode(&sssd, MODE_PRIVATE);
    struct k8s_volume volumes[] = {
        memory_volume(a, "slurm-etc"), memory_volume(a, "sackd-dir"),
        slurm_key_volume(a, m),        host_keys_volume(a, m),
        ssh_config_volume(a, m),       projected_volume(a, "sssd-conf", MODE_PRIVATE, sssd),
    };
    struct k8s_pod_spec spec = {
        .automount_service_account_token = NO,
        .enable_service_links = NO,
        .dns_config = &dns,
        .volumes = LIST(volumes),
    };

    return pod_spec_of(a, &spec, init_containers, containers, m->pods.spec);
}

static struct pairs hashes_of(struct arena *a, const struct model_login *m,
                              const struct k8s_secret *host_keys)
{
    const struct profile *profile = m->home.profile;
    struct pairs hashes = { 0 };

    if (profile->sshd_hash)
        hashes = pairs_with(a, hashes, profile->sshd_hash, hash_of_text(a, sshd_config(a, m)));
    if (profile->host_keys_hash)
        hashes = pairs_with(a, hashes, profile->host_keys_hash, hash_of_secret(a, host_keys->data));
    return hashes;
}

struct k8s_deployment *login_deployment(struct arena *a, const struct model_login *m,
                                        const struct k8s_secret *host_keys)
{
    struct k8s_deployment deployment = {
        .meta = meta_of(a, &m->home, &m->workload),
        .spec = {
            .replicas = SOME(m->replicas),
            .selector = { .match_labels = m->pods.selector },
            .strategy = m->strategy,
            .revision_history_limit = SOME(0),
            .template = template_of(a, &m->home, m->workload.name, &m->pods,
                                    hashes_of(a, m, host_keys), "login", pod_spec(a, m)),
        },
    };

    return k8s_deployment_keep(a, &deployment);
}
