/* cache.c - a store that follows the server and our own writes, whichever is newer. */
#include "kube/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kube/cache_internal.h"
#include "kube/client.h"
#include "kube/watch.h"

/* ------------------------------------------------------------------ life */

static struct feed *add_feed(struct cache *cache, const char *namespace, const char *name)
{
    struct feed *feed = must_alloc(sizeof *feed);

    feed->cache = cache;
    feed->next = cache->feeds;
    feed->namespace = namespace ? must_str(namespace) : NULL;
    feed->name = name ? must_str(name) : NULL;
    feed->users = 1;
    cache->feeds = feed;
    return feed;
}

static void feed_free(struct feed *feed)
{
    watch_stop(feed->watch);
    free(feed->namespace);
    free(feed->name);
    free(feed);
}

struct cache *cache_new(const struct cache_options *options)
{
    struct cache *cache = must_alloc(sizeof *cache);
    pthread_condattr_t attr;

    cache->arena = arena_new();
    cache->options = *options;
    cache->options.label_selector = arena_str(cache->arena, options->label_selector);
    cache->options.field_selector = arena_str(cache->arena, options->field_selector);
    for (size_t i = 0; i < options->namespaces.n && !options->by_name; i++)
        add_feed(cache, options->namespaces.v[i], NULL);
    if (!options->namespaces.n && !options->by_name)
        add_feed(cache, NULL, NULL);
    pthread_mutex_init(&cache->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&cache->synced, &attr);
    pthread_condattr_destroy(&attr);
    store_init(&cache->store, options->kind, options->indexes);
    return cache;
}

void cache_stop(struct cache *cache)
{
    for (struct feed *feed = cache->feeds; feed; feed = feed->next)
        watch_stop(take(feed->watch));
}

void cache_free(struct cache *cache)
{
    if (!cache)
        return;
    while (cache->feeds) {
        struct feed *feed = cache->feeds;

        cache->feeds = feed->next;
        feed_free(feed);
    }
    store_done(&cache->store);
    map_done(&cache->removed, free);
    pthread_cond_destroy(&cache->synced);
    pthread_mutex_destroy(&cache->lock);
    arena_free(cache->arena);
    free(cache);
}

void cache_on_change(struct cache *cache, cache_handler *handler, void *userdata)
{
    if (cache->handler_count == HANDLERS_MAX)
        abort(); /* a wiring mistake, found by the first start */
    cache->handlers[cache->handler_count].call = handler;
    cache->handlers[cache->handler_count++].userdata = userdata;
}

/* Drops the two references it is given. */
static void announce(struct cache *cache, struct object *old, struct object *now)
{
    const void *before = old ? object_data(&cache->store, old) : NULL;
    const void *after = now ? object_data(&cache->store, now) : NULL;

    for (size_t i = 0; i < cache->handler_count; i++)
        cache->handlers[i].call(cache->handlers[i].userdata, before, after);
    object_unref(&cache->store, old);
    object_unref(&cache->store, now);
}

/* ------------------------------------------------------------------ taking in */

static char *key_of(struct arena *a, const struct k8s_meta *meta)
{
    return fmt(a, "%s/%s", meta->namespace ?: "", meta->name);
}

/* We deleted just this object and the server has not told us of it yet. */
static bool is_removed(struct cache *cache, const struct k8s_meta *meta)
{
    scoped(arena) struct arena *a = arena_new();

    return cache->removed.count && str_eq(map_get(&cache->removed, key_of(a, meta)), meta->uid);
}

static void forget_removed(struct cache *cache, const struct k8s_meta *meta)
{
    scoped(arena) struct arena *a = arena_new();

    if (is_removed(cache, meta))
        free(map_remove(&cache->removed, key_of(a, meta)));
}

/* Whether what we have is as new as o, or newer. */
static bool is_known(const struct cache *cache, const struct object *have, const struct object *o)
{
    if (!have || !have->version || !o->version)
        return false;
    return have->version >= o->version &&
           str_eq(cached_meta(cache, have)->uid, cached_meta(cache, o)->uid);
}

static bool is_fed_by(const struct feed *feed, const char *namespace, const char *name)
{
    return (!feed->namespace || str_eq(namespace ?: "", feed->namespace)) &&
           (!feed->name || str_eq(name, feed->name));
}

/* An answer to a write of ours that took longer than the news which came after it: the object may
 * have changed, or gone, or another may have its name by now. */
static bool is_overtaken(const struct cache *cache, const struct object *o)
{
    const struct k8s_meta *meta = cached_meta(cache, o);

    for (const struct feed *feed = cache->feeds; feed; feed = feed->next)
        if (is_fed_by(feed, meta->namespace, meta->name) && o->version && o->version <= feed->seen)
            return true;
    return false;
}

/* Objects of a list come in any order; news come in the order in which they happened. */
static void note_seen(struct feed *feed, uint64_t version)
{
    if (feed && !feed->listing && version > feed->seen)
        feed->seen = version;
}

/* from: who told us, so that a list which does not mention it any more means that it went; NULL for
 * what we wrote ourselves, which is only spared when it is newer than that list. */
static void put(struct cache *cache, const void *data, const char *bad, struct feed *from)
{
    struct object *now = object_new(&cache->store, data, bad);
    struct object *old;

    pthread_mutex_lock(&cache->lock);
    old = store_get(&cache->store, cached_meta(cache, now)->namespace, cached_meta(cache, now)->name);
    note_seen(from, now->version);
    if (is_known(cache, old, now) || is_removed(cache, cached_meta(cache, now)) ||
        (!from && is_overtaken(cache, now))) {
        if (old && from)
            old->mark = cache->mark;
        pthread_mutex_unlock(&cache->lock);
        object_unref(&cache->store, now);
        return;
    }
    now->mark = from ? cache->mark : old ? old->mark : 0;
    if (old)
        store_remove(&cache->store, old);
    store_add(&cache->store, now);
    object_ref(now);
    pthread_mutex_unlock(&cache->lock);
    announce(cache, old, now);
}

static void gone(struct feed *feed, const struct k8s_meta *meta)
{
    struct cache *cache = feed->cache;
    struct object *old;
    int64_t version;

    pthread_mutex_lock(&cache->lock);
    if (str_int(meta->resource_version, &version) && version > 0)
        note_seen(feed, (uint64_t)version);
    forget_removed(cache, meta);
    old = store_get(&cache->store, meta->namespace, meta->name);
    if (old && meta->uid && !str_eq(cached_meta(cache, old)->uid, meta->uid))
        old = NULL; /* another object of the same name, newer than this news */
    if (old)
        store_remove(&cache->store, old);
    pthread_mutex_unlock(&cache->lock);
    if (old)
        announce(cache, old, NULL);
}

void cache_put(struct cache *cache, const void *object)
{
    const struct k8s_meta *meta = object;

    /* Deleting the last finalizer of an object answers with the object as it was at its end. */
    if (meta->deletion_timestamp && !meta->finalizers.n &&
        !int_or(meta->deletion_grace_period_seconds, 0))
        cache_removed(cache, meta->namespace, meta->name, meta->uid);
    else
        put(cache, object, NULL, NULL);
}

void cache_removed(struct cache *cache, const char *namespace, const char *name, const char *uid)
{
    struct k8s_meta meta = { .namespace = namespace, .name = name, .uid = uid };
    scoped(arena) struct arena *a = arena_new();
    struct object *have;

    pthread_mutex_lock(&cache->lock);
    have = store_get(&cache->store, namespace, name);
    if (have && str_eq(cached_meta(cache, have)->uid, uid))
        free(map_put(&cache->removed, key_of(a, &meta), must_str(uid)));
    else
        have = NULL;
    if (have)
        store_remove(&cache->store, have);
    pthread_mutex_unlock(&cache->lock);
    if (have)
        announce(cache, have, NULL);
}

/* ------------------------------------------------------------------ following */

static void on_begin(void *userdata)
{
    struct feed *feed = userdata;
    scoped_lock(&feed->cache->lock);

    feed->mark = ++feed->cache->mark;
    feed->listing = true;
}

static void on_object(void *userdata, enum watch_event event, const void *object, const char *bad)
{
    struct feed *feed = userdata;

    if (event == WATCH_GONE)
        gone(feed, object);
    else
        put(feed->cache, object, bad, feed);
}

static bool is_missing(const struct feed *feed, const struct object *o, uint64_t list_version)
{
    const struct k8s_meta *meta = cached_meta(feed->cache, o);

    return o->mark < feed->mark && o->version <= list_version &&
           is_fed_by(feed, meta->namespace, meta->name);
}

/* What we deleted is not in the list any more, or will be told as deleted after it. */
static void forget_all_removed(struct feed *feed)
{
    scoped(arena) struct arena *a = arena_new();
    struct map *removed = &feed->cache->removed;
    const char *key;

    for (size_t at = 0; map_next(removed, &at, &key, NULL);) {
        const char *slash = strchr(key, '/');

        if (is_fed_by(feed, arena_strn(a, key, (size_t)(slash - key)), slash + 1))
            free(map_remove(removed, key));
    }
}

/* The complete list did not mention these: they went while nobody was looking. */
static void on_end(void *userdata, const char *resource_version)
{
    struct feed *feed = userdata;
    struct cache *cache = feed->cache;
    struct object **missing;
    struct object *o;
    size_t n = 0;
    int64_t version = INT64_MAX;

    str_int(resource_version, &version);
    pthread_mutex_lock(&cache->lock);
    missing = must_alloc(cache->store.count * sizeof(struct object *));
    for (size_t at = 0; (o = store_walk(&cache->store, &at));)
        if (is_missing(feed, o, (uint64_t)version))
            missing[n++] = o;
    for (size_t i = 0; i < n; i++)
        store_remove(&cache->store, missing[i]);
    forget_all_removed(feed);
    feed->listing = false;
    feed->seen = version == INT64_MAX ? 0 : (uint64_t)version; /* smaller after a restored backup */
    feed->synced = true;
    pthread_cond_broadcast(&cache->synced);
    pthread_mutex_unlock(&cache->lock);
    for (size_t i = 0; i < n; i++)
        announce(cache, missing[i], NULL);
    free(missing);
}

struct watch_sink cache_sink(struct feed *feed)
{
    return (struct watch_sink){ on_begin, on_end, on_object, feed };
}

static void feed_start(struct feed *feed)
{
    const struct cache_options *options = &feed->cache->options;
    scoped(arena) struct arena *a = arena_new();
    struct watch_options watch = {
        .kind = options->kind,
        .namespace = feed->namespace,
        .label_selector = options->label_selector,
        .field_selector = feed->name ? fmt(a, "metadata.name=%s", feed->name)
                                     : options->field_selector,
        .metadata_only = options->metadata_only,
        .optional = options->optional,
    };
    struct watch_sink sink = cache_sink(feed);
    struct watch *started = watch_start(feed->cache->client, &watch, &sink);

    scoped_lock(&feed->cache->lock);
    feed->watch = started;
}

void cache_start(struct cache *cache, struct client *client)
{
    cache->client = client;
    for (struct feed *feed = cache->feeds; feed; feed = feed->next)
        feed_start(feed);
}

/* The lock is held. */
static struct feed **feed_of(struct cache *cache, const char *namespace, const char *name)
{
    struct feed **slot = &cache->feeds;

    while (*slot && !(str_eq((*slot)->name, name) && str_eq((*slot)->namespace, namespace)))
        slot = &(*slot)->next;
    return slot;
}

void cache_follow(struct cache *cache, const char *namespace, const char *name)
{
    struct feed *fresh = NULL;
    struct feed *feed;

    pthread_mutex_lock(&cache->lock);
    feed = *feed_of(cache, namespace, name);
    if (feed)
        feed->users++;
    else
        fresh = add_feed(cache, namespace, name);
    pthread_mutex_unlock(&cache->lock);
    if (fresh)
        feed_start(fresh); /* without the lock: it waits for the loop, which may want it */
}

bool cache_follow_synced(struct cache *cache, const char *namespace, const char *name, usec wait)
{
    usec until = clock_now() + wait;
    struct timespec deadline = { .tv_sec = until / USEC_SEC, .tv_nsec = until % USEC_SEC * 1000 };
    scoped_lock(&cache->lock);
    struct feed *feed = *feed_of(cache, namespace, name);

    while (feed && !feed->synced && clock_now() < until) {
        pthread_cond_timedwait(&cache->synced, &cache->lock, &deadline);
        feed = *feed_of(cache, namespace, name);
    }
    return feed && feed->synced;
}

void cache_unfollow(struct cache *cache, const char *namespace, const char *name)
{
    struct feed **slot;
    struct feed *last = NULL;
    struct object *o = NULL;

    pthread_mutex_lock(&cache->lock);
    slot = feed_of(cache, namespace, name);
    if (*slot && --(*slot)->users == 0) {
        last = *slot;
        *slot = last->next;
    }
    pthread_mutex_unlock(&cache->lock);
    if (!last)
        return;
    feed_free(last);
    pthread_mutex_lock(&cache->lock);
    if (!*feed_of(cache, namespace, name)) /* somebody may have begun to follow it anew */
        o = store_get(&cache->store, namespace, name);
    if (o)
        store_remove(&cache->store, o);
    pthread_mutex_unlock(&cache->lock);
    object_unref(&cache->store, o);
}
