/* watch.c - list, then watch, then list again when the server has forgotten where we were.
 *
 *     STREAM ──────► WATCH ◄─────── PAGES        STREAM: one watch that begins with what there is
 *        │ 4xx          │ 410                    PAGES:  for servers without such lists
 *        └────► PAGES ◄─┘ (or STREAM)
 *
 * All of it happens on the loop thread.
 */
#include "kube/watch.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/log.h"
#include "base/metrics.h"
#include "base/rand.h"
#include "base/str.h"
#include "kube/client_internal.h"
#include "kube/watch_read.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/url.h"

enum { PAGE = 500, WATCH_SECONDS = 300 };
#define BACKOFF_FIRST (200 * USEC_MSEC)
#define BACKOFF_MOST (10 * USEC_SEC)
#define LOOK_AGAIN (300 * USEC_SEC)
#define TOO_SHORT USEC_SEC

enum phase { STREAM, PAGES, WATCH };

struct watch {
    struct client *client;
    struct arena *arena; /* of the options */
    struct watch_options options;
    struct watch_reader reader;
    struct timer *timer;
    uint64_t request; /* the HTTP call under way, 0 for none */
    enum phase phase;
    bool stopped;
    bool no_streaming; /* the server refused it */
    usec began;        /* the request under way */
    unsigned failures; /* in a row */
    _Atomic usec heard;
};

static struct metric_family lists_family = {
    .name = "windlass_watch_lists_total", .help = "Times a kind was listed from the beginning.",
    .labels = { "kind" },
};
static struct metric_family restarts_family = {
    .name = "windlass_watch_restarts_total", .help = "Times a watch was opened.",
    .labels = { "kind" },
};

static void watch_free(struct watch *w)
{
    watch_reader_done(&w->reader);
    timer_free(w->timer);
    arena_free(w->arena);
    free(w);
}

/* ------------------------------------------------------------------ one request */

static const char *query_of(struct watch *w, struct arena *a)
{
    const struct watch_options *o = &w->options;
    const char *selectors = fmt(a, "%s%s%s%s", o->label_selector ? "&labelSelector=" : "",
                                o->label_selector ? url_escape(a, o->label_selector) : "",
                                o->field_selector ? "&fieldSelector=" : "",
                                o->field_selector ? url_escape(a, o->field_selector) : "");
    const char *more = w->reader.more;
    int seconds = WATCH_SECONDS + (int)rand_below(WATCH_SECONDS);

    if (w->phase == STREAM)
        return fmt(a, "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                      "&allowWatchBookmarks=true&timeoutSeconds=%d%s", seconds, selectors);
    if (w->phase == WATCH)
        return fmt(a, "watch=true&resourceVersion=%s&allowWatchBookmarks=true&timeoutSeconds=%d%s",
                   url_escape(a, w->reader.version), seconds, selectors);
    return fmt(a, "limit=%d%s%s%s", PAGE, more ? "&continue=" : "", more ? url_escape(a, more) : "",
               selectors);
}

static int on_data(void *userdata, const char *bytes, size_t len)
{
    struct watch *w = userdata;

    if (w->stopped)
        return -ECANCELED;
    atomic_store(&w->heard, clock_now());
    return watch_reader_feed(&w->reader, bytes, len);
}

/* The answer has begun: from now on silence is normal. */
static int on_headers(void *userdata, const struct http_response *response)
{
    struct watch *w = userdata;

    (void)response;
    timer_stop(w->timer);
    return 0;
}

/* ------------------------------------------------------------------ and then? */

static void back_off(struct watch *w, usec at_least)
{
    usec wait = backoff(w->failures++, BACKOFF_FIRST, BACKOFF_MOST);

    timer_set(w->timer, wait > at_least ? wait : at_least);
}

static void start_over(struct watch *w)
{
    watch_reader_forget(&w->reader);
    w->phase = w->no_streaming ? PAGES : STREAM;
}

static void relist(struct watch *w, const char *why)
{
    log_debug(NULL, why, KV("kind", w->options.kind->kind));
    start_over(w);
    timer_set(w->timer, backoff(w->failures++, USEC_MSEC, BACKOFF_MOST));
}

/* A server that was restored from a backup does not know our version yet, and may never. */
static bool is_ahead_of_server(const struct watch *w)
{
    return strstr(error_text(&w->reader.err), "Too large resource version");
}

/* The request failed with the reader's err; decide how to go on. */
static void recover(struct watch *w, int rc, const struct http_response *response)
{
    if (w->phase == STREAM && (response->status == 400 || response->status == 422)) {
        w->no_streaming = true;
        relist(w, "the server has no streaming lists");
        return;
    }
    if (rc == -EKEYEXPIRED || is_ahead_of_server(w)) {
        relist(w, "the server does not know our version, listing again");
        return;
    }
    if (rc == -ENOENT && w->options.optional) {
        watch_reader_end(&w->reader);
        start_over(w);
        timer_set(w->timer, LOOK_AGAIN);
        return;
    }
    if (rc == -EPROTO || rc == -EACCES)
        client_refresh(w->client);
    if (w->phase != WATCH)
        start_over(w);
    LOG_AT(w->failures % 10 ? LOG_DEBUG : LOG_INFO, NULL, "watch failed, trying again",
           KV("kind", w->options.kind->kind), KV("error", error_text(&w->reader.err)));
    back_off(w, client_retry_after(response));
}

/* What a complete answer means for the phase we are in. */
static int finish(struct watch *w)
{
    struct watch_reader *r = &w->reader;

    if (w->phase == PAGES)
        return watch_reader_end_page(r);
    if (w->phase == STREAM)
        return fail(&r->err, -ECONNRESET, "the stream ended before the list was complete");
    /* The server ends a watch when its time is up, but not over and over. */
    if (!r->progress && clock_now() - w->began < TOO_SHORT)
        return fail(&r->err, -ECONNRESET, "the server ended the watch at once");
    return 0;
}

static int result_of(struct watch *w, const struct http_response *response, int rc,
                     const struct error *err)
{
    struct watch_reader *r = &w->reader;

    if (r->ended)
        return r->ended;
    if (rc < 0) {
        r->err = *err;
        return rc;
    }
    return client_status_error(response->status, response->body.bytes, response->body.len, &r->err);
}

static void on_done(void *userdata, struct http_response *response, int rc,
                    const struct error *err)
{
    struct watch *w = userdata;
    struct watch_reader *r = &w->reader;

    w->request = 0;
    client_count(w->client, "GET", rc < 0 ? 0 : response->status);
    if (w->stopped) {
        watch_free(w);
        return;
    }
    rc = result_of(w, response, rc, err);
    if (w->phase == STREAM && !r->listing)
        w->phase = WATCH;
    rc = rc ?: finish(w);
    if (w->phase == PAGES && !r->listing)
        w->phase = WATCH;
    watch_reader_drop(r);
    if (r->progress)
        w->failures = 0;
    if (rc < 0)
        recover(w, rc, response);
    else
        timer_set(w->timer, 0);
}

/* When the timer fires: the next request, or the end of one that is not answered. */
static void run(void *arg)
{
    struct watch *w = arg;
    scoped(arena) struct arena *a = arena_new();
    const char *kind = w->options.kind->kind;
    const char *path = client_path(a, w->options.kind, w->options.namespace, NULL, NULL);
    const char *const headers[] = {
        w->options.metadata_only
            ? "Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1, "
              "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
            : "Accept: application/json",
        NULL,
    };
    struct http_request request = {
        .path = fmt(a, "%s?%s", path, query_of(w, a)),
        .headers = headers,
        .deadline = USEC_NEVER,
        .idle_limit = w->phase == PAGES ? 60 * USEC_SEC : (2 * WATCH_SECONDS + 30) * USEC_SEC,
        .on_headers = on_headers,
        .on_data = on_data,
        .userdata = w,
    };

    if (w->request) {
        w->reader.ended = fail(&w->reader.err, -ETIMEDOUT, "no answer");
        http_cancel(client_http(w->client), w->request);
        return;
    }

    if (w->phase != WATCH && !w->reader.more) {
        watch_reader_begin(&w->reader);
        metric_add(metric(&lists_family, kind), 1);
    }
    watch_reader_expect(&w->reader, w->phase == PAGES);
    metric_add(metric(&restarts_family, kind), 1);
    w->began = clock_now();
    w->request = http_start(client_http(w->client), &request, on_done);
    timer_set(w->timer, client_timeout(w->client));
}

/* ------------------------------------------------------------------ life */

static void begin(void *arg)
{
    struct watch *w = arg;

    w->timer = timer_new(client_loop(w->client), 0, 0, run, w);
}

struct watch *watch_start(struct client *client, const struct watch_options *options,
                          const struct watch_sink *sink)
{
    struct watch *w = must_alloc(sizeof *w);

    w->client = client;
    w->arena = arena_new();
    w->options = *options;
    w->options.namespace = arena_str(w->arena, options->namespace);
    w->options.label_selector = arena_str(w->arena, options->label_selector);
    w->options.field_selector = arena_str(w->arena, options->field_selector);
    w->phase = STREAM;
    watch_reader_init(&w->reader, options->kind, sink);
    loop_call(client_loop(client), begin, w);
    return w;
}

static void end(void *arg)
{
    struct watch *w = arg;

    w->stopped = true;
    timer_stop(w->timer);
    if (w->request)
        http_cancel(client_http(w->client), w->request); /* on_done frees */
    else
        watch_free(w);
}

void watch_stop(struct watch *w)
{
    if (w)
        loop_call(client_loop(w->client), end, w);
}

usec watch_last_heard(const struct watch *w)
{
    return atomic_load(&w->heard);
}
