/* manager.c - start order, workers, and an orderly end. */
#include "kube/manager.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/metrics.h"
#include "base/rand.h"
#include "base/str.h"
#include "kube/event.h"
#include "kube/leader.h"
#include "kube/runtime.h"
#include "kube/serving.h"
#include "net/loop.h"

enum { THREADS_MAX = 64, STACK_SIZE = 1024 * 1024, ARENAS_MAX = 4 };

static struct metric_family total_family = {
    .name = "controller_runtime_reconcile_total", .help = "Passes by how they ended.",
    .labels = { "controller", "result" },
};
static struct metric_family errors_family = {
    .name = "controller_runtime_reconcile_errors_total", .help = "Passes that failed.",
    .labels = { "controller" },
};
static struct metric_family seconds_family = {
    .name = "controller_runtime_reconcile_time_seconds", .help = "How long passes take.",
    .type = METRIC_HISTOGRAM, .buckets = metric_latency_buckets, .labels = { "controller" },
};
static struct metric_family active_family = {
    .name = "controller_runtime_active_workers", .help = "Passes under way.",
    .type = METRIC_GAUGE, .labels = { "controller" },
};
static struct metric_family most_family = {
    .name = "controller_runtime_max_concurrent_reconciles", .help = "Passes at once, at most.",
    .type = METRIC_GAUGE, .labels = { "controller" },
};

struct client *manager_client(struct manager *m)
{
    return m->client;
}

struct loop *manager_loop(struct manager *m)
{
    return m->loop;
}

void manager_wake(struct manager *m, const struct controller *controller, const char *namespace,
                  const char *name, bool urgent)
{
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < m->runner_count; i++)
        if (m->runners[i].controller == controller)
            queue_add(m->runners[i].lane, fmt(a, "%s/%s", namespace ?: "", name),
                      urgent ? URGENT : ROUTINE);
}

/* ------------------------------------------------------------------ workers */

static struct runner *runner_of(struct manager *m, const struct lane *lane)
{
    for (size_t i = 0; i < m->runner_count; i++)
        if (m->runners[i].lane == lane)
            return &m->runners[i];
    abort();
}

static void *work(void *arg)
{
    struct manager *m = arg;
    struct lane *lane;
    const char *key;

    while (queue_get(m->queue, &lane, &key)) {
        struct runner *runner = runner_of(m, lane);
        usec begin = clock_now();

        metric_add(runner->active, 1);
        runner_pass(runner, key);
        metric_add(runner->active, -1);
        metric_observe(runner->seconds, (double)(clock_now() - begin) / 1e6);
        queue_done(lane, key);
    }
    scoped_lock(&m->lock);
    m->ended++;
    pthread_cond_broadcast(&m->changed);
    return NULL;
}

static unsigned workers_of(const struct manager *m, size_t i)
{
    return m->options.workers && m->options.workers[i] ? m->options.workers[i] : 1;
}

static void runner_init(struct manager *m, size_t i)
{
    struct runner *runner = &m->runners[i];
    const char *name = m->options.controllers[i]->name;

    *runner = (struct runner){
        .manager = m,
        .controller = m->options.controllers[i],
        .lane = queue_lane(m->queue, name, workers_of(m, i)),
        .primary = informer_of(m, m->options.controllers[i]->reconciles),
        .done = metric(&total_family, name, "success"),
        .failed = metric(&total_family, name, "error"),
        .requeued = metric(&total_family, name, "requeue"),
        .again = metric(&total_family, name, "requeue_after"),
        .errors = metric(&errors_family, name),
        .seconds = metric(&seconds_family, name),
        .active = metric(&active_family, name),
    };
    metric_set(metric(&most_family, name), workers_of(m, i));
    pthread_mutex_init(&runner->lock, NULL);
    runner_wire(runner);
}

static void make_runners(struct manager *m)
{
    while (m->options.controllers[m->runner_count])
        m->runner_count++;
    m->runners = must_alloc(m->runner_count * sizeof *m->runners);
    informers_plan(m);
    for (size_t i = 0; i < m->runner_count; i++)
        runner_init(m, i);
}

/* One for each pass there may be at once: a controller whose passes wait for something slow takes
 * no thread from another. */
static size_t thread_count(const struct manager *m)
{
    size_t sum = 0;

    for (size_t i = 0; i < m->runner_count; i++)
        sum += workers_of(m, i);
    return sum < THREADS_MAX ? sum : THREADS_MAX;
}

static int start_workers(struct manager *m, struct error *err)
{
    size_t n = thread_count(m);
    pthread_attr_t attr;
    int rc = 0;

    m->workers = must_alloc(n * sizeof *m->workers);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_SIZE);
    while (rc == 0 && m->worker_count < n) {
        rc = pthread_create(&m->workers[m->worker_count], &attr, work, m);
        m->worker_count += rc == 0;
    }
    pthread_attr_destroy(&attr);
    return rc ? fail(err, -rc, "start a worker: %s", strerror(rc)) : 0;
}

/* ------------------------------------------------------------------ leadership and signals */

static void signal_change(struct manager *m, bool *flag)
{
    scoped_lock(&m->lock);

    *flag = true;
    pthread_cond_broadcast(&m->changed);
}

static void on_lead(void *userdata)
{
    struct manager *m = userdata;

    signal_change(m, &m->leading);
}

static void on_lost(void *userdata)
{
    struct manager *m = userdata;

    signal_change(m, &m->lost);
}

static void on_signal(void *userdata)
{
    struct manager *m = userdata;

    log_info(NULL, "asked to stop");
    signal_change(m, &m->stopping);
}

static char *identity(struct arena *a)
{
    struct utsname name;
    char tail[9];

    uname(&name);
    rand_name(tail, sizeof tail - 1);
    return fmt(a, "%s_%s", name.nodename, tail);
}

static int start_leader(struct manager *m, const char *namespace, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    struct leader_options options = {
        .namespace = m->options.leader_namespace ?: namespace,
        .name = m->options.leader_name ?: m->options.name,
        .identity = identity(a),
        .on_lead = on_lead,
        .on_lost = on_lost,
        .userdata = m,
    };

    if (!m->options.leader_elect) {
        m->leading = true;
        return 0;
    }
    m->leader = leader_start(m->client, &options, err);
    return m->leader ? 0 : wrap(err, "leader election");
}

/* ------------------------------------------------------------------ start */

static int connect_server(struct manager *m, struct arena *a, struct kube_config *config,
                          struct error *err)
{
    struct utsname name;
    struct client_options options = { .field_manager = m->options.name,
                                      .timeout = m->options.call_timeout };
    int rc = kube_config_load(a, m->options.kubeconfig, m->options.context_name, config, err);

    if (rc < 0)
        return rc;
    rc = client_new(m->loop, config, &options, &m->client, err);
    if (rc < 0)
        return rc;
    uname(&name);
    m->recorder = recorder_new(m->client, name.nodename);
    return 0;
}

static int start(struct manager *m, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    struct kube_config config;
    int rc;

    loop_on_signal(m->loop, SIGTERM, on_signal, m);
    loop_on_signal(m->loop, SIGINT, on_signal, m);
    rc = loop_start(m->loop, err) ?: connect_server(m, a, &config, err);
    if (rc < 0)
        return rc;
    make_runners(m);
    rc = serving_start(m, err);
    if (rc < 0)
        return rc;
    if (m->options.on_start) {
        rc = m->options.on_start(m, m->options.userdata, &m->context, err);
        if (rc < 0)
            return rc;
    }
    informers_start(m);
    return start_leader(m, config.namespace, err);
}

/* True while there is nothing to do but wait for the next change of the flags. */
static bool wait_a_moment(struct manager *m, usec span)
{
    usec until = clock_now() + span;
    struct timespec deadline = { .tv_sec = until / USEC_SEC, .tv_nsec = until % USEC_SEC * 1000 };
    scoped_lock(&m->lock);

    if (!m->stopping && !m->lost)
        pthread_cond_timedwait(&m->changed, &m->lock, &deadline);
    return !m->stopping && !m->lost;
}

static bool may_begin(struct manager *m)
{
    bool synced = informers_synced(m);
    scoped_lock(&m->lock);

    if (synced && !atomic_exchange(&m->ready, true))
        log_info(NULL, "caches are complete");
    return synced && m->leading;
}

static void run(struct manager *m)
{
    usec begin = clock_now();
    usec told = begin;
    struct error err = { 0 };

    while (!may_begin(m)) {
        bool soon = !atomic_load(&m->ready) && clock_now() - begin < USEC_SEC;

        if (!wait_a_moment(m, soon ? 2 * USEC_MSEC : 100 * USEC_MSEC))
            return;
        if (clock_now() - told > 30 * USEC_SEC && !atomic_load(&m->ready)) {
            told = clock_now();
            log_error(NULL, "still waiting for the caches",
                      KV_INT("seconds", (told - begin) / USEC_SEC));
        }
    }
    malloc_trim(0); /* what reading the lists needed is not needed again */
    if (start_workers(m, &err) < 0) {
        log_error(NULL, "cannot work", KV("error", error_text(&err)));
        return;
    }
    while (wait_a_moment(m, 3600 * USEC_SEC))
        ;
}

/* ------------------------------------------------------------------ end */

/* Passes under way may finish within the grace period; after that the process ends as it is, without
 * giving up the lease, since a write of theirs may still be on its way. What they left undone is found by
 * the next one. */
static void join_workers(struct manager *m)
{
    usec until = clock_now() + (m->options.grace ?: 25 * USEC_SEC);
    struct timespec deadline = { .tv_sec = until / USEC_SEC, .tv_nsec = until % USEC_SEC * 1000 };

    pthread_mutex_lock(&m->lock);
    while (m->ended < m->worker_count && clock_now() < until)
        pthread_cond_timedwait(&m->changed, &m->lock, &deadline);
    if (m->ended < m->worker_count) {
        log_error(NULL, "a pass did not end within the grace period");
        _exit(1);
    }
    pthread_mutex_unlock(&m->lock);
    for (size_t i = 0; i < m->worker_count; i++)
        pthread_join(m->workers[i], NULL);
}

static void stop(struct manager *m)
{
    atomic_store(&m->ready, false);
    if (m->queue)
        queue_stop(m->queue);
    if (m->client)
        client_hurry(m->client);
    join_workers(m);
    informers_stop(m); /* what a change wakes looks at the context */
    if (m->options.on_stop && m->context)
        m->options.on_stop(m->context);
    leader_stop(m->leader, true);
    serving_stop(m);
    if (m->client)
        client_free(m->client);
    loop_stop(m->loop);
    recorder_free(m->recorder);
    for (size_t i = 0; i < m->runner_count; i++)
        follow_free(&m->runners[i]);
    informers_free(m);
    applied_free(m);
    queue_free(m->queue);
    free(m->runners);
    free(m->workers);
    loop_free(m->loop);
    arena_free(m->arena);
}

static void measure_queue(void *arg)
{
    queue_measure(arg);
}

int manager_run(const struct manager_options *options)
{
    struct manager m = { .options = *options, .lock = PTHREAD_MUTEX_INITIALIZER };
    pthread_condattr_t attr;
    struct error err = { 0 };
    int rc;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&m.changed, &attr);
    pthread_condattr_destroy(&attr);
    mallopt(M_ARENA_MAX, ARENAS_MAX); /* or each worker keeps what another could use */
    m.arena = arena_new();
    m.loop = loop_new();
    m.queue = queue_new();
    metric_collect(process_measure, NULL);
    metric_collect(measure_queue, m.queue);
    rc = start(&m, &err);
    if (rc < 0)
        log_error(NULL, "cannot start", KV("error", error_text(&err)));
    else
        run(&m);
    stop(&m);
    log_info(NULL, m.lost ? "stopped: the lease is lost" : "stopped");
    return rc < 0 || m.lost;
}
