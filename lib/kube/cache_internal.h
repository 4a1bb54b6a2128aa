/* cache_internal.h - what cache.c, which writes, and cache_read.c, which reads, share. */
#pragma once
#include <pthread.h>

#include "base/map.h"
#include "k8s/meta.h"
#include "kube/cache.h"
#include "kube/store.h"
#include "kube/watch.h"

enum { HANDLERS_MAX = 48 };

/* What follows one namespace, all of them, or one object. */
struct feed {
    struct feed *next;
    struct cache *cache;
    struct watch *watch;
    char *namespace; /* NULL: all */
    char *name;      /* NULL: every object that the cache's selectors let through */
    unsigned users;  /* of a name */
    uint32_t mark;   /* what its current list began with */
    bool listing;    /* between the beginning of a list and its end */
    bool synced;
    uint64_t seen; /* all that happened up to this version has been told; 0: not known */
};

struct cache {
    struct arena *arena; /* of the options */
    struct cache_options options;
    struct client *client;
    struct {
        cache_handler *call;
        void *userdata;
    } handlers[HANDLERS_MAX];
    size_t handler_count;
    pthread_mutex_t lock; /* all below */
    pthread_cond_t synced;
    struct feed *feeds;
    struct store store;
    struct map removed; /* "namespace/name" -> uid that we deleted; until the watch says so too */
    uint32_t mark;      /* counts lists: what a later one mentions has a higher mark */
};

/* What a feed makes of the news of its watch. */
struct watch_sink cache_sink(struct feed *feed);

static inline const struct k8s_meta *cached_meta(const struct cache *cache, const struct object *o)
{
    return object_data(&cache->store, o);
}
