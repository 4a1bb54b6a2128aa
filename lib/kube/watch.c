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
#include "json/docs.h"
#include "json/list.h"
#include "k8s/meta.h"
#include "kube/client.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/url.h"

enum { PAGE = 500, AROUND_MAX = 1024 * 1024, WATCH_SECONDS = 300 };
#define BACKOFF_FIRST (200 * USEC_MSEC)
#define BACKOFF_MOST (30 * USEC_SEC)
#define LOOK_AGAIN (60 * USEC_SEC)

enum phase { STREAM, PAGES, WATCH };

struct watch {
    struct client *client;
    struct arena *arena; /* of the options */
    struct watch_options options;
    struct watch_sink sink;
    struct timer *timer;
    uint64_t request; /* the HTTP call under way, 0 for none */
    enum phase phase;
    bool stopped;
    bool no_streaming; /* the server refused it */
    bool listing;      /* on_begin was told, on_end was not */
    char *version;     /* resourceVersion to go on from */
    char *more;        /* PAGES: where the next page begins */
    struct doc_cutter *docs;
    struct list_cutter *list;
    struct arena *scratch; /* of one object */
    unsigned failures;     /* in a row */
    int ended;             /* why the stream is to end: 0 or an errno from an ERROR event */
    struct error err;
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

static void run(void *arg);
static void watch_free(struct watch *w);

/* ------------------------------------------------------------------ objects */

/* What can be read of a broken object: its metadata, or nothing. */
static const char *read_bad(struct watch *w, const char *text, size_t len, void *object,
                            const struct error *err)
{
    const struct field *all = w->options.kind->type->fields;
    const struct field only_meta[] = { all[0], { 0 } };
    const struct type type = { .name = "metadata", .size = w->options.kind->type->size,
                               .fields = only_meta };

    memset(object, 0, w->options.kind->type->size);
    if (table_read(w->scratch, &type, text, len, object, NULL) < 0)
        return NULL;
    return arena_str(w->scratch, error_text(err));
}

static void remember_version(struct watch *w, const char *version)
{
    if (!version || str_eq(version, w->version))
        return;
    free(w->version);
    w->version = must_str(version);
}

static void tell(struct watch *w, enum watch_event event, const char *text, size_t len)
{
    const struct kind *kind = w->options.kind;
    const char *bad = NULL;
    struct error err = { 0 };
    void *object;

    arena_reset(w->scratch);
    object = arena_alloc(w->scratch, kind->type->size);
    if (table_read(w->scratch, kind->type, text, len, object, &err) < 0) {
        bad = read_bad(w, text, len, object, &err);
        if (!bad || !((struct k8s_meta *)object)->name) {
            log_error(NULL, "an object without a name was skipped", KV("kind", kind->kind),
                      KV("error", error_text(&err)));
            return;
        }
    }
    if (!w->listing) /* a list counts only when it is complete */
        remember_version(w, ((struct k8s_meta *)object)->resource_version);
    w->sink.on_object(w->sink.userdata, event, object, bad);
}

static void begin_list(struct watch *w)
{
    if (!w->listing)
        w->sink.on_begin(w->sink.userdata);
    w->listing = true;
    metric_add(metric(&lists_family, w->options.kind->kind), 1);
}

static void end_list(struct watch *w)
{
    if (!w->listing)
        return;
    w->listing = false;
    w->sink.on_end(w->sink.userdata, w->version);
}

/* ------------------------------------------------------------------ events of a watch */

static int on_bookmark(struct watch *w, const char *text, size_t len)
{
    struct json *v;

    arena_reset(w->scratch);
    if (json_parse(w->scratch, text, len, &v, NULL) < 0)
        return 0;
    remember_version(w, json_str_or(json_at(v, "metadata.resourceVersion"), NULL));
    if (json_get(json_at(v, "metadata.annotations"), "k8s.io/initial-events-end")) {
        end_list(w);
        w->phase = WATCH;
    }
    return 0;
}

static int on_error_event(struct watch *w, const char *text, size_t len)
{
    struct json *v;
    int code;

    arena_reset(w->scratch);
    if (json_parse(w->scratch, text, len, &v, NULL) < 0)
        v = NULL;
    code = (int)json_int_or(json_get(v, "code"), 500);
    w->ended = client_status_error(code, text, len, &w->err);
    return w->ended ?: -EIO;
}

static int on_event(struct watch *w, const char *type, size_t type_len, const char *object,
                    size_t len)
{
    bool is_gone = type_len == 7 && !memcmp(type, "DELETED", 7);

    if (type_len == 8 && !memcmp(type, "BOOKMARK", 8))
        return on_bookmark(w, object, len);
    if (type_len == 5 && !memcmp(type, "ERROR", 5))
        return on_error_event(w, object, len);
    tell(w, is_gone ? WATCH_GONE : WATCH_PUT, object, len);
    w->failures = 0;
    return 0;
}

/* Any order of members and any white space, by way of a parsed copy. */
static int on_event_slowly(struct watch *w, const char *text, size_t len, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    const char *type;
    const char *object;
    struct json *v;

    if (json_parse(a, text, len, &v, err) < 0)
        return wrap(err, "watch event");
    type = json_str_or(json_get(v, "type"), NULL);
    if (!type || !json_get(v, "object"))
        return fail(err, -EBADMSG, "watch event without type or object");
    object = json_text(a, json_get(v, "object"));
    return on_event(w, type, strlen(type), object, strlen(object));
}

/* {"type":"ADDED","object":{...}}: how servers write it, taken apart without a copy. */
static int on_document(void *userdata, const char *text, size_t len, struct error *err)
{
    static const char head[] = "{\"type\":\"";
    static const char middle[] = "\",\"object\":";
    struct watch *w = userdata;
    const char *type = text + sizeof head - 1;
    const char *quote;
    const char *object;

    if (len < sizeof head + sizeof middle + 4 || memcmp(text, head, sizeof head - 1))
        return on_event_slowly(w, text, len, err);
    quote = memchr(type, '"', 16 < len - sizeof head ? 16 : len - sizeof head);
    if (!quote || (size_t)(text + len - quote) < sizeof middle + 2 ||
        memcmp(quote, middle, sizeof middle - 1) || text[len - 1] != '}')
        return on_event_slowly(w, text, len, err);
    object = quote + sizeof middle - 1;
    return on_event(w, type, (size_t)(quote - type), object, (size_t)(text + len - 1 - object));
}

static int on_item(void *userdata, const char *item, size_t len, struct error *err)
{
    (void)err;
    tell(userdata, WATCH_PUT, item, len);
    return 0;
}

/* ------------------------------------------------------------------ one request */

static const char *query_of(struct watch *w, struct arena *a)
{
    const struct watch_options *o = &w->options;
    const char *selectors = fmt(a, "%s%s%s%s", o->label_selector ? "&labelSelector=" : "",
                                o->label_selector ? url_escape(a, o->label_selector) : "",
                                o->field_selector ? "&fieldSelector=" : "",
                                o->field_selector ? url_escape(a, o->field_selector) : "");
    int seconds = WATCH_SECONDS + (int)rand_below(WATCH_SECONDS);

    if (w->phase == STREAM)
        return fmt(a, "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                      "&allowWatchBookmarks=true&timeoutSeconds=%d%s", seconds, selectors);
    if (w->phase == WATCH)
        return fmt(a, "watch=true&resourceVersion=%s&allowWatchBookmarks=true&timeoutSeconds=%d%s",
                   url_escape(a, w->version), seconds, selectors);
    return fmt(a, "limit=%d%s%s%s", PAGE, w->more ? "&continue=" : "",
               w->more ? url_escape(a, w->more) : "", selectors);
}

static int on_data(void *userdata, const char *bytes, size_t len)
{
    struct watch *w = userdata;
    int rc;

    if (w->stopped)
        return -ECANCELED;
    atomic_store(&w->heard, clock_now());
    rc = w->list ? list_cutter_feed(w->list, bytes, len, &w->err)
                 : doc_cutter_feed(w->docs, bytes, len, &w->err);
    if (rc < 0)
        w->ended = rc;
    return rc;
}

static void make_cutter(struct watch *w)
{
    if (w->phase == PAGES)
        w->list = list_cutter_new(&(struct list_options){ .array = "items",
                                                          .item_limit = OBJECT_MAX,
                                                          .around_limit = AROUND_MAX,
                                                          .on_item = on_item,
                                                          .userdata = w });
    else
        w->docs = doc_cutter_new(&(struct doc_options){ .limit = OBJECT_MAX,
                                                        .on_document = on_document,
                                                        .userdata = w });
}

static void drop_cutter(struct watch *w)
{
    doc_cutter_free(w->docs);
    list_cutter_free(w->list);
    w->docs = NULL;
    w->list = NULL;
}

/* ------------------------------------------------------------------ and then? */

static void again_after(struct watch *w, usec wait)
{
    timer_set(w->timer, wait);
}

static void back_off(struct watch *w)
{
    again_after(w, backoff(w->failures++, BACKOFF_FIRST, BACKOFF_MOST));
}

static void start_over(struct watch *w)
{
    free(w->version);
    free(w->more);
    w->version = NULL;
    w->more = NULL;
    w->phase = w->no_streaming ? PAGES : STREAM;
}

/* A page is complete: the next one, or the watch from the version of the list. */
static int finish_page(struct watch *w)
{
    const char *around;
    const char *more;
    struct json *v;
    size_t len;
    int rc = list_cutter_end(w->list, &around, &len, &w->err);

    arena_reset(w->scratch);
    rc = rc ?: json_parse(w->scratch, around, len, &v, &w->err);
    if (rc < 0)
        return rc;
    remember_version(w, json_str_or(json_at(v, "metadata.resourceVersion"), NULL));
    more = json_str_or(json_at(v, "metadata.continue"), NULL);
    free(w->more);
    w->more = str_empty(more) ? NULL : must_str(more);
    if (!w->more) {
        end_list(w);
        w->phase = WATCH;
    }
    w->failures = 0;
    return 0;
}

static void report(struct watch *w, const char *message)
{
    log_info(NULL, message, KV("kind", w->options.kind->kind), KV("error", error_text(&w->err)));
}

/* The request failed with w->err; decide how to go on. */
static void recover(struct watch *w, int rc, int status)
{
    if (w->phase == STREAM && (status == 400 || status == 422)) {
        log_debug(NULL, "the server has no streaming lists", KV("kind", w->options.kind->kind));
        w->no_streaming = true;
        start_over(w);
        again_after(w, 0);
        return;
    }
    if (rc == -EKEYEXPIRED) {
        log_debug(NULL, "too far behind, listing again", KV("kind", w->options.kind->kind));
        start_over(w);
        again_after(w, backoff(w->failures++, USEC_MSEC, BACKOFF_MOST));
        return;
    }
    if (rc == -ENOENT && w->options.optional) {
        end_list(w);
        start_over(w);
        again_after(w, LOOK_AGAIN);
        return;
    }
    if (rc == -EPROTO || rc == -EACCES)
        client_refresh(w->client);
    if (w->phase != WATCH)
        start_over(w);
    if (w->failures == 0 || w->failures % 10 == 9)
        report(w, "watch failed, trying again");
    back_off(w);
}

static void on_done(void *userdata, struct http_response *response, int rc,
                    const struct error *err)
{
    struct watch *w = userdata;

    w->request = 0;
    if (w->stopped) {
        watch_free(w);
        return;
    }
    if (rc == 0)
        rc = client_status_error(response->status, response->body.bytes, response->body.len,
                                 &w->err);
    else if (!w->ended)
        w->err = *err;
    rc = w->ended ?: rc;
    if (rc == 0 && w->phase == PAGES)
        rc = finish_page(w);
    else if (rc == 0 && w->phase == STREAM)
        rc = fail(&w->err, -ECONNRESET, "the stream ended before the list was complete");
    drop_cutter(w);
    if (rc < 0)
        recover(w, rc, response->status);
    else
        again_after(w, 0); /* the server ends a watch when its time is up */
}

static void run(void *arg)
{
    struct watch *w = arg;
    scoped(arena) struct arena *a = arena_new();
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
        .on_data = on_data,
        .userdata = w,
    };

    w->ended = 0;
    error_clear(&w->err);
    if (w->phase != WATCH && !w->more)
        begin_list(w);
    make_cutter(w);
    metric_add(metric(&restarts_family, w->options.kind->kind), 1);
    w->request = http_start(client_http(w->client), &request, on_done);
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
    w->scratch = arena_new();
    w->sink = *sink;
    w->options = *options;
    w->options.namespace = arena_str(w->arena, options->namespace);
    w->options.label_selector = arena_str(w->arena, options->label_selector);
    w->options.field_selector = arena_str(w->arena, options->field_selector);
    w->phase = STREAM;
    loop_call(client_loop(client), begin, w);
    return w;
}

static void watch_free(struct watch *w)
{
    drop_cutter(w);
    timer_free(w->timer);
    arena_free(w->scratch);
    arena_free(w->arena);
    free(w->version);
    free(w->more);
    free(w);
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
