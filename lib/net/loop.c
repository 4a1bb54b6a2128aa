/* loop.c - the loop thread: libevent underneath, and a queue through which other threads reach it.
 */
#include "net/loop.h"

#include <assert.h>
#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"

enum { LOOP_STACK = 512 * 1024 };

struct post {
    struct post *next;
    void (*fn)(void *);
    void *arg;
};

struct signal_watch {
    struct signal_watch *next;
    struct event *event;
    void (*fn)(void *);
    void *arg;
};

struct loop {
    struct event_base *base;
    struct event *wake;
    int wake_fd;
    struct signal_watch *signals;
    bool stopping; /* loop thread only */

    pthread_mutex_t lock; /* of everything below */
    struct post *first, **last;
    bool running;
    bool has_thread; /* to be joined */
    pthread_t thread;
    _Atomic(pthread_t) on; /* whose thread it is, while running */
};

struct timer {
    struct event *event;
    usec every;
    void (*fn)(void *);
    void *arg;
};

static struct timeval timeval_of(usec span)
{
    if (span < 0)
        span = 0;
    return (struct timeval) { .tv_sec = span / USEC_SEC, .tv_usec = span % USEC_SEC };
}

static struct post *take_posts(struct loop *loop)
{
    scoped_lock(&loop->lock);
    struct post *first = take(loop->first);

    loop->last = &loop->first;
    return first;
}

/* Runs what was posted, and only that: work that posts itself again waits for the next turn, so
 * that sockets get theirs. */
static bool run_posts(struct loop *loop)
{
    struct post *post = take_posts(loop);
    bool any = post;

    while (post) {
        struct post *next = post->next;

        post->fn(post->arg);
        free(post);
        post = next;
    }
    return any;
}

static void woken(evutil_socket_t fd, short what, void *arg)
{
    uint64_t count;

    (void)what;
    if (read((int)fd, &count, sizeof count) < 0 && errno != EAGAIN)
        return;
    run_posts(arg);
}

static struct event_base *base_new(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base;

    if (!config)
        abort();
    /* Only this thread touches the base, so no locks; and a timer set late in a long callback
     * must count from now, not from when the callback began. */
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_NO_CACHE_TIME);
    base = event_base_new_with_config(config);
    event_config_free(config);
    if (!base)
        abort();
    return base;
}

struct loop *loop_new(void)
{
    struct loop *loop = must_alloc(sizeof *loop);

    signal(SIGPIPE, SIG_IGN); /* OpenSSL writes to sockets that peers have closed */
    loop->last = &loop->first;
    pthread_mutex_init(&loop->lock, NULL);
    loop->base = base_new();
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake_fd < 0)
        abort();
    loop->wake = event_new(loop->base, loop->wake_fd, EV_READ | EV_PERSIST, woken, loop);
    if (!loop->wake || event_add(loop->wake, NULL) < 0)
        abort();
    return loop;
}

void loop_free(struct loop *loop)
{
    if (!loop)
        return;
    loop_stop(loop);
    for (struct post *post = loop->first, *next; post; post = next) {
        next = post->next;
        free(post);
    }
    for (struct signal_watch *watch = loop->signals, *next; watch; watch = next) {
        next = watch->next;
        event_free(watch->event);
        free(watch);
    }
    event_free(loop->wake);
    event_base_free(loop->base);
    close(loop->wake_fd);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

/* True once nothing is left to run: from then on loop_call() runs on its caller. */
static bool wind_down(struct loop *loop)
{
    scoped_lock(&loop->lock);
    if (loop->first)
        return false;
    loop->running = false;
    loop->on = 0;
    return true;
}

static void run(struct loop *loop)
{
    loop->on = pthread_self();
    loop->stopping = false;
    while (!loop->stopping && event_base_loop(loop->base, EVLOOP_NO_EXIT_ON_EMPTY) >= 0)
        ;
    while (!wind_down(loop))
        run_posts(loop);
}

static void *thread_main(void *arg)
{
    pthread_setname_np(pthread_self(), "loop");
    run(arg);
    return NULL;
}

static void set_running(struct loop *loop)
{
    scoped_lock(&loop->lock);
    assert(!loop->running);
    loop->running = true;
}

void loop_run(struct loop *loop)
{
    set_running(loop);
    run(loop);
}

int loop_start(struct loop *loop, struct error *err)
{
    pthread_attr_t attr;
    int rc;

    set_running(loop);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, LOOP_STACK);
    rc = pthread_create(&loop->thread, &attr, thread_main, loop);
    pthread_attr_destroy(&attr);
    if (rc) {
        wind_down(loop);
        return fail(err, -rc, "start the loop thread: %s", strerror(rc));
    }
    scoped_lock(&loop->lock);
    loop->has_thread = true;
    return 0;
}

static void stop_now(void *arg)
{
    struct loop *loop = arg;

    loop->stopping = true;
    event_base_loopbreak(loop->base);
}

static bool is_running(struct loop *loop)
{
    scoped_lock(&loop->lock);
    return loop->running;
}

static bool take_thread(struct loop *loop)
{
    scoped_lock(&loop->lock);
    return take(loop->has_thread);
}

void loop_stop(struct loop *loop)
{
    if (is_running(loop))
        loop_post(loop, stop_now, loop);
    if (!loop_on_thread(loop) && take_thread(loop))
        pthread_join(loop->thread, NULL);
}

bool loop_on_thread(const struct loop *loop)
{
    pthread_t on = loop->on;

    return on && pthread_equal(on, pthread_self());
}

/* True when the loop sleeps and must be told. */
static bool enqueue(struct loop *loop, struct post *post)
{
    bool was_empty = !loop->first;

    *loop->last = post;
    loop->last = &post->next;
    return was_empty;
}

static struct post *post_new(void (*fn)(void *), void *arg)
{
    struct post *post = must_alloc(sizeof *post);

    *post = (struct post) { .fn = fn, .arg = arg };
    return post;
}

static void wake(struct loop *loop)
{
    if (write(loop->wake_fd, &(uint64_t) { 1 }, sizeof(uint64_t)) < 0 && errno != EAGAIN)
        abort();
}

void loop_post(struct loop *loop, void (*fn)(void *arg), void *arg)
{
    struct post *post = post_new(fn, arg);
    scoped_lock(&loop->lock);

    if (enqueue(loop, post))
        wake(loop);
}

struct wait {
    void (*fn)(void *);
    void *arg;
    pthread_mutex_t lock;
    pthread_cond_t done_cond;
    bool done;
};

static void run_and_tell(void *arg)
{
    struct wait *wait = arg;

    wait->fn(wait->arg);
    scoped_lock(&wait->lock);
    wait->done = true;
    pthread_cond_signal(&wait->done_cond);
}

static bool post_if_running(struct loop *loop, void (*fn)(void *), void *arg)
{
    scoped_lock(&loop->lock);
    if (!loop->running)
        return false;
    if (enqueue(loop, post_new(fn, arg)))
        wake(loop);
    return true;
}

static void wait_for(struct wait *wait)
{
    scoped_lock(&wait->lock);
    while (!wait->done)
        pthread_cond_wait(&wait->done_cond, &wait->lock);
}

void loop_call(struct loop *loop, void (*fn)(void *arg), void *arg)
{
    struct wait wait = {
        .fn = fn,
        .arg = arg,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .done_cond = PTHREAD_COND_INITIALIZER,
    };

    if (loop_on_thread(loop)) {
        fn(arg);
    } else if (post_if_running(loop, run_and_tell, &wait)) {
        wait_for(&wait);
    } else {
        run_posts(loop);
        fn(arg);
    }
}

static void timer_fired(evutil_socket_t fd, short what, void *arg)
{
    struct timer *timer = arg;

    (void)fd, (void)what;
    if (timer->every) /* first, since fn may free the timer or set it otherwise */
        timer_set(timer, timer->every);
    timer->fn(timer->arg);
}

struct timer *timer_new(struct loop *loop, usec after, usec every, void (*fn)(void *arg), void *arg)
{
    struct timer *timer = must_alloc(sizeof *timer);

    *timer = (struct timer) { .every = every, .fn = fn, .arg = arg };
    timer->event = event_new(loop->base, -1, 0, timer_fired, timer);
    if (!timer->event)
        abort();
    if (after != USEC_NEVER)
        timer_set(timer, after);
    return timer;
}

void timer_set(struct timer *timer, usec after)
{
    struct timeval tv = timeval_of(after);

    if (event_add(timer->event, &tv) < 0)
        abort();
}

void timer_stop(struct timer *timer)
{
    event_del(timer->event);
}

void timer_free(struct timer *timer)
{
    if (!timer)
        return;
    event_free(timer->event);
    free(timer);
}

static void signal_came(evutil_socket_t fd, short what, void *arg)
{
    struct signal_watch *watch = arg;

    (void)fd, (void)what;
    watch->fn(watch->arg);
}

void loop_on_signal(struct loop *loop, int signal, void (*fn)(void *arg), void *arg)
{
    struct signal_watch *watch = must_alloc(sizeof *watch);

    *watch = (struct signal_watch) { .next = loop->signals, .fn = fn, .arg = arg };
    watch->event = evsignal_new(loop->base, signal, signal_came, watch);
    if (!watch->event || event_add(watch->event, NULL) < 0)
        abort();
    loop->signals = watch;
}

struct event_base *loop_base(struct loop *loop)
{
    return loop->base;
}
