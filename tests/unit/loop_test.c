/* loop_test.c - the loop thread: order, timers, signals, and how it ends. */
#include "net/loop.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "support/test.h"

static struct loop *started(void)
{
    struct loop *loop = loop_new();
    struct error err = { 0 };

    CHECK_OK(loop_start(loop, &err), err);
    return loop;
}

struct trace {
    struct loop *loop;
    char text[64];
    bool on_thread;
    usec at;
    int left;
    struct timer *timer;
};

static void add_a(void *arg)
{
    struct trace *trace = arg;

    strcat(trace->text, "a");
    trace->on_thread = loop_on_thread(trace->loop);
}

static void add_b(void *arg)
{
    strcat(((struct trace *)arg)->text, "b");
}

TEST(posted_work_runs_in_order_on_the_loop_thread)
{
    scoped(loop) struct loop *loop = started();
    struct trace trace = { .loop = loop };

    loop_post(loop, add_a, &trace);
    loop_post(loop, add_b, &trace);
    loop_call(loop, add_a, &trace);
    CHECK_STR(trace.text, "aba");
    CHECK(trace.on_thread);
    CHECK(!loop_on_thread(loop));
}

TEST(work_posted_before_the_start_runs_after_it)
{
    scoped(loop) struct loop *loop = loop_new();
    struct trace trace = { .loop = loop };
    struct error err = { 0 };

    loop_post(loop, add_a, &trace);
    CHECK_STR(trace.text, "");
    CHECK_OK(loop_start(loop, &err), err);
    loop_stop(loop);
    CHECK_STR(trace.text, "a");
}

TEST(a_call_to_a_loop_at_rest_runs_here_after_what_was_posted)
{
    scoped(loop) struct loop *loop = loop_new();
    struct trace trace = { .loop = loop };

    loop_post(loop, add_a, &trace);
    loop_call(loop, add_b, &trace);
    CHECK_STR(trace.text, "ab");
}

static void post_again(void *arg)
{
    struct trace *trace = arg;

    if (trace->left-- > 0)
        loop_post(trace->loop, post_again, trace);
    else
        loop_stop(trace->loop);
}

TEST(a_loop_runs_on_the_callers_thread_until_stopped_from_inside)
{
    scoped(loop) struct loop *loop = loop_new();
    struct trace trace = { .loop = loop, .left = 1000 };

    loop_post(loop, post_again, &trace);
    loop_run(loop);
    CHECK_INT(trace.left, -1);
    trace.left = 10; /* and it can run again */
    loop_post(loop, post_again, &trace);
    loop_run(loop);
    CHECK_INT(trace.left, -1);
}

static void note_time(void *arg)
{
    struct trace *trace = arg;

    trace->at = clock_now();
    loop_stop(trace->loop);
}

TEST(a_timer_fires_once_and_never_early)
{
    scoped(loop) struct loop *loop = loop_new();
    struct trace trace = { .loop = loop };
    usec began = clock_now();
    struct timer *timer = timer_new(loop, 20 * USEC_MSEC, 0, note_time, &trace);

    loop_run(loop);
    CHECK(trace.at - began >= 20 * USEC_MSEC);
    CHECK(trace.at - began < 2 * USEC_SEC);
    timer_free(timer);
}

static void count_down(void *arg)
{
    struct trace *trace = arg;

    if (--trace->left > 0)
        return;
    timer_free(trace->timer);
    loop_stop(trace->loop);
}

TEST(a_timer_repeats_and_may_be_freed_from_inside)
{
    scoped(loop) struct loop *loop = loop_new();
    struct trace trace = { .loop = loop, .left = 5 };

    trace.timer = timer_new(loop, 0, 2 * USEC_MSEC, count_down, &trace);
    loop_run(loop);
    CHECK_INT(trace.left, 0);
}

TEST(a_stopped_timer_stays_silent_until_set_again)
{
    scoped(loop) struct loop *loop = loop_new();
    struct trace stopped = { .loop = loop };
    struct trace end = { .loop = loop };
    struct timer *quiet = timer_new(loop, 5 * USEC_MSEC, 0, note_time, &stopped);
    struct timer *last = timer_new(loop, 30 * USEC_MSEC, 0, note_time, &end);

    timer_stop(quiet);
    loop_run(loop);
    CHECK_INT(stopped.at, 0);
    timer_set(quiet, USEC_MSEC);
    loop_run(loop);
    CHECK(stopped.at > end.at);
    timer_free(quiet);
    timer_free(last);
}

static void raise_usr1(void *arg)
{
    (void)arg;
    raise(SIGUSR1);
}

TEST(a_signal_arrives_on_the_loop_thread)
{
    scoped(loop) struct loop *loop = loop_new();
    struct trace trace = { .loop = loop };

    loop_on_signal(loop, SIGUSR1, note_time, &trace);
    loop_post(loop, raise_usr1, NULL);
    loop_run(loop);
    CHECK(trace.at > 0);
}

struct storm {
    struct loop *loop;
    int count; /* loop thread only */
};

static void count_up(void *arg)
{
    ((struct storm *)arg)->count++;
}

static void *post_many(void *arg)
{
    struct storm *storm = arg;

    for (int i = 0; i < 2000; i++)
        if (i % 100)
            loop_post(storm->loop, count_up, storm);
        else
            loop_call(storm->loop, count_up, storm);
    return NULL;
}

TEST(many_threads_post_at_once_and_nothing_is_lost)
{
    struct storm storm = { .loop = started() };
    pthread_t threads[4];

    for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
        pthread_create(&threads[i], NULL, post_many, &storm);
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
        pthread_join(threads[i], NULL);
    loop_stop(storm.loop);
    CHECK_INT(storm.count, 4 * 2000);
    loop_free(storm.loop);
}

static void count_sleeps(void *arg)
{
    getrusage(RUSAGE_THREAD, arg);
}

TEST(an_idle_loop_sleeps)
{
    struct rusage before, after;
    scoped(loop) struct loop *loop = started();

    loop_call(loop, count_sleeps, &before);
    usleep(300 * 1000);
    loop_call(loop, count_sleeps, &after);
    CHECK(after.ru_nvcsw - before.ru_nvcsw <= 2); /* waiting for us, and maybe for the lock */
}
