/* render.c - the builders, one resource after another. */
#include "slinky/render.h"

#include "base/scope.h"
#include "base/str.h"
#include "build/accounting.h"
#include "build/controller.h"
#include "build/login.h"
#include "build/rest.h"
#include "build/token.h"
#include "build/workers.h"
#include "k8s/node.h"
#include "kinds.h"
#include "workers/placement.h"

struct render {
    struct arena *arena;
    struct manifests *manifests;
    struct slinky_world world;
    struct rendering *out;
};

static void emit(struct render *r, const struct kind *kind, const void *object)
{
    struct rendering *out = r->out;

    if (!object)
        return;
    if (out->n == out->room) {
        struct rendered *grown = arena_make_n(r->arena, struct rendered, out->room * 2 + 32);

        for (size_t i = 0; i < out->n; i++)
            grown[i] = out->v[i];
        out->v = grown;
        out->room = out->room * 2 + 32;
    }
    out->v[out->n++] = (struct rendered) { kind, object };
}

#define EMIT(r, object_)                                                                           \
    ({                                                                                             \
        const typeof(*(object_)) *emit_object = (object_);                                         \
        emit(r, KIND_OF(emit_object), emit_object);                                                \
    })

/* ------------------------------------------------------------------ daemons */

static int render_accounting(struct render *r, const void *cr, struct error *err)
{
    struct model_accounting m;
    int rc = front_accounting(r->arena, &r->world, cr, &m, err);

    if (rc < 0)
        return rc;
    EMIT(r, accounting_service(r->arena, &m));
    EMIT(r, accounting_config(r->arena, &m));
    EMIT(r, accounting_statefulset(r->arena, &m));
    return 0;
}

static int render_controller(struct render *r, const void *cr, struct error *err)
{
    struct model_controller m;
    int rc = front_controller(r->arena, &r->world, cr, &m, err);

    if (rc < 0)
        return rc;
    EMIT(r, controller_internal_service(r->arena, &m));
    EMIT(r, controller_service(r->arena, &m));
    EMIT(r, controller_config(r->arena, &m));
    EMIT(r, controller_statefulset(r->arena, &m));
    EMIT(r, controller_monitor(r->arena, &m));
    return 0;
}

static int render_restapi(struct render *r, const void *cr, struct error *err)
{
    struct model_rest m;
    int rc = front_restapi(r->arena, &r->world, cr, &m, err);

    if (rc < 0)
        return rc;
    EMIT(r, rest_service(r->arena, &m));
    EMIT(r, rest_deployment(r->arena, &m));
    return 0;
}

static const struct k8s_secret *host_keys_of(struct render *r, const struct model_login *m)
{
    const struct k8s_secret *given =
        manifests_get(r->manifests, &k8s_secret_kind, m->home.namespace, m->host_keys.name);
    struct pairs keys = { 0 };

    if (given)
        return given;
    for (size_t i = 0; host_key_files[i]; i++)
        keys = pairs_with(r->arena, keys, host_key_files[i], MANIFEST_PLACEHOLDER);
    return login_host_keys(r->arena, m, keys);
}

static int render_loginset(struct render *r, const void *cr, struct error *err)
{
    const struct k8s_secret *host_keys;
    struct model_login m;
    int rc = front_loginset(r->arena, &r->world, cr, &m, err);

    if (rc < 0)
        return rc;
    host_keys = host_keys_of(r, &m);
    EMIT(r, host_keys);
    EMIT(r, login_ssh_config(r->arena, &m));
    EMIT(r, login_service(r->arena, &m));
    EMIT(r, login_deployment(r->arena, &m, host_keys));
    return 0;
}

static int render_token(struct render *r, const void *cr, struct error *err)
{
    struct model_token m;
    int rc = front_token(r->arena, &r->world, cr, &m, err);

    if (rc == 0)
        EMIT(r, token_secret(r->arena, &m, MANIFEST_PLACEHOLDER));
    return rc;
}

/* ------------------------------------------------------------------ workers */

/* The sets of a cluster own its Service and budget together; the first of them renders both. */
static int render_shared(struct render *r, const struct model_workers *m, struct error *err)
{
    const struct slinky_nodeset **sets = NULL;
    struct k8s_owner_reference_list owners = { 0 };
    size_t n = 0;
    int rc = r->world.nodesets(r->world.userdata, r->arena, m->home.namespace, m->cluster.name,
                               &sets, &n, err);

    if (rc < 0 || n == 0 || !str_eq(sets[0]->meta.name, m->name))
        return rc;
    owners.v = arena_make_n(r->arena, struct k8s_owner_reference, n);
    for (size_t i = 0; i < n; i++) {
        owners.v[owners.n] = workers_owner(m);
        owners.v[owners.n].name = sets[i]->meta.name;
        owners.v[owners.n++].uid = sets[i]->meta.uid;
    }
    EMIT(r, workers_service(r->arena, &m->home, &m->cluster, owners));
    EMIT(r, workers_pdb(r->arena, &m->home, &m->cluster, owners));
    return 0;
}

static void render_worker(struct render *r, const struct model_workers *m, const struct json *base,
                          const struct worker *worker)
{
    struct worker_claims claims = worker_claims(r->arena, m, worker);

    for_each (claim, claims)
        EMIT(r, claim);
    EMIT(r, worker_pod(r->arena, m, base, worker));
}

static void render_on_nodes(struct render *r, const struct model_workers *m,
                            const struct json *base, const char *hash)
{
    const struct placement *placement = placement_of(r->arena, base, true);

    for (size_t i = 0; i < r->manifests->n; i++) {
        const struct k8s_node *node = r->manifests->v[i].object;
        struct machine machine;
        struct worker worker;

        if (r->manifests->v[i].kind != &k8s_node_kind)
            continue;
        machine = (struct machine) {
            .name = node->meta.name,
            .labels = node->meta.labels,
            .taints = &node->spec.taints,
            .cordoned = node->spec.unschedulable == YES,
        };
        if (machine.cordoned || placement_fit(placement, &machine) != FIT_RUN)
            continue;
        worker = front_worker_of_node(node, hash);
        render_worker(r, m, base, &worker);
    }
}

static int render_nodeset(struct render *r, const void *cr, struct error *err)
{
    const struct json *base;
    const char *hash;
    struct model_workers m;
    int rc = front_nodeset(r->arena, &r->world, cr, &m, err) ?: render_shared(r, &m, err);

    if (rc < 0)
        return rc;
    EMIT(r, workers_ssh_config(r->arena, &m));
    EMIT(r, workers_revision(r->arena, &m, 1, 0));
    base = workers_pod_spec(r->arena, &m);
    hash = workers_revision_hash(r->arena, &m, 0);
    if (m.mode == WORKERS_PER_NODE)
        render_on_nodes(r, &m, base, hash);
    for (int64_t i = 0; m.mode == WORKERS_NUMBERED && i < m.replicas; i++)
        render_worker(r, &m, base, &(struct worker) { .ordinal = i, .hash = hash });
    return 0;
}

/* ------------------------------------------------------------------ all of them */

static const struct {
    const struct kind *kind;
    int (*render)(struct render *r, const void *cr, struct error *err);
} renderers[] = {
    { &slinky_accounting_kind, render_accounting }, { &slinky_controller_kind, render_controller },
    { &slinky_restapi_kind, render_restapi },       { &slinky_nodeset_kind, render_nodeset },
    { &slinky_loginset_kind, render_loginset },     { &slinky_token_kind, render_token },
};

static void add_error(struct render *r, const char *where, const struct error *err)
{
    struct rendering *out = r->out;
    const char **grown = arena_make_n(r->arena, const char *, out->error_count + 1);

    for (size_t i = 0; i < out->error_count; i++)
        grown[i] = out->errors[i];
    grown[out->error_count++] = fmt(r->arena, "%s: %s", where, error_text(err));
    out->errors = grown;
}

void slinky_render(struct arena *a, struct manifests *m, const char *domain, struct rendering *ret)
{
    struct render r = { a, m, manifests_world(m), ret };

    *ret = (struct rendering) { 0 };
    r.world.domain = domain;
    for (size_t k = 0; k < ARRAY_SIZE(renderers); k++) {
        for (size_t i = 0; i < m->n; i++) {
            struct error err = { 0 };

            if (m->v[i].kind == renderers[k].kind &&
                renderers[k].render(&r, m->v[i].object, &err) < 0)
                add_error(&r, m->v[i].where, &err);
        }
    }
}
