/* http.c - the calls to one server: taken in, given their turn, watched over, and ended. */
#include "net/http.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "net/http_internal.h"
#include "net/loop.h"

enum { IN_FLIGHT = 64, CONNECTIONS = 8 };
#define CONNECT_TIMEOUT (10 * USEC_SEC)
#define CALL_TIMEOUT (30 * USEC_SEC)
#define SUSPICION (2 * USEC_SEC) /* a shorter silence says nothing about the connection */

static void pump(struct http *http);

static void http_unref(struct http *http)
{
    if (--http->refs)
        return;
    pthread_mutex_destroy(&http->lock);
    arena_free(http->arena);
    free(http);
}

static struct road *current(struct http *http)
{
    return TAILQ_FIRST(&http->roads);
}

/* Frees roads that no call needs any more; not from inside their own callbacks, hence posted. */
static void reap_roads(void *arg)
{
    struct http *http = arg;
    struct road *next;

    for (struct road *road = TAILQ_FIRST(&http->roads); road; road = next) {
        next = TAILQ_NEXT(road, entry);
        if (road->calls || (road == current(http) && !http->closed))
            continue;
        TAILQ_REMOVE(&http->roads, road, entry);
        road_free(road);
    }
    http_unref(http);
}

static void post_reap(struct http *http)
{
    http->refs++;
    loop_post(http->loop, reap_roads, http);
}

static void open_road(struct http *http, struct trust *trust)
{
    struct road *road = road_new(http, trust);

    TAILQ_INSERT_HEAD(&http->roads, road, entry);
    post_reap(http);
}

static void join_road(struct call *call, struct road *road)
{
    road->calls++;
    road->streams += call_is_stream(call);
    lane_limit(road->lane, call->http->options.max_connections + road->streams);
}

static void quit_road(struct call *call)
{
    struct road *road = call->road;

    road->calls--;
    road->streams -= call_is_stream(call);
    lane_limit(road->lane, call->http->options.max_connections + road->streams);
    if (!road->calls && road != current(call->http))
        post_reap(call->http);
}

static void watch_over(struct http *http, usec at)
{
    usec now = clock_now();

    if (at >= http->watchdog_at)
        return;
    http->watchdog_at = at;
    timer_set(http->watchdog, at > now ? at - now : 0);
}

struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    bool done;
    int rc;
    struct http_response *response;
    struct error *err;
};

static void wake_waiter(struct waiter *waiter, struct call *call, int rc)
{
    scoped_lock(&waiter->lock);
    *waiter->response = take(call->response);
    if (waiter->err)
        *waiter->err = call->err;
    waiter->rc = rc;
    waiter->done = true;
    pthread_cond_signal(&waiter->cond);
}

/* The call is in no list and on no lane any more. */
static void conclude(struct call *call, int rc)
{
    call->response.waited = (call->road ? call->started : clock_now()) - call->queued;
    if (call->road)
        quit_road(call);
    if (call->waiter)
        wake_waiter(call->waiter, call, rc);
    else
        call->on_done(call->request.userdata, &call->response, rc, &call->err);
    call_free(call);
}

static void end_started(struct call *call, int rc)
{
    struct http *http = call->http;

    TAILQ_REMOVE(&http->started, call, entry);
    http->running--;
    http->streams -= call_is_stream(call);
    conclude(call, rc);
    pump(http);
}

static void end_waiting(struct call *call, int rc)
{
    TAILQ_REMOVE(&call->http->waiting, call, entry);
    call->http->waiting_count--;
    conclude(call, rc);
}

static void begin(struct call *call)
{
    struct http *http = call->http;
    struct road *road = current(http);
    int rc;

    join_road(call, road);
    TAILQ_INSERT_TAIL(&http->started, call, entry);
    http->running++;
    http->streams += call_is_stream(call);
    rc = call_begin(call, road);
    if (rc < 0)
        end_started(call, rc);
    else
        watch_over(http, call_expiry(call));
}

static bool has_room(const struct http *http)
{
    return http->running - http->streams < http->options.max_in_flight;
}

static void pump(struct http *http)
{
    struct call *call;

    if (http->pumping) /* a call that fails at once must not recurse through all that wait */
        return;
    http->pumping = true;
    while (has_room(http) && (call = TAILQ_FIRST(&http->waiting))) {
        TAILQ_REMOVE(&http->waiting, call, entry);
        http->waiting_count--;
        begin(call);
    }
    http->pumping = false;
}

static void admit(struct call *call)
{
    struct http *http = call->http;

    if (http->closed) {
        conclude(call, call_cancel(call));
    } else if (call_is_stream(call)) {
        begin(call); /* long-lived, so they take no turns */
    } else {
        TAILQ_INSERT_TAIL(&http->waiting, call, entry);
        http->waiting_count++;
        watch_over(http, call->deadline);
    }
}

static struct call *next_incoming(struct http *http)
{
    scoped_lock(&http->lock);
    struct call *call = TAILQ_FIRST(&http->incoming);

    if (call)
        TAILQ_REMOVE(&http->incoming, call, entry);
    return call;
}

static void take_incoming(void *arg)
{
    struct http *http = arg;
    struct call *call;

    while ((call = next_incoming(http)))
        admit(call);
    pump(http);
    http_unref(http);
}

static uint64_t submit(struct http *http, struct call *call)
{
    bool first;
    uint64_t id;

    pthread_mutex_lock(&http->lock);
    first = TAILQ_EMPTY(&http->incoming);
    id = call->id = ++http->last_id;
    TAILQ_INSERT_TAIL(&http->incoming, call, entry);
    pthread_mutex_unlock(&http->lock);
    if (first) { /* otherwise somebody has posted already */
        http->refs++;
        loop_post(http->loop, take_incoming, http);
    }
    return id;
}

/* A request that met silence from beginning to end, on a connection that said nothing to anyone
 * meanwhile: it may be dead, so the next ones take a new one. */
static void suspect(const struct call *call)
{
    struct http *http = call->http;
    struct road *road = call->road;

    if (road == current(http) && road->last_byte <= call->started &&
        clock_now() - call->started >= SUSPICION)
        open_road(http, road->trust);
}

static void expire(struct call *call)
{
    int rc = call_expire(call);

    if (!call->road) {
        end_waiting(call, rc);
    } else {
        suspect(call);
        end_started(call, rc);
    }
}

static usec expire_in(struct calls *calls, usec now)
{
    usec next = USEC_NEVER;
    struct call *after;

    for (struct call *call = TAILQ_FIRST(calls); call; call = after) {
        usec at = call_expiry(call);

        after = TAILQ_NEXT(call, entry);
        if (at <= now)
            expire(call);
        else if (at < next)
            next = at;
    }
    return next;
}

static void watchdog(void *arg)
{
    struct http *http = arg;
    usec now = clock_now();

    http->watchdog_at = USEC_NEVER;
    http->pumping = true; /* nothing may begin, or end, while we walk the lists */
    watch_over(http, expire_in(&http->waiting, now));
    watch_over(http, expire_in(&http->started, now));
    http->pumping = false;
    pump(http);
}

struct cancel {
    struct http *http;
    uint64_t id;
};

static struct call *find(struct calls *calls, uint64_t id)
{
    struct call *call;

    TAILQ_FOREACH(call, calls, entry)
    if (call->id == id)
        break;
    return call;
}

static void cancel_now(void *arg)
{
    struct cancel *cancel = arg;
    struct http *http = cancel->http;
    struct call *call;

    if ((call = find(&http->started, cancel->id)))
        end_started(call, call_cancel(call));
    else if ((call = find(&http->waiting, cancel->id)))
        end_waiting(call, call_cancel(call));
    http_unref(http);
    free(cancel);
}

void http_cancel(struct http *http, uint64_t call)
{
    struct cancel *cancel = must_alloc(sizeof *cancel);

    *cancel = (struct cancel) { .http = http, .id = call };
    http->refs++;
    loop_post(http->loop, cancel_now, cancel);
}

uint64_t http_start(struct http *http, const struct http_request *request, http_done_fn *on_done)
{
    struct call *call = call_new(http, request);

    call->on_done = on_done;
    return submit(http, call);
}

int http_do(struct http *http, const struct http_request *request, struct http_response *ret,
            struct error *err)
{
    struct waiter waiter = {
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .cond = PTHREAD_COND_INITIALIZER,
        .response = ret,
        .err = err,
    };
    struct call *call = call_new(http, request);

    assert(!loop_on_thread(http->loop));
    call->waiter = &waiter;
    submit(http, call);
    scoped_lock(&waiter.lock);
    while (!waiter.done) /* the watchdog sees to it that every call ends */
        pthread_cond_wait(&waiter.cond, &waiter.lock);
    return waiter.rc;
}

void http_load(struct http *http, unsigned *ret_running, unsigned *ret_waiting)
{
    *ret_running = http->running;
    *ret_waiting = http->waiting_count;
}

static void close_all(void *arg)
{
    struct http *http = arg;
    struct call *call;

    http->closed = true;
    http->pumping = true;
    while ((call = next_incoming(http)))
        conclude(call, call_cancel(call));
    while ((call = TAILQ_FIRST(&http->waiting)))
        end_waiting(call, call_cancel(call));
    while ((call = TAILQ_FIRST(&http->started)))
        end_started(call, call_cancel(call));
    timer_free(take(http->watchdog));
    http->refs++;
    reap_roads(http);
}

void http_free(struct http *http)
{
    if (!http)
        return;
    loop_call(http->loop, close_all, http);
    http_unref(http);
}

struct reload {
    struct http *http;
    struct trust *trust;
};

static void reload_now(void *arg)
{
    struct reload *reload = arg;

    open_road(reload->http, reload->trust);
}

int http_reload(struct http *http, const struct http_tls *tls, struct error *err)
{
    struct error local = { 0 };
    scoped(trust) struct trust *trust = trust_new(tls, err ?: &local);

    if (!trust)
        return err ? err->code : local.code;
    loop_call(http->loop, reload_now, &(struct reload) { http, trust });
    return 0;
}

static void init_curl(void)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        abort();
}

static void copy_options(struct http *http, const struct http_options *options)
{
    struct arena *a = http->arena;

    http->options = *options;
    http->options.url = arena_str(a, options->url);
    http->options.unix_socket = arena_str(a, options->unix_socket);
    http->options.proxy = arena_str(a, options->proxy);
    http->options.user_agent = arena_str(a, options->user_agent);
    http->options.tls = (struct http_tls) { 0 };
    http->options.connect_timeout = options->connect_timeout ?: CONNECT_TIMEOUT;
    http->options.timeout = options->timeout ?: CALL_TIMEOUT;
    http->options.max_in_flight = options->max_in_flight ?: IN_FLIGHT;
    http->options.max_connections = options->max_connections ?: CONNECTIONS;
}

static void begin_life(void *arg)
{
    struct reload *first = arg;
    struct http *http = first->http;

    http->watchdog = timer_new(http->loop, USEC_NEVER, 0, watchdog, http);
    http->watchdog_at = USEC_NEVER;
    open_road(http, first->trust);
}

struct http *http_new(struct loop *loop, const struct http_options *options, struct error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    scoped(arena) struct arena *a = arena_new();
    scoped(trust) struct trust *trust = NULL;
    struct http *http;
    struct url url;

    if (url_parse(a, options->url, &url, err) < 0 || !(trust = trust_new(&options->tls, err)))
        return NULL;
    pthread_once(&once, init_curl);
    http = must_alloc(sizeof *http);
    *http = (struct http) { .refs = 1, .loop = loop, .url = url, .on_result = end_started };
    http->arena = take(a);
    copy_options(http, options);
    pthread_mutex_init(&http->lock, NULL);
    TAILQ_INIT(&http->roads);
    TAILQ_INIT(&http->started);
    TAILQ_INIT(&http->waiting);
    TAILQ_INIT(&http->incoming);
    loop_call(loop, begin_life, &(struct reload) { http, trust });
    return http;
}

void http_response_done(struct http_response *response)
{
    buf_done(&response->body);
    buf_done(&response->headers);
}

const char *http_header_next(const struct http_response *response, const char *name, size_t *at)
{
    const struct buf *headers = &response->headers;

    while (*at < headers->len) {
        const char *key = headers->bytes + *at;
        const char *value = key + strlen(key) + 1;

        *at = (size_t)(value - headers->bytes) + strlen(value) + 1;
        if (!strcasecmp(key, name))
            return value;
    }
    return NULL;
}

const char *http_header(const struct http_response *response, const char *name)
{
    return http_header_next(response, name, &(size_t) { 0 });
}
