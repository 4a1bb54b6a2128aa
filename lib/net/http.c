/* http.c - the client as its users see it; how calls get their turn is in turns.c. */
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
        loop_post(http->loop, turns_take_incoming, http);
    }
    return id;
}

struct cancel {
    struct http *http;
    uint64_t id;
};

static void cancel_now(void *arg)
{
    struct cancel *cancel = arg;

    turns_cancel(cancel->http, cancel->id);
    http_unref(cancel->http);
    free(cancel);
}

void http_cancel(struct http *http, uint64_t call)
{
    struct cancel *cancel = must_alloc(sizeof *cancel);

    *cancel = (struct cancel) { .http = http, .id = call };
    http->refs++;
    loop_post(http->loop, cancel_now, cancel);
}

/* A thread in http_do(). */
struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    bool done;
    int rc;
    struct http_response *response;
    struct error *err;
};

static void wake_waiter(struct call *call, int rc)
{
    struct waiter *waiter = call->waiter;
    scoped_lock(&waiter->lock);

    *waiter->response = take(call->response);
    if (waiter->err && rc < 0)
        *waiter->err = call->err;
    waiter->rc = rc;
    waiter->done = true;
    pthread_cond_signal(&waiter->cond);
}

static void call_back(struct call *call, int rc)
{
    call->on_done(call->request.userdata, &call->response, rc, &call->err);
}

uint64_t http_start(struct http *http, const struct http_request *request, http_done_fn *on_done)
{
    struct call *call = call_new(http, request);

    call->on_done = on_done;
    call->conclude = call_back;
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
    call->conclude = wake_waiter;
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

void http_free(struct http *http)
{
    if (!http)
        return;
    loop_call(http->loop, turns_close, http);
    http_unref(http);
}

struct reload {
    struct http *http;
    struct trust *trust;
};

static void reload_now(void *arg)
{
    struct reload *reload = arg;

    turns_open_road(reload->http, reload->trust);
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

    http->watchdog = timer_new(http->loop, USEC_NEVER, 0, turns_watchdog, http);
    http->watchdog_at = USEC_NEVER;
    turns_open_road(http, first->trust);
}

struct http *http_new(struct loop *loop, const struct http_options *options, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(trust) struct trust *trust = NULL;
    struct proxy proxy = { 0 };
    struct http *http;
    struct url url;

    if (url_parse(a, options->url, &url, err) < 0 ||
        (!str_empty(options->proxy) && proxy_parse(a, options->proxy, &proxy, err) < 0) ||
        !(trust = trust_new(&options->tls, err)))
        return NULL;
    http = must_alloc(sizeof *http);
    *http = (struct http) { .refs = 1, .loop = loop, .url = url };
    http->arena = take(a);
    http->proxy = proxy.host ? arena_copy(http->arena, &proxy, sizeof proxy) : NULL;
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
