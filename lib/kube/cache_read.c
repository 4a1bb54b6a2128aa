/* cache_read.c - what readers see: pinned objects, by name, by namespace, by value. */
#include <stdlib.h>

#include "base/str.h"
#include "kube/cache_internal.h"
#include "kube/watch.h"

/* ------------------------------------------------------------------ views */

struct view {
    struct pin {
        const struct store *store;
        struct object *object;
    } *pins;
    size_t count, room;
};

struct view *view_new(void)
{
    return must_alloc(sizeof(struct view));
}

void view_free(struct view *view)
{
    if (!view)
        return;
    for (size_t i = 0; i < view->count; i++)
        object_unref(view->pins[i].store, view->pins[i].object);
    free(view->pins);
    free(view);
}

static const void *pin(struct view *view, const struct store *store, struct object *o)
{
    if (view->count == view->room) {
        view->room = view->room ? view->room * 2 : 16;
        view->pins = must_realloc(view->pins, view->room * sizeof *view->pins);
    }
    object_ref(o);
    view->pins[view->count++] = (struct pin){ store, o };
    return object_data(store, o);
}

/* ------------------------------------------------------------------ reading */

const void *cache_get(struct cache *cache, struct view *view, const char *namespace,
                      const char *name)
{
    scoped_lock(&cache->lock);
    struct object *o = store_get(&cache->store, namespace, name);

    return o ? pin(view, &cache->store, o) : NULL;
}

static int by_name(const void *x, const void *y)
{
    const struct k8s_meta *a = *(const struct k8s_meta *const *)x;
    const struct k8s_meta *b = *(const struct k8s_meta *const *)y;

    return str_cmp(a->namespace, b->namespace) ?: str_cmp(a->name, b->name);
}

static struct objects sorted(struct objects all)
{
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_name);
    return all;
}

struct objects cache_list(struct cache *cache, struct view *view, struct arena *a,
                          const char *namespace)
{
    struct objects all = { 0 };
    struct object *o;

    pthread_mutex_lock(&cache->lock);
    all.v = arena_make_n(a, const void *, cache->store.count);
    for (size_t at = 0; (o = store_walk(&cache->store, &at));)
        if (!namespace || str_eq(cached_meta(cache, o)->namespace, namespace))
            all.v[all.n++] = pin(view, &cache->store, o);
    pthread_mutex_unlock(&cache->lock);
    return sorted(all);
}

struct objects cache_find(struct cache *cache, struct view *view, struct arena *a,
                          const char *index, const char *value)
{
    struct objects all = { 0 };
    size_t room = 0;
    int at = store_index(&cache->store, index);

    if (at < 0)
        abort(); /* a wiring mistake: the index was not asked for */
    pthread_mutex_lock(&cache->lock);
    for (struct object *o = store_first(&cache->store, at, value); o; o = store_next(o, at))
        room++;
    all.v = arena_make_n(a, const void *, room);
    for (struct object *o = store_first(&cache->store, at, value); o; o = store_next(o, at))
        all.v[all.n++] = pin(view, &cache->store, o);
    pthread_mutex_unlock(&cache->lock);
    return sorted(all);
}

const char *cache_bad(struct cache *cache, const void *object)
{
    return object_behind(&cache->store, object)->bad;
}

bool cache_synced(struct cache *cache)
{
    scoped_lock(&cache->lock);

    for (const struct feed *feed = cache->feeds; feed; feed = feed->next)
        if (!feed->synced && !feed->name)
            return false;
    return true;
}

size_t cache_count(struct cache *cache)
{
    scoped_lock(&cache->lock);

    return cache->store.count;
}

size_t cache_bytes(struct cache *cache)
{
    scoped_lock(&cache->lock);

    return cache->store.bytes;
}

usec cache_age(struct cache *cache)
{
    scoped_lock(&cache->lock);
    usec now = clock_now();
    usec oldest = 0;

    for (const struct feed *feed = cache->feeds; feed; feed = feed->next) {
        usec age = now - (feed->watch ? watch_last_heard(feed->watch) : 0);

        oldest = age > oldest ? age : oldest;
    }
    return oldest;
}

const struct kind *cache_kind(const struct cache *cache)
{
    return cache->options.kind;
}
