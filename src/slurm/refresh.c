/* refresh.c - keeps a snapshot fresh, on the loop thread. */
#include "slurm/refresh.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/metrics.h"
#include "slurm/record.h"
#include "slurm/timespan.h"

#define LIST_TIMEOUT (120 * USEC_SEC)    /* a long list may take longer than a call */
#define WHOLE_EVERY (10 * 60 * USEC_SEC) /* bounds what a clock set back on Slurm's side hides */
#define AFTER_WRITE (200 * USEC_MSEC)    /* changes come in bursts */
#define RETRY_MIN USEC_SEC
enum { RETRIES_NOW_MAX = 8 };

static struct metric_family snapshot_time = {
    .name = "windlass_slurm_snapshot_timestamp_seconds",
    .help = "When the snapshot was last known to be true, by part.",
    .type = METRIC_GAUGE,
    .labels = { "cluster", "part" },
};
static struct metric_family snapshot_records = {
    .name = "windlass_slurm_snapshot_records",
    .help = "Nodes or jobs in the snapshot.",
    .type = METRIC_GAUGE,
    .labels = { "cluster", "part" },
};
static struct metric_family snapshot_size = {
    .name = "windlass_slurm_snapshot_bytes",
    .help = "Memory that the snapshot takes.",
    .type = METRIC_GAUGE,
    .labels = { "cluster", "part" },
};

static const char *part_name(const struct part *part)
{
    return part->part == SLURM_NODES ? "nodes" : "jobs";
}

static void begin(struct part *part);

static int take_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct part *part = userdata;
    union {
        struct slurm_node node;
        struct slurm_job job;
    } record;
    int rc;

    if (!part->building)
        part->building = pack_new(part->part, pack_count(part->pack));
    if (part->part == SLURM_NODES)
        rc = node_decode(part->scratch, item, len, &record.node, err)
                 ?: pack_add_node(part->building, &record.node, err);
    else
        rc = job_decode(part->scratch, item, len, &record.job, err)
                 ?: pack_add_job(part->building, &record.job, err);
    arena_reset(part->scratch);
    return rc;
}

static void end_building(struct part *part)
{
    pack_unref(take(part->building));
    arena_free(take(part->scratch));
    arena_free(take(part->arena));
    part->running = false;
}

static void schedule(struct part *part)
{
    struct snapshot *s = part->snapshot;
    usec wait = part->failures ? backoff(part->failures - 1, RETRY_MIN, s->refresh)
                               : backoff(0, s->refresh, s->refresh);
    bool wanted, written;

    pthread_mutex_lock(&s->lock);
    wanted = part->wanted > part->began;
    written = part->written >= part->began;
    pthread_mutex_unlock(&s->lock);
    if (wanted && !part->failures)
        begin(part);
    else
        timer_set(part->timer, written && !part->failures ? AFTER_WRITE : wait);
}

/* An unchanged queue is a 200 with an empty list, told from an empty queue by the time it carries.
 */
static bool is_unchanged(const struct part *part, const struct reply *reply)
{
    if (!part->last_update || !part->pack)
        return false;
    return reply->status == 304 ||
           (part->exchange.items == 0 && wire_int(&reply->head.last_update, 0, 0) == 0);
}

static void wake(struct part *part)
{
    scoped_lock(&part->snapshot->lock);

    pthread_cond_broadcast(&part->snapshot->refreshed);
}

static void count(struct part *part)
{
    const char *cluster = part->snapshot->slurm->cluster;
    const char *name = part_name(part);

    if (!part->time) {
        part->time = metric(&snapshot_time, cluster, name);
        part->records = metric(&snapshot_records, cluster, name);
        part->bytes = metric(&snapshot_size, cluster, name);
    }
    metric_set(part->time, (double)clock_wall() / USEC_SEC);
    metric_set(part->records, (double)pack_count(part->pack));
    metric_set(part->bytes, (double)pack_bytes(part->pack));
}

/* The old pack goes once its last view does; those who wait go on after the news are told. */
static void succeed(struct part *part, struct pack *fresh)
{
    struct snapshot *s = part->snapshot;
    scoped(pack) struct pack *old = NULL;

    pthread_mutex_lock(&s->lock);
    old = fresh ? part->pack : pack_ref(part->pack);
    if (fresh)
        part->pack = fresh;
    part->as_of = part->began;
    part->failed = 0;
    pthread_mutex_unlock(&s->lock);
    part->failures = 0;
    count(part);
    if (fresh || part->told_unknown)
        news_of_refresh(part, old);
    part->told_unknown = false;
    wake(part);
}

static void fail_with(struct part *part, const struct slurm_fault *fault)
{
    struct snapshot *s = part->snapshot;
    bool silent;

    pthread_mutex_lock(&s->lock);
    part->failed = part->began;
    part->fault = *fault;
    silent = !part->pack || clock_now() - part->as_of > s->stale;
    pthread_mutex_unlock(&s->lock);
    part->failures++;
    if (silent && !part->told_unknown) {
        part->told_unknown = true;
        news_of_silence(part);
    }
    wake(part);
}

static void take_list(struct part *part, const struct reply *reply)
{
    struct slurm_fault fault = { .code = -EBADMSG };
    struct error err = { 0 };

    if (is_unchanged(part, reply)) {
        succeed(part, NULL);
        return;
    }
    if (!part->building)
        part->building = pack_new(part->part, 0); /* an empty list */
    if (pack_finish(part->building, &err) < 0) {
        snprintf(fault.text, sizeof fault.text, "slurm %s: %s: %.300s",
                 part->snapshot->slurm->cluster, part_name(part), err.text);
        fail_with(part, &fault);
    } else {
        part->last_update =
            clock_now() < part->plain_until ? 0 : wire_int(&reply->head.last_update, 0, 0);
        succeed(part, take(part->building));
    }
}

/* Slurm 24.11 fails at a conditional list of nodes while no partition has changed: it is then asked
 * for the whole list, and without condition for a while. */
static bool is_unable(struct part *part, enum answer answer, const struct slurm_fault *fault)
{
    if (answer != ANSWER_UNKNOWN || fault->status != 500 || !part->last_update)
        return false;
    part->last_update = 0;
    part->plain_until = clock_now() + WHOLE_EVERY;
    return true;
}

static void done(void *userdata, struct http_response *response, int rc, const struct error *err)
{
    struct part *part = (struct part *)((char *)userdata - offsetof(struct part, exchange));
    struct slurm_fault fault;
    struct reply reply;
    enum answer answer = exchange_end(&part->exchange, response, rc, err, &reply, &fault);

    if (part->snapshot->closing) {
        end_building(part);
        return;
    }
    if ((part->exchange.retry_now || is_unable(part, answer, &fault)) &&
        part->retries++ < RETRIES_NOW_MAX) {
        end_building(part);
        begin(part);
        return;
    }
    part->retries = 0;
    if (answer == ANSWER_YES)
        take_list(part, &reply);
    else
        fail_with(part, &fault);
    end_building(part);
    schedule(part);
}

/* Since v0.0.42 a time is a plain number; before, only "uts" and a number was one. */
static void ask_for_news(struct part *part, struct question *q)
{
    bool nodes = part->part == SLURM_NODES;
    const char *path = nodes ? "/nodes/" : "/jobs/?flags=ALL";

    q->path = path;
    if (part->began - part->whole > WHOLE_EVERY)
        part->last_update = 0;
    if (!part->last_update) {
        part->whole = part->began;
        return;
    }
    q->path = fmt(part->arena, "%s%cupdate_time=%lld", path, nodes ? '?' : '&',
                  (long long)part->last_update);
    q->path_41 = fmt(part->arena, "%s%cupdate_time=%s", path, nodes ? '?' : '&',
                     date_uts(part->arena, part->last_update));
}

static void begin(struct part *part)
{
    struct slurm *slurm = part->snapshot->slurm;
    struct slurm_fault fault;
    struct http_request request;
    struct question q = {
        .name = part_name(part), .array = part_name(part), .on_item = take_item, .userdata = part
    };

    timer_stop(part->timer);
    part->began = clock_now();
    part->arena = arena_new();
    part->scratch = arena_new();
    part->running = true;
    ask_for_news(part, &q);
    if (!exchange_begin(&part->exchange, slurm, &q, part->arena, &request, &fault)) {
        end_building(part);
        fail_with(part, &fault);
        schedule(part);
        return;
    }
    request.deadline = part->began + LIST_TIMEOUT;
    http_start(slurm->http, &request, done);
}

static void on_timer(void *userdata)
{
    struct part *part = userdata;

    if (!part->running)
        begin(part);
}

void snapshot_look(struct snapshot *s)
{
    for (struct part *part = s->parts; part < s->parts + PARTS && !s->closing; part++) {
        bool kept, wanted, written;

        pthread_mutex_lock(&s->lock);
        kept = part->kept;
        wanted = part->wanted > part->as_of && part->wanted > part->failed;
        written = part->written >= part->began;
        pthread_mutex_unlock(&s->lock);
        if (!kept || part->running)
            continue; /* its end looks again */
        if (!part->timer)
            part->timer = timer_new(s->slurm->loop, s->refresh, 0, on_timer, part);
        if (wanted || !part->began)
            begin(part);
        else if (written && !part->failures)
            timer_set(part->timer, AFTER_WRITE);
    }
}
