/* queue.c - lanes of keys, served in turn. */
#include "kube/queue.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/metrics.h"
#include "kube/due.h"
#include "kube/queue_metrics.h"

enum { BACKOFF_FIRST = 5 * USEC_MSEC, URGENT_IN_A_ROW = 4 };
#define BACKOFF_MOST (300 * USEC_SEC)

/* One key of one lane; kept while any of its flags or its back-off is worth remembering. */
struct item {
    struct due due;    /* when it is to be added; first, so that one is found by the other */
    struct item *next; /* in the lane's waiting list */
    struct lane *lane;
    usec since; /* when it began to wait */
    unsigned retries;
    bool waiting; /* in a list */
    bool held;    /* with a worker */
    bool again;   /* added while held */
    enum priority priority;
    usec taken;
    char key[];
};

struct list {
    struct item *first;
    struct item **end;
};

struct lane {
    struct queue *queue;
    struct lane *next;
    char *name;
    unsigned workers;
    unsigned held;
    struct map items;
    struct list waiting[2]; /* by priority */
    size_t count;
    unsigned urgent; /* handed out in a row */
    struct lane_metrics metrics;
};

struct queue {
    pthread_mutex_t lock; /* everything below, and every lane */
    pthread_cond_t wake; /* there is work, or nobody minds the clock */
    pthread_cond_t tick; /* for the one worker that minds the clock while all wait */
    unsigned asleep;     /* on wake */
    bool minded;         /* somebody waits on tick */
    struct lane *lanes;
    struct lane *turn; /* the lane to look at first */
    struct dues dues;
    bool stopped;
};

struct queue *queue_new(void)
{
    struct queue *q = must_alloc(sizeof *q);
    pthread_condattr_t attr;

    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&q->wake, &attr);
    pthread_cond_init(&q->tick, &attr);
    pthread_condattr_destroy(&attr);
    return q;
}

static void lane_free(struct lane *lane)
{
    map_done(&lane->items, free);
    free(lane->name);
    free(lane);
}

void queue_free(struct queue *q)
{
    if (!q)
        return;
    while (q->lanes) {
        struct lane *lane = q->lanes;

        q->lanes = lane->next;
        lane_free(lane);
    }
    dues_done(&q->dues);
    pthread_cond_destroy(&q->tick);
    pthread_cond_destroy(&q->wake);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

struct lane *queue_lane(struct queue *q, const char *name, unsigned workers)
{
    struct lane *lane = must_alloc(sizeof *lane);

    *lane = (struct lane){ .queue = q, .name = must_str(name), .workers = workers ?: 1 };
    for (int i = 0; i < 2; i++)
        lane->waiting[i].end = &lane->waiting[i].first;
    lane->metrics = lane_metrics_of(name);

    scoped_lock(&q->lock);
    lane->next = q->lanes;
    q->lanes = lane;
    return lane;
}

const char *lane_name(const struct lane *lane)
{
    return lane->name;
}

static struct item *item_of(struct lane *lane, const char *key)
{
    struct item *item = map_get(&lane->items, key);
    size_t size = strlen(key) + 1;

    if (item)
        return item;
    item = must_alloc(sizeof *item + size);
    item->lane = lane;
    memcpy(item->key, key, size);
    map_put(&lane->items, key, item);
    return item;
}

static void drop_if_spent(struct item *item)
{
    if (item->waiting || item->held || item->due.slot || item->retries)
        return;
    map_remove(&item->lane->items, item->key);
    free(item);
}

static void append(struct lane *lane, struct item *item)
{
    struct list *list = &lane->waiting[item->priority];

    item->next = NULL;
    *list->end = item;
    list->end = &item->next;
    lane->count++;
    metric_set(lane->metrics.depth, (double)lane->count);
}

static struct item *unlink_first(struct lane *lane, struct list *list)
{
    struct item *item = list->first;

    list->first = item->next;
    if (!list->first)
        list->end = &list->first;
    lane->count--;
    metric_set(lane->metrics.depth, (double)lane->count);
    return item;
}

static void unlink_item(struct lane *lane, struct item *item)
{
    struct list *list = &lane->waiting[item->priority];
    struct item **slot = &list->first;

    while (*slot != item)
        slot = &(*slot)->next;
    *slot = item->next;
    if (!*slot)
        list->end = slot;
    lane->count--;
}

/* One worker more, should one be asleep; the lock is held. */
static void wake_one(struct queue *q)
{
    pthread_cond_signal(q->asleep ? &q->wake : &q->tick);
}

/* The lock is held. */
static void add(struct item *item, enum priority priority)
{
    struct lane *lane = item->lane;

    dues_drop(&lane->queue->dues, &item->due);
    if (item->waiting && priority <= item->priority)
        return;
    if (item->held) {
        item->again = true;
        if (priority > item->priority)
            item->priority = priority;
        return;
    }
    if (item->waiting)
        unlink_item(lane, item);
    else
        item->since = clock_now();
    item->priority = priority;
    item->waiting = true;
    append(lane, item);
    metric_add(lane->metrics.adds, 1);
    wake_one(lane->queue);
}

void queue_add(struct lane *lane, const char *key, enum priority priority)
{
    scoped_lock(&lane->queue->lock);

    add(item_of(lane, key), priority);
}

/* The lock is held. */
static void add_at(struct item *item, usec due)
{
    struct queue *q = item->lane->queue;

    if (item->waiting || (item->due.slot && item->due.at <= due))
        return;
    dues_set(&q->dues, &item->due, due);
    if (dues_first(&q->dues) == &item->due)
        pthread_cond_signal(q->minded ? &q->tick : &q->wake);
}

void queue_add_after(struct lane *lane, const char *key, usec delay)
{
    scoped_lock(&lane->queue->lock);
    struct item *item = item_of(lane, key);

    if (delay <= 0)
        add(item, ROUTINE);
    else
        add_at(item, clock_now() + delay);
}

void queue_retry(struct lane *lane, const char *key)
{
    scoped_lock(&lane->queue->lock);
    struct item *item = item_of(lane, key);

    add_at(item, clock_now() + backoff(item->retries++, BACKOFF_FIRST, BACKOFF_MOST));
    metric_add(lane->metrics.retried, 1);
}

void queue_forget(struct lane *lane, const char *key)
{
    scoped_lock(&lane->queue->lock);
    struct item *item = map_get(&lane->items, key);

    if (!item)
        return;
    item->retries = 0;
    drop_if_spent(item);
}

unsigned queue_retries(struct lane *lane, const char *key)
{
    scoped_lock(&lane->queue->lock);
    struct item *item = map_get(&lane->items, key);

    return item ? item->retries : 0;
}

/* Moves every item whose time has come into its lane; the lock is held. */
static void collect_due(struct queue *q)
{
    struct due *due;

    while ((due = dues_first(&q->dues)) && due->at <= clock_now())
        add((struct item *)due, ROUTINE);
}

static struct item *take_first(struct lane *lane)
{
    struct list *urgent = &lane->waiting[URGENT];
    struct list *routine = &lane->waiting[ROUTINE];

    if (lane->held >= lane->workers || (!urgent->first && !routine->first))
        return NULL;
    if (!urgent->first || (routine->first && lane->urgent >= URGENT_IN_A_ROW)) {
        lane->urgent = 0;
        return unlink_first(lane, routine);
    }
    lane->urgent++;
    return unlink_first(lane, urgent);
}

/* The next key in turn, beginning after the lane that was served last; the lock is held. */
static struct item *take_next(struct queue *q)
{
    struct lane *start = q->turn ?: q->lanes;
    struct lane *lane = start;

    if (!start)
        return NULL;
    do {
        struct item *item = take_first(lane);

        lane = lane->next ?: q->lanes;
        if (item) {
            q->turn = lane;
            return item;
        }
    } while (lane != start);
    return NULL;
}

/* One worker minds the clock and the others sleep without, so that a time that comes wakes one. */
static void wait_for_work(struct queue *q)
{
    struct due *due = dues_first(&q->dues);

    if (due && !q->minded) {
        struct timespec until = { .tv_sec = due->at / USEC_SEC,
                                  .tv_nsec = due->at % USEC_SEC * 1000 };

        q->minded = true;
        pthread_cond_timedwait(&q->tick, &q->lock, &until);
        q->minded = false;
        return;
    }
    q->asleep++;
    pthread_cond_wait(&q->wake, &q->lock);
    q->asleep--;
}

static void hand_out(struct item *item)
{
    struct lane *lane = item->lane;

    item->waiting = false;
    item->held = true;
    item->priority = ROUTINE;
    item->taken = clock_now();
    lane->held++;
    metric_observe(lane->metrics.waited, (double)(item->taken - item->since) / 1e6);
}

bool queue_get(struct queue *q, struct lane **ret_lane, const char **ret_key)
{
    scoped_lock(&q->lock);

    while (!q->stopped) {
        struct item *item;

        collect_due(q);
        item = take_next(q);
        if (item) {
            hand_out(item);
            if (!q->minded && dues_first(&q->dues))
                pthread_cond_signal(&q->wake); /* whoever it wakes minds the clock */
            *ret_lane = item->lane;
            *ret_key = item->key;
            return true;
        }
        wait_for_work(q);
    }
    return false;
}

void queue_done(struct lane *lane, const char *key)
{
    scoped_lock(&lane->queue->lock);
    struct item *item = map_get(&lane->items, key);

    if (!item || !item->held)
        return;
    item->held = false;
    lane->held--;
    metric_observe(lane->metrics.worked, (double)(clock_now() - item->taken) / 1e6);
    if (item->again) {
        item->again = false;
        add(item, item->priority);
    } else {
        drop_if_spent(item);
    }
    wake_one(lane->queue); /* the lane may have been at its bound */
}

void queue_stop(struct queue *q)
{
    scoped_lock(&q->lock);

    q->stopped = true;
    pthread_cond_broadcast(&q->wake);
    pthread_cond_broadcast(&q->tick);
}

size_t queue_len(struct lane *lane)
{
    scoped_lock(&lane->queue->lock);

    return lane->count;
}

static void measure_lane(struct lane *lane, usec now)
{
    usec longest = 0;
    usec sum = 0;
    void *value;

    for (size_t at = 0; lane->held && map_next(&lane->items, &at, NULL, &value);) {
        const struct item *item = value;
        usec age = item->held ? now - item->taken : 0;

        sum += age;
        longest = age > longest ? age : longest;
    }
    metric_set(lane->metrics.unfinished, (double)sum / 1e6);
    metric_set(lane->metrics.longest, (double)longest / 1e6);
}

void queue_measure(struct queue *q)
{
    scoped_lock(&q->lock);

    for (struct lane *lane = q->lanes; lane; lane = lane->next)
        measure_lane(lane, clock_now());
}

bool queue_idle(struct queue *q)
{
    scoped_lock(&q->lock);

    for (struct lane *lane = q->lanes; lane; lane = lane->next)
        if (lane->count || lane->held)
            return false;
    return true;
}
