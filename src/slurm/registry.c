/* registry.c - clients by key, replaced under the feet of their users without harm. */
#include "slurm/registry.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "net/loop.h"

/* What a key stands for. The options are kept to tell whether new ones are the same. */
struct entry {
    struct slurm *slurm;
    struct slurm_options options; /* its strings live in the arena */
    struct arena *arena;
    struct map subscriptions; /* from a listener's id to its number with this client */
};

struct listener {
    struct listener *next;
    uint64_t id;
    char key[24]; /* the id as text */
    unsigned parts, differences;
    slurm_news_fn *fn;
    void *userdata;
};

/* Two locks, because changing something waits for the loop thread, and the loop thread may want to
 * look something up meanwhile. */
struct slurm_registry {
    struct loop *loop;
    pthread_mutex_t changing;   /* held by who adds or removes anything, all the while */
    struct listener *listeners; /* under changing */
    uint64_t last_id;           /* under changing */
    pthread_mutex_t lock;
    struct map entries; /* read under lock, changed under both */
};

struct slurm_registry *slurm_registry_new(struct loop *loop)
{
    struct slurm_registry *registry = must_alloc(sizeof *registry);

    registry->loop = loop;
    pthread_mutex_init(&registry->changing, NULL);
    pthread_mutex_init(&registry->lock, NULL);
    return registry;
}

static struct entry *entry_new(const struct slurm_options *o, const char *key)
{
    struct arena *a = arena_new();
    struct entry *entry = must_alloc(sizeof *entry);
    struct slurm_options *own = &entry->options;

    entry->arena = a;
    *own = *o;
    own->cluster = arena_str(a, o->cluster ?: key);
    own->url = arena_str(a, o->url);
    own->user_name = arena_str(a, o->user_name);
    own->tls.ca_file = arena_str(a, o->tls.ca_file);
    own->tls.ca_pem = arena_str(a, o->tls.ca_pem);
    own->tls.cert_file = arena_str(a, o->tls.cert_file);
    own->tls.cert_pem = arena_str(a, o->tls.cert_pem);
    own->tls.key_file = arena_str(a, o->tls.key_file);
    own->tls.key_pem = arena_str(a, o->tls.key_pem);
    own->tls.server_name = arena_str(a, o->tls.server_name);
    own->token.key = o->token.key ? arena_copy(a, o->token.key, o->token.key_len) : NULL;
    own->token.text = arena_str(a, o->token.text);
    own->token.file = arena_str(a, o->token.file);
    own->token.user = arena_str(a, o->token.user);
    own->token.issuer = arena_str(a, o->token.issuer);
    return entry;
}

static void listen_to(struct entry *entry, const struct listener *l)
{
    uint64_t id = slurm_subscribe(entry->slurm, l->parts, l->differences, l->fn, l->userdata);

    map_put(&entry->subscriptions, l->key, (void *)(uintptr_t)id);
}

static void stop_listening(struct entry *entry, const char *key)
{
    void *id = map_remove(&entry->subscriptions, key);

    if (id)
        slurm_unsubscribe(entry->slurm, (uintptr_t)id);
}

static void stop_all_listening(struct entry *entry)
{
    const char *key;

    for (size_t at = 0; map_next(&entry->subscriptions, &at, &key, NULL);)
        stop_listening(entry, key);
}

static void entry_free(struct entry *entry)
{
    if (!entry)
        return;
    stop_all_listening(entry);
    map_done(&entry->subscriptions, NULL);
    slurm_unref(entry->slurm);
    arena_free(entry->arena);
    free(entry);
}
DEFINE_SCOPE(entry, entry_free)

static bool same_tls(const struct http_tls *x, const struct http_tls *y)
{
    return str_eq(x->ca_file, y->ca_file) && str_eq(x->ca_pem, y->ca_pem) &&
           str_eq(x->cert_file, y->cert_file) && str_eq(x->cert_pem, y->cert_pem) &&
           str_eq(x->key_file, y->key_file) && str_eq(x->key_pem, y->key_pem) &&
           str_eq(x->server_name, y->server_name) && x->insecure == y->insecure;
}

static bool same_but_for_the_token(const struct slurm_options *x, const struct slurm_options *y)
{
    return str_eq(x->cluster, y->cluster) && str_eq(x->url, y->url) && same_tls(&x->tls, &y->tls) &&
           str_eq(x->user_name, y->user_name) && x->newest_api == y->newest_api &&
           x->timeout == y->timeout && x->body_limit == y->body_limit &&
           x->item_limit == y->item_limit && x->keep == y->keep && x->refresh == y->refresh &&
           x->stale == y->stale;
}

static struct entry *entry_of(struct slurm_registry *registry, const char *key)
{
    scoped_lock(&registry->lock);

    return map_get(&registry->entries, key);
}

struct slurm *slurm_registry_get(struct slurm_registry *registry, const char *key)
{
    scoped_lock(&registry->lock);
    struct entry *entry = map_get(&registry->entries, key);

    return entry ? slurm_ref(entry->slurm) : NULL;
}

/* The entry that stood there before, now nobody's but the caller's. */
static struct entry *swap(struct slurm_registry *registry, const char *key, struct entry *entry)
{
    scoped_lock(&registry->lock);

    return entry ? map_put(&registry->entries, key, entry) : map_remove(&registry->entries, key);
}

/* The same client with a new token: what it was told last is remembered with it. */
static int change_token(struct slurm_registry *registry, const char *key, struct entry *old,
                        struct entry *fresh, struct error *err)
{
    int rc = slurm_set_token(old->slurm, &fresh->options.token, err);

    if (rc < 0)
        return rc;
    pthread_mutex_lock(&registry->lock);
    fresh->slurm = take(old->slurm);
    fresh->subscriptions = take(old->subscriptions);
    map_put(&registry->entries, key, fresh);
    pthread_mutex_unlock(&registry->lock);
    entry_free(old);
    return 0;
}

int slurm_registry_put(struct slurm_registry *registry, const char *key,
                       const struct slurm_options *options, struct error *err)
{
    scoped_lock(&registry->changing);
    scoped(entry) struct entry *fresh = entry_new(options, key);
    struct entry *old = entry_of(registry, key);
    int rc;

    if (old && same_but_for_the_token(&old->options, &fresh->options)) {
        if (slurm_token_same(&old->options.token, &fresh->options.token))
            return 0;
        if ((rc = change_token(registry, key, old, fresh, err)) == 0)
            take(fresh);
        return rc;
    }
    if ((rc = slurm_new(registry->loop, &fresh->options, &fresh->slurm, err)) < 0)
        return rc;
    for (const struct listener *l = registry->listeners; l; l = l->next)
        listen_to(fresh, l);
    entry_free(swap(registry, key, take(fresh)));
    return 0;
}

struct farewell {
    struct slurm_registry *registry;
    struct entry *entry;
};

/* On the loop thread, like all news. */
static void say_farewell(void *userdata)
{
    struct farewell *f = userdata;
    scoped(slurm_view) struct slurm_view *view = slurm_view(f->entry->slurm);
    static const enum slurm_part parts[] = { SLURM_NODES, SLURM_JOBS };

    for (const struct listener *l = f->registry->listeners; l; l = l->next)
        for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
            struct slurm_news news = { .cluster = f->entry->options.cluster,
                                       .view = view,
                                       .part = parts[i],
                                       .known = ANSWER_UNKNOWN };

            if (l->parts & parts[i])
                l->fn(l->userdata, &news);
        }
}

void slurm_registry_remove(struct slurm_registry *registry, const char *key)
{
    scoped_lock(&registry->changing);
    scoped(entry) struct entry *gone = swap(registry, key, NULL);
    struct farewell f = { registry, gone };

    if (!gone)
        return;
    stop_all_listening(gone);
    loop_call(registry->loop, say_farewell, &f);
}

uint64_t slurm_registry_subscribe(struct slurm_registry *registry, unsigned parts,
                                  unsigned differences, slurm_news_fn *fn, void *userdata)
{
    scoped_lock(&registry->changing);
    struct listener *l = must_alloc(sizeof *l);
    void *entry;

    *l = (struct listener) { .next = registry->listeners,
                             .id = ++registry->last_id,
                             .parts = parts,
                             .differences = differences,
                             .fn = fn,
                             .userdata = userdata };
    snprintf(l->key, sizeof l->key, "%llu", (unsigned long long)l->id);
    registry->listeners = l;
    for (size_t at = 0; map_next(&registry->entries, &at, NULL, &entry);)
        listen_to(entry, l);
    return l->id;
}

void slurm_registry_unsubscribe(struct slurm_registry *registry, uint64_t id)
{
    scoped_lock(&registry->changing);
    struct listener **slot = &registry->listeners;
    struct listener *gone;
    void *entry;

    while (*slot && (*slot)->id != id)
        slot = &(*slot)->next;
    gone = *slot;
    if (!gone)
        return;
    *slot = gone->next;
    for (size_t at = 0; map_next(&registry->entries, &at, NULL, &entry);)
        stop_listening(entry, gone->key);
    free(gone);
}

static void free_entry(void *entry)
{
    entry_free(entry);
}

void slurm_registry_free(struct slurm_registry *registry)
{
    if (!registry)
        return;
    map_done(&registry->entries, free_entry);
    for (struct listener *next; registry->listeners; registry->listeners = next) {
        next = registry->listeners->next;
        free(registry->listeners);
    }
    pthread_mutex_destroy(&registry->lock);
    pthread_mutex_destroy(&registry->changing);
    free(registry);
}
