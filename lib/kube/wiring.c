/* wiring.c - from a change of any object to the keys that it concerns. */
#include <string.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "kube/runtime.h"

/* One row of a controller's table, as a handler of a cache. */
struct wire {
    struct runner *runner;
    const struct kind *kind;
    const struct watch_row *row; /* NULL for a kind that it owns */
};

struct mapping {
    struct runner *runner;
};

static void wake(struct runner *runner, const char *namespace, const char *name,
                 enum priority priority)
{
    scoped(arena) struct arena *a = arena_new();

    queue_add(runner->lane, fmt(a, "%s/%s", namespace ?: "", name), priority);
}

/* ------------------------------------------------------------------ the object itself */

static bool same_pairs(struct pairs a, struct pairs b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (!str_eq(a.v[i].key, b.v[i].key) || !str_eq(a.v[i].value, b.v[i].value))
            return false;
    return true;
}

/* A status that we wrote ourselves comes back as a change; it is none for us. */
static bool only_status_changed(const struct k8s_meta *old, const struct k8s_meta *now)
{
    return old->generation.set && now->generation.set &&
           old->generation.value == now->generation.value && str_eq(old->uid, now->uid) &&
           old->deletion_timestamp == now->deletion_timestamp &&
           old->finalizers.n == now->finalizers.n && same_pairs(old->labels, now->labels) &&
           same_pairs(old->annotations, now->annotations);
}

static void on_primary(void *userdata, const void *old, const void *now)
{
    struct runner *runner = userdata;
    const struct k8s_meta *meta = now ?: old;

    if (old && now && only_status_changed(old, now))
        return;
    /* What was there before us is routine; from then on somebody waits for what changes. */
    wake(runner, meta->namespace, meta->name,
         cache_synced(runner->primary->all) ? URGENT : ROUTINE);
}

/* ------------------------------------------------------------------ what it owns */

static bool is_our_kind(const struct kind *kind, const struct k8s_owner_reference *owner)
{
    size_t len = strlen(kind->group);

    return owner->controller == YES && str_eq(owner->kind, kind->kind) &&
           (len ? str_starts(owner->api_version, kind->group) && owner->api_version[len] == '/'
                : !strchr(owner->api_version ?: "", '/'));
}

static void wake_owner(struct runner *runner, const struct k8s_meta *meta)
{
    if (!meta)
        return;
    for_each (owner, meta->owner_references)
        if (is_our_kind(runner->controller->reconciles, owner))
            wake(runner, meta->namespace, owner->name, ROUTINE);
}

/* Both owners, should it have changed hands; the queue holds a key once anyway. */
static void on_owned(void *userdata, const void *old, const void *now)
{
    wake_owner(userdata, now);
    wake_owner(userdata, old);
}

static void on_written(void *userdata, const void *old, const void *now)
{
    const struct wire *wire = userdata;

    if (!now)
        applied_forget(wire->runner->manager, wire->kind, old);
}

/* ------------------------------------------------------------------ what it refers to */

void mapping_add(struct mapping *m, const char *namespace, const char *name)
{
    wake(m->runner, namespace, name, ROUTINE);
}

void mapping_add_by(struct mapping *m, const char *namespace, const char *path, const char *value)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(view) struct view *view = view_new();
    struct objects found = cache_find(m->runner->primary->all, view, a, path, value);

    for_each (object, found) {
        const struct k8s_meta *meta = *object;

        if (!namespace || str_eq(meta->namespace, namespace))
            wake(m->runner, meta->namespace, meta->name, ROUTINE);
    }
}

void mapping_add_all(struct mapping *m, const char *namespace)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(view) struct view *view = view_new();
    struct objects all = cache_list(m->runner->primary->all, view, a, namespace);

    for_each (object, all) {
        const struct k8s_meta *meta = *object;

        wake(m->runner, meta->namespace, meta->name, ROUTINE);
    }
}

static void on_watched(void *userdata, const void *old, const void *now)
{
    const struct wire *wire = userdata;
    const struct k8s_meta *meta = now ?: old;
    struct mapping mapping = { wire->runner };

    if (wire->row->map)
        wire->row->map(&mapping, wire->runner->manager->context, old, now);
    else
        mapping_add_by(&mapping, meta->namespace, wire->row->by, meta->name);
}

static struct wire *wire_new(struct runner *runner, const struct kind *kind,
                             const struct watch_row *row)
{
    struct wire *wire = arena_make(runner->manager->arena, struct wire);

    *wire = (struct wire){ runner, kind, row };
    return wire;
}

void runner_wire(struct runner *runner)
{
    const struct controller *c = runner->controller;
    struct manager *m = runner->manager;

    cache_on_change(runner->primary->all, on_primary, runner);
    for (const struct kind *const *kind = c->owns; kind && *kind; kind++) {
        struct cache *cache = informer_of(m, *kind)->all;

        cache_on_change(cache, on_owned, runner);
        cache_on_change(cache, on_written, wire_new(runner, *kind, NULL));
    }
    for (const struct watch_row *row = c->watches; row && row->kind; row++)
        cache_on_change(informer_of(m, row->kind)->all, on_watched,
                        wire_new(runner, row->kind, row));
    for (const struct kind *const *kind = c->follows; kind && *kind; kind++)
        follow_wire(runner, *kind);
}
