/* news.c - tells subscribers what changed, on the loop thread. */
#include <string.h>

#include "slurm/refresh.h"

static void collect(void *userdata, const struct slurm_change *change)
{
    buf_add(userdata, change, sizeof *change);
}

static struct buf wanted_by(const struct subscriber *subscriber, const struct buf *all)
{
    const struct slurm_change *changes = (const void *)all->bytes;
    struct buf wanted = { 0 };

    for (size_t i = 0; i < all->len / sizeof *changes; i++)
        if (changes[i].differences & subscriber->differences)
            collect(&wanted, &changes[i]);
    return wanted;
}

static void tell(struct part *part, const struct subscriber *subscriber, struct slurm_view *view,
                 enum answer known, const struct buf *all)
{
    scoped(buf) struct buf wanted = wanted_by(subscriber, all);
    struct slurm_news news = {
        .cluster = part->snapshot->slurm->cluster,
        .view = view,
        .part = part->part,
        .known = known,
        .changes = (const void *)wanted.bytes,
        .n = wanted.len / sizeof(struct slurm_change),
    };

    subscriber->fn(subscriber->userdata, &news);
}

/* A subscriber may unsubscribe, itself or others, while it is told. */
static void tell_all(struct part *part, enum answer known, const struct buf *all, bool only_changes)
{
    struct snapshot *s = part->snapshot;
    scoped(slurm_view) struct slurm_view *view = slurm_view(s->slurm);
    uint64_t told = 0;

    for (;;) {
        struct subscriber *next = NULL;

        for (struct subscriber *one = s->subscribers; one; one = one->next)
            if (one->id > told && (one->parts & part->part) && (!next || one->id < next->id))
                next = one;
        if (!next)
            return;
        told = next->id;
        if (only_changes) {
            scoped(buf) struct buf wanted = wanted_by(next, all);

            if (!wanted.len)
                continue;
        }
        tell(part, next, view, known, all);
    }
}

void news_of_refresh(struct part *part, const struct pack *old)
{
    scoped(buf) struct buf all = { 0 };

    if (!part->snapshot->subscribers)
        return;
    if (part->pack != old)
        pack_diff(part->part, old, part->pack, collect, &all);
    tell_all(part, ANSWER_YES, &all, !part->told_unknown && old);
}

void news_of_silence(struct part *part)
{
    struct buf none = { 0 };

    tell_all(part, ANSWER_UNKNOWN, &none, false);
}

void news_for(struct part *part, struct subscriber *newcomer)
{
    scoped(slurm_view) struct slurm_view *view = slurm_view(part->snapshot->slurm);
    scoped(buf) struct buf all = { 0 };

    if (!part->pack || part->told_unknown || !(newcomer->parts & part->part))
        return;
    pack_diff(part->part, NULL, part->pack, collect, &all);
    tell(part, newcomer, view, ANSWER_YES, &all);
}
