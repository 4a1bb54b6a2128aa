/* render_fuzz.c - whatever is in a manifest, rendering ends, says the same twice, and never hands
 * slurmd a key without a value. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/str.h"
#include "k8s/built_pod.h"
#include "slinky/render.h"

enum { WORKERS_MAX = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A million workers are no mistake, but take long to write. */
static void bound(struct manifests *m)
{
    for (size_t i = 0; i < m->n; i++) {
        struct slinky_nodeset *set = m->v[i].object;

        if (m->v[i].kind == &slinky_nodeset_kind && int_or(set->spec.replicas, 1) > WORKERS_MAX)
            set->spec.replicas = (struct maybe_int)SOME(WORKERS_MAX);
    }
}

static void write_all_of(struct arena *a, struct manifests *m, struct buf *out)
{
    struct rendering all;

    slinky_render(a, m, NULL, &all);
    for (size_t i = 0; i < all.n; i++)
        json_write(kind_json(a, all.v[i].kind, all.v[i].object), JSON_CANONICAL, out);
    for (size_t i = 0; i < all.error_count; i++)
        buf_str(out, all.errors[i]);
}

static void check_workers(struct arena *a, struct manifests *m)
{
    struct rendering all;

    slinky_render(a, m, NULL, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct k8s_built_pod *pod = all.v[i].object;
        const char *conf;

        if (all.v[i].kind != &k8s_built_pod_kind)
            continue;
        conf = json_str_or(json_at(pod->spec, "containers.0.args.4"), "''");
        if (conf[0] != '\'' || strstr(conf, "= ") || str_ends(conf, "='"))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf one = { 0 };
    scoped(buf) struct buf other = { 0 };
    struct manifests m = { .arena = a, .namespace = "hpc" };
    struct error err = { 0 };

    if (manifests_read_text(&m, "fuzz", (const char *)data, size, &err) < 0)
        return 0;
    /* what admission would refuse is rendered too: a webhook may be off */
    if (manifests_ready(&m, &err) == -EEXIST)
        return 0;
    bound(&m);
    write_all_of(a, &m, &one);
    write_all_of(a, &m, &other);
    if (!str_eq(buf_text(&one), buf_text(&other)))
        abort();
    check_workers(a, &m);
    return 0;
}
