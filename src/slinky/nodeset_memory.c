/* nodeset_memory.c - what is remembered between the passes over a NodeSet, and who is woken by the
 * news of Slurm.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "slinky/nodeset_parts.h"

#define RETRY_FIRST USEC_SEC
#define RETRY_MOST (15 * 60 * USEC_SEC)
#define FORGIVEN_AFTER (30 * 60 * USEC_SEC)

struct nodesets {
    pthread_mutex_t lock; /* by_key, and .cluster of each */
    struct map by_key;    /* "namespace/name" -> struct nodeset_memory */
    struct slinky *slinky;
    uint64_t subscription;
};

struct nodeset_failure {
    char uid[40]; /* of the pod that ended last */
    unsigned count;
    usec retry_at, last; /* wall clock */
};

static void memory_free(void *value)
{
    struct nodeset_memory *memory = value;

    free(memory->cluster);
    map_done(&memory->failures, free);
    map_done(&memory->told, free);
    free(memory);
}

struct nodeset_memory *nodeset_remember(struct slinky *s, const char *namespace, const char *name,
                                        const char *controller)
{
    scoped(arena) struct arena *a = arena_new();
    const char *key = fmt(a, "%s/%s", namespace, name);
    const char *cluster = fmt(a, "%s/%s", namespace, controller ?: "");
    struct nodeset_memory *memory;
    scoped_lock(&s->nodesets->lock);

    memory = map_get(&s->nodesets->by_key, key);
    if (!memory) {
        memory = must_alloc(sizeof *memory);
        map_put(&s->nodesets->by_key, key, memory);
    }
    if (!str_eq(memory->cluster, cluster)) {
        free(memory->cluster);
        memory->cluster = must_str(cluster);
    }
    return memory;
}

void nodeset_forget(struct slinky *s, const char *namespace, const char *name)
{
    scoped(arena) struct arena *a = arena_new();
    struct nodeset_memory *memory;

    pthread_mutex_lock(&s->nodesets->lock);
    memory = map_remove(&s->nodesets->by_key, fmt(a, "%s/%s", namespace, name));
    pthread_mutex_unlock(&s->nodesets->lock);
    if (memory)
        memory_free(memory);
}

usec nodeset_failed(struct nodeset_memory *memory, const char *host, const char *uid, usec now)
{
    struct nodeset_failure *failure = map_get(&memory->failures, host);

    if (!failure) {
        failure = must_alloc(sizeof *failure);
        map_put(&memory->failures, host, failure);
    }
    if (str_eq(failure->uid, uid))
        return failure->retry_at;
    if (failure->last + FORGIVEN_AFTER < now)
        failure->count = 0;
    failure->retry_at =
        failure->count ? now + backoff(failure->count - 1, RETRY_FIRST, RETRY_MOST) : now;
    failure->count++;
    failure->last = now;
    snprintf(failure->uid, sizeof failure->uid, "%s", uid);
    return failure->retry_at;
}

void nodeset_told(struct nodeset_pass *p, struct strs hosts)
{
    usec now = clock_now();

    for_each (host, hosts) {
        usec *told = map_get(&p->memory->told, *host);

        if (!told) {
            told = must_alloc(sizeof *told);
            map_put(&p->memory->told, *host, told);
        }
        *told = now;
    }
}

/* On the loop thread: one snapshot wakes all NodeSets of its cluster. */
static void on_news(void *userdata, const struct slurm_news *news)
{
    struct nodesets *all = userdata;
    const char *key;
    void *value;
    scoped_lock(&all->lock);

    for (size_t at = 0; map_next(&all->by_key, &at, &key, &value);) {
        const struct nodeset_memory *memory = value;
        const char *slash = strchr(key, '/');
        char namespace[256];

        if (!str_eq(memory->cluster, news->cluster))
            continue;
        snprintf(namespace, sizeof namespace, "%.*s", (int)(slash - key), key);
        manager_wake(all->slinky->manager, &nodeset_controller, namespace, slash + 1, false);
    }
}

void nodeset_subscribe(struct slinky *s)
{
    struct nodesets *all = must_alloc(sizeof *all);

    pthread_mutex_init(&all->lock, NULL);
    all->slinky = s;
    s->nodesets = all;
    all->subscription =
        slurm_registry_subscribe(s->slurms, SLURM_NODES | SLURM_JOBS,
                                 SLURM_ADDED | SLURM_REMOVED | SLURM_STATE | SLURM_REASON |
                                     SLURM_TEXT | SLURM_PLACE | SLURM_TIMES,
                                 on_news, all);
}

void nodeset_unsubscribe(struct slinky *s)
{
    struct nodesets *all = s->nodesets;

    if (!all)
        return;
    slurm_registry_unsubscribe(s->slurms, all->subscription);
    map_done(&all->by_key, memory_free);
    pthread_mutex_destroy(&all->lock);
    free(all);
    s->nodesets = NULL;
}
