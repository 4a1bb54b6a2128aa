/* parts.c - metadata, volumes, probes and Services, as every daemon's objects have them. */
#include "build/parts.h"

#include "base/scope.h"

enum { PROBE_FAILURES = 6, PROBE_PERIOD = 10 };

/* ------------------------------------------------------------------ metadata */

struct k8s_meta meta_of(struct arena *a, const struct model_home *home,
                        const struct model_object *object)
{
    struct k8s_meta meta = {
        .name = object->name,
        .namespace = home->namespace,
        .labels = object->labels,
        .annotations = object->annotations,
    };

    if (home->owner.kind) {
        meta.owner_references.v = arena_copy(a, &home->owner, sizeof home->owner);
        meta.owner_references.n = 1;
    }
    return meta;
}

/* ------------------------------------------------------------------ volumes */

struct k8s_volume memory_volume(struct arena *a, const char *name)
{
    struct k8s_empty_dir_volume in_memory = { .medium = "Memory" };

    return (struct k8s_volume) { .name = name,
                                 .empty_dir = arena_copy(a, &in_memory, sizeof in_memory) };
}

struct k8s_volume empty_volume(struct arena *a, const char *name)
{
    return (struct k8s_volume) { .name = name,
                                 .empty_dir = arena_make(a, struct k8s_empty_dir_volume) };
}

struct k8s_volume claim_volume(struct arena *a, const char *name, const char *claim)
{
    struct k8s_claim_volume source = { .claim_name = claim };

    return (struct k8s_volume) { .name = name,
                                 .persistent_volume_claim = arena_copy(a, &source, sizeof source) };
}

struct k8s_volume projected_volume(struct arena *a, const char *name, int mode,
                                   struct projections sources)
{
    struct k8s_projected_volume source = {
        .sources = { .v = sources.v, .n = sources.n },
        .default_mode = SOME(mode),
    };

    return (struct k8s_volume) { .name = name, .projected = arena_copy(a, &source, sizeof source) };
}

static struct k8s_projection *add_projection(struct arena *a, struct projections *p)
{
    struct k8s_projection *grown = arena_make_n(a, struct k8s_projection, p->n + 1);

    for (size_t i = 0; i < p->n; i++)
        grown[i] = p->v[i];
    p->v = grown;
    return &p->v[p->n++];
}

static struct k8s_projected_keys *keys_of(struct arena *a, struct model_key key, const char *path)
{
    struct k8s_key_to_path item = { .key = key.key, .path = path };
    struct k8s_projected_keys keys = {
        .name = key.name,
        .items = { .v = arena_copy(a, &item, sizeof item), .n = 1 },
    };

    return arena_copy(a, &keys, sizeof keys);
}

void project_secret(struct arena *a, struct projections *p, struct model_key key, const char *path)
{
    if (key.name)
        add_projection(a, p)->secret = keys_of(a, key, path);
}

void project_config(struct arena *a, struct projections *p, struct model_key key, const char *path)
{
    if (key.name)
        add_projection(a, p)->config_map = keys_of(a, key, path);
}

void project_all(struct arena *a, struct projections *p, const char *config_map)
{
    struct k8s_projected_keys keys = { .name = config_map };

    add_projection(a, p)->config_map = arena_copy(a, &keys, sizeof keys);
}

void project_mode(struct projections *p, int mode)
{
    struct k8s_projection *last = &p->v[p->n - 1];
    struct k8s_projected_keys *keys = last->secret ?: last->config_map;

    for_each (item, keys->items)
        item->mode = (struct maybe_int)SOME(mode);
}

struct k8s_volume_mount file_mount(const char *volume, const char *path, const char *file)
{
    return (struct k8s_volume_mount) {
        .name = volume,
        .mount_path = path,
        .sub_path = file,
        .read_only = YES,
    };
}

/* ------------------------------------------------------------------ probes */

struct k8s_probe *http_probe(struct arena *a, const char *path, const char *port)
{
    struct k8s_probe *probe = arena_make(a, struct k8s_probe);
    struct k8s_http_action get = { .path = path, .port = { .type = A_STR, .text = port } };

    probe->http_get = arena_copy(a, &get, sizeof get);
    return probe;
}

struct k8s_probe *tcp_probe(struct arena *a, int port)
{
    struct k8s_probe *probe = arena_make(a, struct k8s_probe);
    struct k8s_tcp_action connect = { .port = { .type = AN_INT, .value = port } };

    probe->tcp_socket = arena_copy(a, &connect, sizeof connect);
    return probe;
}

struct k8s_probe *patient(struct k8s_probe *probe)
{
    probe->failure_threshold = (struct maybe_int)SOME(PROBE_FAILURES);
    probe->period_seconds = (struct maybe_int)SOME(PROBE_PERIOD);
    return probe;
}

/* ------------------------------------------------------------------ security */

struct k8s_security_context *runs_as(struct arena *a, int uid)
{
    struct k8s_security_context context = {
        .run_as_non_root = YES,
        .run_as_user = SOME(uid),
        .run_as_group = SOME(uid),
    };

    return arena_copy(a, &context, sizeof context);
}

struct k8s_pod_security_context *pod_runs_as(struct arena *a, int uid)
{
    struct k8s_pod_security_context context = {
        .run_as_non_root = YES,
        .run_as_user = SOME(uid),
        .run_as_group = SOME(uid),
        .fs_group = SOME(uid),
    };

    return arena_copy(a, &context, sizeof context);
}

/* ------------------------------------------------------------------ Services */

struct k8s_service service_of(struct arena *a, const struct model_home *home,
                              const struct model_service *service, const char *port_name,
                              int usual_port, struct pairs selector)
{
    struct k8s_service made = { .meta = meta_of(a, home, &service->object), .spec = service->spec };
    size_t n = service->spec.ports.n;
    struct k8s_service_port *ports = arena_make_n(a, struct k8s_service_port, n + 1);

    for (size_t i = 0; i < n; i++)
        ports[i] = service->spec.ports.v[i];
    ports[n] = (struct k8s_service_port) {
        .name = port_name,
        .protocol = "TCP",
        .port = SOME(service->port ?: usual_port),
        .target_port = { .type = A_STR, .text = port_name },
    };
    if (service->node_port)
        ports[n].node_port = (struct maybe_int)SOME(service->node_port);
    made.spec.ports.v = ports;
    made.spec.ports.n = n + 1;
    made.spec.selector = pairs_over(a, service->spec.selector, selector);
    /* anyone who may write a Service could draw the traffic of any address with them */
    made.spec.external_ips = (struct strs) { 0 };
    return made;
}
