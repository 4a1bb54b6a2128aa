/* webhook.c - the server of the hooks: from requests to verdicts, and leaving politely. */
#include "webhook/webhook.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/metrics.h"
#include "base/str.h"
#include "k8s/meta.h"
#include "net/server.h"
#include "webhook/conversion.h"

#define DRAIN_TIME (10 * USEC_SEC)
enum {
    WORKERS = 4,
    CONNECTIONS_MAX = 1024,
};

/* One path. */
struct spot {
    struct webhook *webhook;
    const struct hook *hook; /* NULL: conversion */
    struct review_shape shape;
    struct metric *answered, *refused, *seconds;
};

struct webhook {
    struct webhook_options options;
    struct server *server;
    struct spot *spots;
    struct route *routes;
};

static const double latency_buckets[] = { 1e-5,   2.5e-5, 5e-5, 1e-4, 2.5e-4, 1e-3, 5e-3,
                                          2.5e-2, 0.1,    0.5,  1,    5,      10,   0 };
static struct metric_family requests_family = {
    .name = "controller_runtime_webhook_requests_total",
    .help = "Reviews by path and HTTP status.",
    .type = METRIC_COUNTER,
    .labels = { "webhook", "code" },
};
static struct metric_family seconds_family = {
    .name = "controller_runtime_webhook_latency_seconds",
    .help = "How long reviews took.",
    .type = METRIC_HISTOGRAM,
    .labels = { "webhook" },
    .buckets = latency_buckets,
};

/* ------------------------------------------------------------------ one review */

static void deny(struct verdict *verdict, int code, const char *reason, const char *message)
{
    verdict->allowed = false;
    verdict->code = code;
    verdict->reason = reason;
    verdict->message = message;
}

static void warn(struct arena *a, struct verdict *verdict, const char *text)
{
    const char **v = arena_make_n(a, const char *, verdict->warnings.n + 1);

    if (verdict->warnings.n)
        memcpy(v, verdict->warnings.v, verdict->warnings.n * sizeof *v);
    v[verdict->warnings.n] = text;
    verdict->warnings = (struct strs) { .v = v, .n = verdict->warnings.n + 1 };
}

/* An object that is going must be able to lose its finalizers, whatever else is in it. */
static void judge_unreadable(struct arena *a, const struct review *review, struct verdict *verdict)
{
    const struct k8s_meta *meta = review->object;

    if (review->old_object && meta && meta->deletion_timestamp)
        warn(a, verdict, fmt(a, "not checked while it is being deleted: %s", review->bad_object));
    else
        deny(verdict, 400, "BadRequest", review->bad_object);
}

/* The verdict on what needs no rules; false leaves it to the hook. */
static bool judge_form(struct arena *a, struct review *review, struct verdict *verdict)
{
    bool updates = str_eq(review->operation, "UPDATE");

    if (str_eq(review->operation, "DELETE") || str_eq(review->operation, "CONNECT"))
        return true;
    if (!updates && !str_eq(review->operation, "CREATE"))
        deny(verdict, 400, "BadRequest",
             fmt(a, "request.operation: '%s' is not CREATE, UPDATE, DELETE or CONNECT",
                 review->operation));
    else if (!review->object)
        deny(verdict, 400, "BadRequest", "request.object: is missing");
    else if (updates && !review->old_object)
        deny(verdict, 400, "BadRequest", "request.oldObject: is missing");
    else if (review->bad_object)
        judge_unreadable(a, review, verdict);
    else
        return false;
    return true;
}

static void judge(const struct spot *spot, struct arena *a, struct review *review,
                  struct verdict *verdict)
{
    if (judge_form(a, review, verdict))
        return;
    if (review->bad_old_object || !str_eq(review->operation, "UPDATE"))
        review->old_object = NULL;
    spot->hook->judge(a, review, verdict, spot->webhook->options.context);
    if (review->bad_old_object)
        warn(a, verdict,
             fmt(a,
                 "fields that cannot change were not compared, the stored object is not "
                 "readable: %s",
                 review->bad_old_object));
}

static void log_verdict(const struct spot *spot, const struct review *review,
                        const struct verdict *verdict)
{
    if (verdict->allowed)
        log_debug(NULL, "allowed", KV("webhook", spot->hook->name), KV("uid", review->uid));
    else
        log_info(NULL, "refused", KV("webhook", spot->hook->name),
                 KV("namespace", review->namespace), KV("name", review->name),
                 KV("operation", review->operation), KV("reason", verdict->message));
}

static int answer(const struct spot *spot, struct request *request, struct buf *out,
                  struct error *err)
{
    struct verdict verdict = { .allowed = true };
    struct review review;
    int rc;

    if (!spot->hook)
        return conversion_answer(request->arena, spot->webhook->options.convert, request->body,
                                 request->body_len, out, err);
    rc = review_read(request->arena, &spot->shape, request->body, request->body_len, &review, err);
    if (rc < 0)
        return rc;
    judge(spot, request->arena, &review, &verdict);
    log_verdict(spot, &review, &verdict);
    review_write(out, &review, &verdict);
    return 0;
}

/* ------------------------------------------------------------------ requests */

static bool is_json(const char *content_type)
{
    size_t len = strlen("application/json");

    return str_starts(content_type, "application/json") &&
           (!content_type[len] || content_type[len] == ';' || content_type[len] == ' ');
}

static void refuse_request(struct spot *spot, struct reply *reply, int status, const char *text)
{
    metric_add(spot->refused, 1);
    log_debug(NULL, "not a review", KV("error", text), KV_INT("status", status));
    reply_text(reply, status, "%s", text);
}

static void count_answer(struct spot *spot, struct reply *reply, usec begin)
{
    reply->content_type = "application/json";
    metric_add(spot->answered, 1);
    metric_observe(spot->seconds, (double)(clock_now() - begin) / USEC_SEC);
}

static void on_request(struct request *request, struct reply *reply, void *userdata)
{
    struct spot *spot = userdata;
    struct error err = { 0 };
    usec begin = clock_now();

    if (!is_json(request_header(request, "content-type")))
        return refuse_request(spot, reply, 415, "Content-Type: want application/json");
    if (!request->body_len)
        return refuse_request(spot, reply, 400, "the body is empty; want a review");
    if (answer(spot, request, &reply->body, &err) < 0)
        return refuse_request(spot, reply, 400, error_text(&err));
    count_answer(spot, reply, begin);
}

/* Reviews of a hook that waits, but not for this one. Whatever is odd is left to the worker. */
static bool on_quick(struct request *request, struct reply *reply, void *userdata)
{
    struct spot *spot = userdata;
    struct arena *a = request->arena;
    struct verdict verdict = { .allowed = true };
    struct review review;
    usec begin = clock_now();

    if (!is_json(request_header(request, "content-type")) ||
        review_read(a, &spot->shape, request->body, request->body_len, &review, NULL) < 0 ||
        !str_eq(review.operation, "CREATE") || !review.object || review.bad_object)
        return false;
    review.old_object = NULL;
    if (!spot->hook->quick(a, &review, &verdict, spot->webhook->options.context))
        return false;
    log_verdict(spot, &review, &verdict);
    review_write(&reply->body, &review, &verdict);
    count_answer(spot, reply, begin);
    return true;
}

/* ------------------------------------------------------------------ start and end */

static void on_reload(void *userdata, int rc, const struct error *err)
{
    (void)userdata;
    if (rc < 0)
        log_error(NULL, "the new certificate is not taken up", KV("error", error_text(err)));
    else
        log_info(NULL, "new certificate taken up");
}

static void add_spot(struct webhook *w, size_t i, const struct hook *hook, const char *path)
{
    struct spot *spot = &w->spots[i];

    *spot = (struct spot) {
        .webhook = w,
        .hook = hook,
        .answered = metric(&requests_family, path, "200"),
        .refused = metric(&requests_family, path, "400"),
        .seconds = metric(&seconds_family, path),
    };
    if (hook)
        review_shape_init(&spot->shape, hook->type);
    w->routes[i] = (struct route) { .method = "POST",
                                    .path = path,
                                    .handle = on_request,
                                    .flags = hook && hook->waits ? ROUTE_WORKER : 0,
                                    .userdata = spot,
                                    .quick = hook && hook->quick ? on_quick : NULL };
}

static void make_routes(struct webhook *w)
{
    const struct hook *hooks = w->options.hooks;
    size_t n = 0;

    while (hooks[n].path)
        n++;
    w->spots = must_alloc((n + 1) * sizeof *w->spots);
    w->routes = must_alloc((n + 2) * sizeof *w->routes);
    for (size_t i = 0; i < n; i++)
        add_spot(w, i, &hooks[i], hooks[i].path);
    if (w->options.convert)
        add_spot(w, n, NULL, "/convert");
}

static void webhook_free(struct webhook *w)
{
    server_free(w->server);
    free(w->routes);
    free(w->spots);
    free(w);
}

struct webhook *webhook_start(struct loop *loop, const struct webhook_options *options,
                              struct error *err)
{
    struct webhook *w = must_alloc(sizeof *w);
    struct server_options server = {
        .address = options->address,
        .cert_dir = options->pair ? NULL : options->cert_dir,
        .pair = options->pair,
        .on_reload = on_reload,
        .max_connections = CONNECTIONS_MAX,
        .workers = WORKERS,
    };

    w->options = *options;
    make_routes(w);
    server.routes = w->routes;
    w->server = server_new(loop, &server, err);
    if (w->server)
        return w;
    webhook_free(w);
    return NULL;
}

void webhook_stop(struct webhook *w)
{
    struct timespec linger;
    int cut;

    if (!w)
        return;
    linger = (struct timespec) { .tv_sec = w->options.linger / USEC_SEC,
                                 .tv_nsec = w->options.linger % USEC_SEC * 1000 };
    server_lame_duck(w->server);
    nanosleep(&linger, NULL);
    cut = server_drain(w->server, DRAIN_TIME);
    if (cut)
        log_error(NULL, "requests were cut short", KV_INT("requests", cut));
    webhook_free(w);
}

int webhook_port(const struct webhook *w)
{
    return server_port(w->server);
}

int webhook_set_pair(struct webhook *w, const struct tls_pair *pair, struct error *err)
{
    return server_set_pair(w->server, pair, err);
}
