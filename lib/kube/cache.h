/* cache.h - the cluster as we last heard of it.
 *
 * One cache holds the objects of one kind (in all or some namespaces, perhaps only those that match a
 * selector), reduced to the fields of the kind's table, each packed into one block. Objects are
 * immutable and counted: a new version replaces the old one, and a reader keeps what it has pinned.
 *
 * Readers see their own writes: cache_put() takes in what the server answered to a write, and an
 * older event that arrives later does not undo it; cache_removed() does the same for deletions. So a
 * stale cache never makes anyone create or delete twice.
 *
 * Reading and writing are safe from any thread. Handlers run on the loop thread or on the thread of the
 * writer, outside the cache's lock.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/clock.h"
#include "json/kind.h"

struct cache;
struct client;

struct cache_options {
    const struct kind *kind;
    struct strs namespaces; /* none: all of them */
    const char *label_selector, *field_selector;
    bool metadata_only;
    bool optional; /* the kind may not be installed: then the cache is complete, and empty */
    bool by_name; /* nothing but what cache_follow() asks for */
    /* NULL-terminated field paths; "@owner" is the uid of the controlling owner. */
    const char *const *indexes;
};

/* What a reader holds on to: objects stay as they are until the view is closed. */
struct view;
struct view *view_new(void);
void view_free(struct view *view);
DEFINE_SCOPE(view, view_free)

struct cache *cache_new(const struct cache_options *options);
void cache_free(struct cache *cache);
/* Begins to follow the server. */
void cache_start(struct cache *cache, struct client *client);
void cache_stop(struct cache *cache);

/* For caches .by_name: follows one more object; counted, so that two may follow the same. */
void cache_follow(struct cache *cache, const char *namespace, const char *name);
/* Waits at most that long for the server's first word of it; until then absence means nothing. */
bool cache_follow_synced(struct cache *cache, const char *namespace, const char *name, usec wait);
void cache_unfollow(struct cache *cache, const char *namespace, const char *name);

/* NULL when the cache does not have it. Ask cache_synced() first: before that, absence means nothing. */
const void *cache_get(struct cache *cache, struct view *view, const char *namespace,
                      const char *name);
struct objects {
    const void **v;
    size_t n;
};
/* In one namespace (NULL: all), sorted by namespace and name; the array lives in the arena. */
struct objects cache_list(struct cache *cache, struct view *view, struct arena *a,
                          const char *namespace);
/* Those whose field at the indexed path has this value. */
struct objects cache_find(struct cache *cache, struct view *view, struct arena *a,
                          const char *index, const char *value);
/* Why the object could not be read, NULL when it is fine. It then has its metadata only. */
const char *cache_bad(struct cache *cache, const void *object);

/* After a write of ours: what the server answered. */
void cache_put(struct cache *cache, const void *object);
void cache_removed(struct cache *cache, const char *namespace, const char *name, const char *uid);

/* Called for every change: old is NULL for a new object, new is NULL for one that is gone. Both are
 * pinned during the call. Register before cache_start(). */
typedef void cache_handler(void *userdata, const void *old, const void *now);
void cache_on_change(struct cache *cache, cache_handler *handler, void *userdata);

bool cache_synced(struct cache *cache);
size_t cache_count(struct cache *cache);
size_t cache_bytes(struct cache *cache); /* of the packed objects */
usec cache_age(struct cache *cache);     /* since the server was last heard of this kind */
const struct kind *cache_kind(const struct cache *cache);
