/* subscribe.c - who wants to hear of changes; the list belongs to the loop thread. */
#include <stdatomic.h>

#include "slurm/refresh.h"

struct subscribing {
    struct snapshot *snapshot;
    struct subscriber *subscriber;
};

static void add_on_loop(void *userdata)
{
    struct subscribing *s = userdata;

    s->subscriber->next = s->snapshot->subscribers;
    s->snapshot->subscribers = s->subscriber;
    for (int i = 0; i < PARTS; i++)
        news_for(&s->snapshot->parts[i], s->subscriber);
}

uint64_t slurm_subscribe(struct slurm *slurm, unsigned parts, unsigned differences,
                         slurm_news_fn *fn, void *userdata)
{
    static atomic_ullong last_id;
    struct subscriber *subscriber = must_alloc(sizeof *subscriber);
    struct subscribing s = { slurm->snapshot, subscriber };
    uint64_t id = atomic_fetch_add(&last_id, 1) + 1;

    *subscriber = (struct subscriber) {
        .id = id, .parts = parts, .differences = differences, .fn = fn, .userdata = userdata
    };
    loop_call(slurm->loop, add_on_loop, &s);
    slurm_keep(slurm, parts);
    return id;
}

struct unsubscribing {
    struct snapshot *snapshot;
    uint64_t id;
};

static void remove_on_loop(void *userdata)
{
    struct unsubscribing *u = userdata;

    for (struct subscriber **slot = &u->snapshot->subscribers; *slot; slot = &(*slot)->next) {
        struct subscriber *gone = *slot;

        if (gone->id != u->id)
            continue;
        *slot = gone->next;
        free(gone);
        return;
    }
}

void slurm_unsubscribe(struct slurm *slurm, uint64_t id)
{
    struct unsubscribing u = { slurm->snapshot, id };

    loop_call(slurm->loop, remove_on_loop, &u);
}
