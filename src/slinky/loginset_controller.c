/* loginset_controller.c - LoginSet: login nodes that keep their host keys. */
#include <errno.h>

#include "base/str.h"
#include "build/login.h"
#include "k8s/configmap.h"
#include "kinds.h"
#include "slinky/names.h"
#include "slinky/shared.h"
#include "slinky/takeover.h"
#include "slurm/sshkey.h"

/* Keys of all types, as text by file name. */
static int make_host_keys(struct reconcile *r, struct pairs *ret)
{
    static const enum ssh_key_type types[] = { SSH_KEY_ECDSA, SSH_KEY_ED25519, SSH_KEY_RSA };

    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        const char *file = fmt(r->arena, "ssh_host_%s_key", ssh_key_name(types[i]));
        struct ssh_key key;
        int rc = ssh_key_new(r->arena, &(struct ssh_key_options){ .type = types[i] }, &key, &r->err);

        if (rc < 0)
            return wrap(&r->err, "host keys");
        *ret = pairs_with(r->arena, *ret, file, key.private_text);
        *ret = pairs_with(r->arena, *ret, fmt(r->arena, "%s.pub", file), key.public_text);
    }
    return 0;
}

/* Made once: users' known_hosts remember them. Made only when the server says there are none. */
static int keep_host_keys(struct reconcile *r, const struct model_login *m,
                          const struct k8s_secret **ret)
{
    const void *have = GET(r, k8s_secret, m->host_keys.name);
    struct pairs keys = { 0 };
    struct call call = { .verb = VERB_CREATE, .kind = &k8s_secret_kind };
    struct outcome outcome;
    int rc = have ? 0 : reconcile_follow(r, &k8s_secret_kind, r->namespace, m->host_keys.name,
                                         &have);

    *ret = have;
    if (rc < 0 || have)
        return rc;
    rc = make_host_keys(r, &keys);
    if (rc < 0)
        return rc;
    call.object = *ret = login_host_keys(r->arena, m, keys);
    rc = reconcile_call(r, &call, &outcome);
    return rc == -EEXIST ? fail(&r->err, -EAGAIN, "Secret %s appeared just now", m->host_keys.name)
                         : rc;
}

static int sync_objects(struct reconcile *r, const struct model_login *m)
{
    const struct k8s_secret *host_keys = NULL;

    return keep_host_keys(r, m, &host_keys)
        ?: APPLY(r, login_ssh_config(r->arena, m))
        ?: APPLY(r, login_service(r->arena, m))
        ?: takeover_deployment(r, login_deployment(r->arena, m, host_keys));
}

static int reconcile(struct reconcile *r)
{
    const struct slinky_loginset *cr = r->object;
    struct slinky_world world = world_of(r);
    struct slinky_loginset now = *cr;
    const struct k8s_deployment *live;
    struct model_login m;
    bool stop;
    int rc;

    now.status.observed_generation = cr->meta.generation;
    now.status.selector = slinky_selector_text(r->arena, "login", r->name);
    reconcile_status(r, &now);
    rc = translated(r, front_loginset(r->arena, &world, cr, &m, &r->err), &stop);
    if (stop)
        return rc;
    rc = sync_objects(r, &m);
    if (rc < 0)
        return rc;
    live = GET(r, k8s_deployment, m.workload.name);
    now.status.replicas = (struct maybe_int)SOME(live ? int_or(live->status.replicas, 0) : 0);
    reconcile_status(r, &now);
    tell_deployment(r, &cr->status.conditions, live, m.replicas);
    return 0;
}

const struct controller loginset_controller = {
    .name = "loginset-controller",
    .reconciles = &slinky_loginset_kind,
    .owns = KINDS(&k8s_deployment_kind, &k8s_service_kind, &k8s_configmap_kind, &k8s_secret_kind),
    .watches = WATCHES({ &slinky_controller_kind, .by = "spec.controllerRef.name" }),
    .reads = KINDS(&slinky_accounting_kind, &slinky_nodeset_kind),
    .follows = KINDS(&k8s_secret_kind, &k8s_configmap_kind),
    .reconcile = reconcile,
};
