/* commands_view.c - the snapshot, and what its subscribers hear. */
#include <string.h>

#include "base/str.h"
#include "driver.h"

static struct json *view_json(struct driver *d, struct slurm_view *view)
{
    struct json *reply = yes_no(d, &d->call, ANSWER_YES);
    struct json *nodes = json_array(d->arena);
    struct json *jobs = json_array(d->arena);
    struct slurm_node node;
    struct slurm_job job;
    size_t count = 0;

    set_str(d, reply, "answer", answer_text(slurm_view_nodes(view, &count)));
    for (size_t i = 0; i < count; i++) {
        slurm_view_node_at(view, i, &node);
        json_add(d->arena, nodes, node_json(d, &node));
    }
    count = 0;
    set_str(d, reply, "jobs_answer", answer_text(slurm_view_jobs(view, &count)));
    for (size_t i = 0; i < count; i++) {
        slurm_view_job_at(view, i, &job);
        json_add(d->arena, jobs, job_json(d, &job));
    }
    json_set(d->arena, reply, "nodes", nodes);
    json_set(d->arena, reply, "jobs", jobs);
    set_int(d, reply, "age_ms", slurm_view_age(view, SLURM_NODES) / USEC_MSEC);
    return reply;
}

static struct json *run_view(struct driver *d, int n, char **words)
{
    scoped(slurm_view) struct slurm_view *view = slurm_view(d->slurm);

    (void)n, (void)words;
    return view_json(d, view);
}

static struct json *run_fresh(struct driver *d, int n, char **words)
{
    unsigned parts = n > 0 ? (unsigned)atoi(words[0]) : SLURM_NODES | SLURM_JOBS;
    scoped(slurm_view) struct slurm_view *view =
        slurm_view_since(d->slurm, &d->call, parts, clock_now());

    return view_json(d, view);
}

/* What was heard, until somebody asks. */
struct news_log {
    pthread_mutex_t lock;
    struct buf text; /* lines */
    uint64_t subscription;
};

static void hear(void *userdata, const struct slurm_news *news)
{
    struct news_log *log = userdata;
    scoped_lock(&log->lock);

    buf_fmt(&log->text, "%s %s\n", news->part == SLURM_NODES ? "nodes" : "jobs",
            answer_text(news->known));
    for (size_t i = 0; i < news->n; i++) {
        const struct slurm_change *change = &news->changes[i];

        if (change->part == SLURM_NODES)
            buf_fmt(&log->text, "node %s %x\n", change->node, change->differences);
        else
            buf_fmt(&log->text, "job %u %x\n", change->job, change->differences);
    }
}

static struct json *run_subscribe(struct driver *d, int n, char **words)
{
    (void)n;
    d->news = must_alloc(sizeof *d->news);
    pthread_mutex_init(&d->news->lock, NULL);
    d->news->subscription = slurm_subscribe(d->slurm, (unsigned)atoi(words[0]),
                                            (unsigned)atoi(words[1]), hear, d->news);
    return yes_no(d, &d->call, ANSWER_YES);
}

static struct json *run_news(struct driver *d, int n, char **words)
{
    struct json *reply = yes_no(d, &d->call, ANSWER_YES);
    scoped_lock(&d->news->lock);

    (void)n, (void)words;
    set_str(d, reply, "news", arena_str(d->arena, buf_text(&d->news->text)));
    buf_clear(&d->news->text);
    return reply;
}

void driver_done(struct driver *d)
{
    if (!d->news)
        return;
    slurm_unsubscribe(d->slurm, d->news->subscription);
    buf_done(&d->news->text);
    free(d->news);
}

const struct command view_commands[] = {
    { "view", 0, run_view },
    { "fresh", 0, run_fresh },
    { "subscribe", 2, run_subscribe },
    { "news", 0, run_news },
    { 0 },
};
