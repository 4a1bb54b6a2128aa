/* refresh.h - the inside of a snapshot, for snapshot.c, refresh.c and news.c.
 *
 * Two threads meet here: the loop thread refreshes, worker threads take views and wait. What they
 * share is under the lock; everything else belongs to the loop thread.
 */
#pragma once
#include <pthread.h>

#include "net/loop.h"
#include "slurm/call.h"
#include "slurm/pack.h"
#include "slurm/snapshot.h"

enum { PARTS = 2 };

struct part {
    enum slurm_part part;
    struct snapshot *snapshot;

    /* under snapshot->lock */
    bool kept;
    struct pack *pack; /* NULL: never loaded */
    usec as_of;        /* when the question was sent that it answers */
    usec wanted;       /* the latest moment that somebody waits for */
    usec written;      /* when a change of ours returned last */
    usec failed;       /* when the refresh began that failed last; 0: none since the last success */
    struct slurm_fault fault; /* of it */

    /* of the loop thread */
    bool running;
    usec began;          /* the refresh under way, or the last one */
    int64_t last_update; /* Slurm's time of the last list; 0: ask for all of it */
    usec whole;          /* when all of it was asked for last */
    usec plain_until;    /* conditions are of no use before this */
    unsigned failures;   /* in a row */
    unsigned retries;
    bool told_unknown;
    struct timer *timer;
    struct metric *time, *records, *bytes; /* found at the first refresh */
    struct exchange exchange;
    struct arena *arena, *scratch;
    struct pack *building;
};

struct subscriber {
    struct subscriber *next;
    uint64_t id;
    unsigned parts, differences;
    slurm_news_fn *fn;
    void *userdata;
};

struct snapshot {
    struct slurm *slurm;
    usec refresh, stale;
    pthread_mutex_t lock;
    pthread_cond_t refreshed;
    struct part parts[PARTS];
    /* of the loop thread */
    bool closing;
    struct subscriber *subscribers;
};

struct snapshot *snapshot_new(struct slurm *slurm, usec refresh, usec stale);
/* In two steps, because the requests under way end between them. */
void snapshot_close(struct snapshot *snapshot);
void snapshot_free(struct snapshot *snapshot);

struct part *snapshot_part(struct snapshot *snapshot, enum slurm_part part);
/* Has the loop thread look at what is wanted now. From any thread. */
void snapshot_kick(struct snapshot *snapshot);
/* On the loop thread: starts what is wanted and not under way. */
void snapshot_look(struct snapshot *snapshot);

/* News, on the loop thread: from the old pack to the one there is now; or that the part fell
 * silent. */
void news_of_refresh(struct part *part, const struct pack *old);
void news_of_silence(struct part *part);
void news_for(struct part *part, struct subscriber *newcomer);
