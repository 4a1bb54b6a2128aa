/* call.c - one call or many at once: sent, awaited, repeated where that is safe. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/metrics.h"
#include "base/str.h"
#include "k8s/meta.h"
#include "kube/client_internal.h"
#include "net/http.h"
#include "net/url.h"

enum { TRIES = 5 };
#define BACKOFF_FIRST (100 * USEC_MSEC)
#define BACKOFF_MOST (5 * USEC_SEC)

static struct metric_family requests_family = {
    .name = "rest_client_requests_total", .help = "Requests to the API server by status.",
    .labels = { "code", "method", "host" },
};
static struct metric_family duration_family = {
    .name = "rest_client_request_duration_seconds", .help = "How long requests take.",
    .type = METRIC_HISTOGRAM, .buckets = metric_latency_buckets, .labels = { "verb", "host" },
};

static const struct {
    const char *method;
    const char *content_type;
    bool repeatable; /* sending it twice does no harm */
} verbs[] = {
    [VERB_GET] = { "GET", NULL, true },
    [VERB_CREATE] = { "POST", "application/json", false },
    [VERB_APPLY] = { "PATCH", "application/apply-patch+yaml", true },
    [VERB_MERGE_PATCH] = { "PATCH", "application/merge-patch+json", true },
    [VERB_JSON_PATCH] = { "PATCH", "application/json-patch+json", false },
    [VERB_STRATEGIC_PATCH] = { "PATCH", "application/strategic-merge-patch+json", true },
    [VERB_UPDATE] = { "PUT", "application/json", false },
    [VERB_DELETE] = { "DELETE", "application/json", true },
};

/* Calls that were started together; the worker waits until none is left. */
struct group {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    size_t left;
};

struct flight {
    const struct call *call;
    struct outcome *outcome;
    struct group *group;
    const char *path;
    struct buf body;
    usec deadline;
    unsigned tries;
    bool due;        /* to be sent: for the first time or once more */
    usec wait;       /* the server's own wish, 0 for none */
    struct http_response response;
    struct error err;
    int rc;
};

/* ------------------------------------------------------------------ what is sent */

/* Every object begins with its metadata. */
static const struct k8s_meta *meta_of(const struct call *call)
{
    return call->object;
}

static const char *namespace_of(const struct call *call)
{
    return call->namespace ?: (call->object ? meta_of(call)->namespace : NULL);
}

static const char *name_of(const struct call *call)
{
    return call->name ?: (call->object ? meta_of(call)->name : NULL);
}

static char *path_of(struct client *client, struct arena *a, const struct call *call)
{
    const char *base = client_path(a, call->kind, namespace_of(call),
                                   call->verb == VERB_CREATE ? call->name : name_of(call),
                                   call->subresource);
    bool patch = call->verb == VERB_APPLY || call->verb == VERB_MERGE_PATCH ||
                 call->verb == VERB_JSON_PATCH || call->verb == VERB_STRATEGIC_PATCH;
    bool write = patch || call->verb == VERB_CREATE || call->verb == VERB_UPDATE;

    return fmt(a, "%s%s%s%s%s", base, write ? "?fieldManager=" : "",
               write ? url_escape(a, client->manager) : "",
               call->verb == VERB_APPLY && call->force ? "&force=true" : "",
               !call->dry_run ? "" : write ? "&dryRun=All" : "?dryRun=All");
}

static void write_delete_options(struct buf *out, const struct call *call)
{
    buf_str(out, "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"");
    if (call->grace_seconds.set)
        buf_fmt(out, ",\"gracePeriodSeconds\":%lld", (long long)call->grace_seconds.value);
    if (call->propagation)
        buf_fmt(out, ",\"propagationPolicy\":\"%s\"", call->propagation);
    if (call->uid || call->resource_version) {
        buf_str(out, ",\"preconditions\":{");
        if (call->uid)
            buf_fmt(out, "\"uid\":\"%s\"", call->uid);
        if (call->resource_version)
            buf_fmt(out, "%s\"resourceVersion\":\"%s\"", call->uid ? "," : "",
                    call->resource_version);
        buf_char(out, '}');
    }
    buf_char(out, '}');
}

static void write_body(struct buf *out, const struct call *call)
{
    if (call->body)
        buf_str(out, call->body);
    else if (call->verb == VERB_DELETE)
        write_delete_options(out, call);
    else if (call->object && call->verb != VERB_GET)
        kind_write(call->kind, call->object, out);
}

/* ------------------------------------------------------------------ sending and waiting */

/* On the loop thread. */
static void on_done(void *userdata, struct http_response *response, int rc,
                    const struct error *err)
{
    struct flight *flight = userdata;
    struct group *group = flight->group;

    flight->response = take(*response);
    flight->rc = rc;
    if (rc < 0 && err)
        flight->err = *err;
    scoped_lock(&group->lock);
    if (--group->left == 0)
        pthread_cond_signal(&group->finished);
}

static void send_flight(struct client *client, struct flight *flight)
{
    struct http_request request = {
        .method = verbs[flight->call->verb].method,
        .path = flight->path,
        .body = flight->body.bytes,
        .body_len = flight->body.len,
        .content_type = flight->body.len ? verbs[flight->call->verb].content_type : NULL,
        .deadline = flight->deadline,
        .body_limit = OBJECT_MAX,
        .userdata = flight,
    };

    flight->tries++;
    flight->wait = 0;
    http_response_done(&flight->response);
    flight->response = (struct http_response){ 0 };
    http_start(client->http, &request, on_done);
}

static void send_and_wait(struct client *client, struct flight *flights, size_t n)
{
    struct group group = { .lock = PTHREAD_MUTEX_INITIALIZER,
                           .finished = PTHREAD_COND_INITIALIZER };

    for (size_t i = 0; i < n; i++)
        group.left += flights[i].due;
    for (size_t i = 0; i < n; i++) {
        if (!flights[i].due)
            continue;
        flights[i].group = &group;
        send_flight(client, &flights[i]);
    }
    pthread_mutex_lock(&group.lock);
    while (group.left)
        pthread_cond_wait(&group.finished, &group.lock); /* each call ends by its deadline */
    pthread_mutex_unlock(&group.lock);
    pthread_mutex_destroy(&group.lock);
    pthread_cond_destroy(&group.finished);
}

/* ------------------------------------------------------------------ what came back */

void client_count(struct client *client, const char *method, int status)
{
    char code[16] = "<error>";

    if (status)
        snprintf(code, sizeof code, "%d", status);
    metric_add(metric(&requests_family, code, method, client->host), 1);
}

static void count_request(struct client *client, const struct flight *flight)
{
    const char *method = verbs[flight->call->verb].method;

    client_count(client, method, flight->rc == 0 ? flight->response.status : 0);
    metric_observe(metric(&duration_family, method, client->host),
                   (double)flight->response.took / 1e6);
}

usec client_retry_after(const struct http_response *response)
{
    int64_t seconds;

    if (!str_int(http_header(response, "retry-after"), &seconds) || seconds < 0 || seconds > 3600)
        return 0;
    return seconds * USEC_SEC;
}

/* Whether the server can have acted on what failed; if not, anything may be repeated. */
static bool never_processed(const struct flight *flight)
{
    if (flight->rc < 0)
        return flight->rc == -ECONNREFUSED || flight->rc == -EHOSTUNREACH ||
               flight->rc == -ENETUNREACH;
    return flight->response.status == 429 || flight->response.status == 401;
}

static bool worth_repeating(struct client *client, struct flight *flight)
{
    int status = flight->response.status;

    if (flight->rc == -EPERM || flight->rc == -ECANCELED || flight->rc == -EMSGSIZE)
        return false;
    if (flight->rc == -EPROTO || status == 401)
        client_refresh(client);
    else if (flight->rc == 0 && status != 429 && status < 500)
        return false;
    return never_processed(flight) || verbs[flight->call->verb].repeatable;
}

/* Whether the answer is the object itself; DELETE and most subresources may answer with a Status. */
static bool answers_with_object(const struct call *call, const struct buf *body)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *v;

    if (!body->len)
        return false;
    if (call->verb != VERB_DELETE && (!call->subresource || str_eq(call->subresource, "status")))
        return true;
    return json_parse(a, body->bytes, body->len, &v, NULL) == 0 &&
           str_eq(json_str_or(json_get(v, "kind"), NULL), call->kind->kind);
}

static void decode(struct arena *a, struct flight *flight)
{
    const struct type *type = flight->call->kind->type;
    const struct buf *body = &flight->response.body;
    struct outcome *outcome = flight->outcome;
    void *object;

    if (!answers_with_object(flight->call, body))
        return;
    object = arena_alloc(a, type->size);
    if (table_read(a, type, body->bytes, body->len, object, &outcome->err) == 0) {
        outcome->object = object;
    } else if (flight->call->verb == VERB_GET) {
        outcome->code = -EBADMSG;
        wrap(&outcome->err, "cannot be read");
    } else {
        error_clear(&outcome->err); /* it was written all the same, and the watch will tell */
    }
}

static void settle(struct client *client, struct arena *a, struct flight *flight)
{
    struct outcome *outcome = flight->outcome;
    const struct buf *body = &flight->response.body;

    count_request(client, flight);
    flight->due = false;
    *outcome = (struct outcome){ .status = flight->response.status };
    if (flight->rc < 0) {
        outcome->code = flight->rc;
        outcome->err = flight->err;
    } else {
        outcome->code = client_status_error(outcome->status, body->bytes, body->len, &outcome->err);
        if (outcome->code == 0)
            decode(a, flight);
    }
    if (outcome->code == 0 || !worth_repeating(client, flight))
        return;
    flight->wait = client_retry_after(&flight->response);
    flight->due = flight->tries < TRIES &&
                  clock_now() + flight->wait + BACKOFF_FIRST < flight->deadline;
}

static void settle_all(struct client *client, struct arena *a, struct flight *flights, size_t n,
                       usec *ret_pause)
{
    *ret_pause = 0;
    for (size_t i = 0; i < n; i++) {
        struct flight *flight = &flights[i];
        usec pause;

        if (!flight->due)
            continue;
        settle(client, a, flight);
        if (!flight->due)
            continue;
        pause = flight->wait ?: backoff(flight->tries - 1, BACKOFF_FIRST, BACKOFF_MOST);
        if (pause > *ret_pause)
            *ret_pause = pause;
    }
}

bool client_pause(struct client *client, usec span)
{
    usec until = clock_now() + span;
    struct timespec deadline = { .tv_sec = until / USEC_SEC, .tv_nsec = until % USEC_SEC * 1000 };
    scoped_lock(&client->lock);

    while (!client->hurry && clock_now() < until)
        pthread_cond_timedwait(&client->hurried, &client->lock, &deadline);
    return !client->hurry;
}

static size_t fly(struct client *client, struct arena *a, struct flight *flights, size_t n)
{
    size_t failed = 0;
    usec pause;

    for (size_t i = 0; i < n; i++)
        flights[i].due = true;
    do {
        send_and_wait(client, flights, n);
        settle_all(client, a, flights, n, &pause);
    } while (pause && client_pause(client, pause));
    for (size_t i = 0; i < n; i++)
        failed += flights[i].outcome->code < 0;
    return failed;
}

size_t client_batch(struct client *client, struct arena *a, const struct call *calls, size_t n,
                    struct outcome *outcomes)
{
    struct flight *flights = must_alloc(n * sizeof *flights);
    usec deadline = clock_now() + client->timeout;
    size_t failed;

    for (size_t i = 0; i < n; i++) {
        flights[i].call = &calls[i];
        flights[i].outcome = &outcomes[i];
        flights[i].deadline = calls[i].deadline ?: deadline;
        flights[i].path = path_of(client, a, &calls[i]);
        write_body(&flights[i].body, &calls[i]);
    }
    failed = fly(client, a, flights, n);
    for (size_t i = 0; i < n; i++) {
        buf_done(&flights[i].body);
        http_response_done(&flights[i].response);
    }
    free(flights);
    return failed;
}

int client_call(struct client *client, struct arena *a, const struct call *call,
                struct outcome *ret, struct error *err)
{
    static const char *const words[] = {
        [VERB_GET] = "get",         [VERB_CREATE] = "create",        [VERB_APPLY] = "apply",
        [VERB_MERGE_PATCH] = "patch", [VERB_JSON_PATCH] = "patch",
        [VERB_STRATEGIC_PATCH] = "patch", [VERB_UPDATE] = "update",
        [VERB_DELETE] = "delete",
    };
    struct outcome outcome;

    ret = ret ?: &outcome;
    if (client_batch(client, a, call, 1, ret) == 0)
        return 0;
    if (err)
        *err = ret->err;
    return wrap(err, "%s %s %s", words[call->verb], call->kind->kind, name_of(call) ?: "") < 0
        ? ret->code : -EIO;
}
