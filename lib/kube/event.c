/* event.c - a map of what was told lately, so that repetition is counted instead of told. */
#include "kube/event.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "base/map.h"
#include "base/rand.h"
#include "base/str.h"
#include "k8s/meta.h"
#include "kube/client.h"
#include "net/http.h"

enum { NOTE_MAX = 1000, NAME_MAX_BYTES = 200, REMEMBERED_MAX = 4096 };
#define SERIES_EVERY (60 * USEC_SEC)
#define FORGET_AFTER (6 * 60 * USEC_SEC)

struct told {
    char *name; /* of the Event object */
    char *namespace;
    unsigned count;
    usec last;      /* when it last happened */
    usec last_sent; /* when the server last heard of it */
};

struct recorder {
    struct client *client;
    char *instance;
    pthread_mutex_t lock; /* told */
    struct map told;
};

struct recorder *recorder_new(struct client *client, const char *instance)
{
    struct recorder *recorder = must_alloc(sizeof *recorder);

    recorder->client = client;
    recorder->instance = must_str(instance);
    pthread_mutex_init(&recorder->lock, NULL);
    return recorder;
}

static void told_free(void *value)
{
    struct told *told = value;

    free(told->name);
    free(told->namespace);
    free(told);
}

void recorder_free(struct recorder *recorder)
{
    if (!recorder)
        return;
    map_done(&recorder->told, told_free);
    pthread_mutex_destroy(&recorder->lock);
    free(recorder->instance);
    free(recorder);
}

static void on_done(void *userdata, struct http_response *response, int rc,
                    const struct error *err)
{
    (void)userdata;
    if (rc < 0)
        log_debug(NULL, "an event was not sent", KV("error", error_text(err)));
    else if (response->status >= 300)
        log_debug(NULL, "an event was refused", KV_INT("status", response->status));
}

static void send(struct recorder *recorder, const char *method, const char *path,
                 const char *content_type, const struct json *body)
{
    scoped(buf) struct buf text = { 0 };

    json_write(body, JSON_COMPACT, &text);
    http_start(client_http(recorder->client),
               &(struct http_request){ .method = method, .path = path, .body = text.bytes,
                                       .body_len = text.len, .content_type = content_type },
               on_done);
}

static char *events_path(struct arena *a, const char *namespace, const char *name)
{
    return fmt(a, "/apis/events.k8s.io/v1/namespaces/%s/events%s%s", namespace, name ? "/" : "",
               name ?: "");
}

/* Events about cluster-wide objects live in the default namespace. */
static const char *namespace_of(const struct event_text *text)
{
    return text->about->namespace ?: "default";
}

static struct json *regarding(struct arena *a, const struct event_text *text)
{
    struct json *ref = json_object(a);

    json_set_str(a, ref, "apiVersion", kind_api_version(a, text->kind));
    json_set_str(a, ref, "kind", text->kind->kind);
    json_set_str(a, ref, "name", text->about->name);
    if (text->about->namespace)
        json_set_str(a, ref, "namespace", text->about->namespace);
    if (text->about->uid)
        json_set_str(a, ref, "uid", text->about->uid);
    return ref;
}

/* At most so many bytes, never half a character. */
static char *cut(struct arena *a, const char *text, size_t most)
{
    size_t len = strnlen(text, most + 1);

    if (len > most)
        for (len = most; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
            len--;
    return arena_strn(a, text, len);
}

static void send_first(struct recorder *recorder, const struct event_text *text, const char *name)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *event = json_object(a);
    struct json *meta = json_object(a);

    json_set_str(a, meta, "name", name);
    json_set_str(a, meta, "namespace", namespace_of(text));
    json_set_str(a, event, "apiVersion", "events.k8s.io/v1");
    json_set_str(a, event, "kind", "Event");
    json_set(a, event, "metadata", meta);
    json_set_str(a, event, "eventTime", time_text(a, clock_wall(), true));
    json_set_str(a, event, "reportingController", text->controller);
    json_set_str(a, event, "reportingInstance", recorder->instance);
    json_set_str(a, event, "action", text->action);
    json_set_str(a, event, "reason", text->reason);
    json_set(a, event, "regarding", regarding(a, text));
    json_set_str(a, event, "note", cut(a, text->note, NOTE_MAX));
    json_set_str(a, event, "type", text->warning ? "Warning" : "Normal");
    send(recorder, "POST", events_path(a, namespace_of(text), NULL), "application/json", event);
}

static void send_series(struct recorder *recorder, const struct told *told)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *patch = json_object(a);
    struct json *series = json_object(a);

    json_set(a, series, "count", json_int(a, told->count));
    json_set_str(a, series, "lastObservedTime", time_text(a, clock_wall(), true));
    json_set(a, patch, "series", series);
    send(recorder, "PATCH", events_path(a, told->namespace, told->name),
         "application/merge-patch+json", patch);
}

/* The lock is held. */
static void forget_old(struct recorder *recorder, usec now)
{
    const char *key;
    void *value;

    if (recorder->told.count < REMEMBERED_MAX / 4)
        return;
    for (size_t at = 0; map_next(&recorder->told, &at, &key, &value);)
        if (now - ((struct told *)value)->last > FORGET_AFTER ||
            recorder->told.count > REMEMBERED_MAX)
            told_free(map_remove(&recorder->told, key));
}

static struct told *told_new(const struct event_text *text)
{
    struct told *told = must_alloc(sizeof *told);
    size_t len = strnlen(text->about->name, NAME_MAX_BYTES);
    char tail[17];

    while (len && !isalnum((unsigned char)text->about->name[len - 1]))
        len--; /* what stands before a dot ends with a letter or a digit */
    rand_name(tail, sizeof tail - 1);
    if (asprintf(&told->name, "%.*s.%s", (int)len, text->about->name, tail) < 0)
        abort();
    told->namespace = must_str(namespace_of(text));
    told->count = 1;
    return told;
}

void recorder_event(struct recorder *recorder, const struct event_text *text)
{
    scoped(arena) struct arena *a = arena_new();
    usec now = clock_now();
    char *key = fmt(a, "%s|%s|%s|%s|%s", text->about->uid ?: text->about->name, text->controller,
                    text->reason, text->action, text->note);
    scoped_lock(&recorder->lock);
    struct told *told = map_get(&recorder->told, key);

    if (told && now - told->last > FORGET_AFTER) {
        told_free(map_remove(&recorder->told, key));
        told = NULL;
    }
    if (!told) {
        forget_old(recorder, now);
        told = told_new(text);
        map_put(&recorder->told, key, told);
        send_first(recorder, text, told->name);
        told->last_sent = now;
    } else {
        told->count++;
        if (now - told->last_sent >= SERIES_EVERY) {
            send_series(recorder, told);
            told->last_sent = now;
        }
    }
    told->last = now;
}
