/* serving.c - /healthz, /readyz and /metrics; the last perhaps only for those who may. */
#include "kube/serving.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/metrics.h"
#include "base/str.h"
#include "k8s/subjectaccessreview.h"
#include "k8s/tokenreview.h"
#include "kube/runtime.h"
#include "net/server.h"
#include "net/tls.h"

#define YEAR (365 * 24 * 3600 * USEC_SEC)
#define DRAIN_TIME (2 * USEC_SEC)

static void healthz(struct request *request, struct reply *reply, void *userdata)
{
    (void)request;
    (void)userdata;
    reply_text(reply, 200, "ok");
}

static void readyz(struct request *request, struct reply *reply, void *userdata)
{
    struct manager *m = userdata;

    (void)request;
    if (atomic_load(&m->ready))
        reply_text(reply, 200, "ok");
    else
        reply_text(reply, 503, "caches are not complete yet, or we are leaving");
}

static void write_metrics(struct reply *reply)
{
    reply->content_type = "text/plain; version=0.0.4; charset=utf-8";
    metrics_write(&reply->body);
}

static void metrics(struct request *request, struct reply *reply, void *userdata)
{
    (void)request;
    (void)userdata;
    write_metrics(reply);
}

/* ------------------------------------------------------------------ who may scrape */

static const struct k8s_tokenreview *review_token(struct manager *m, struct arena *a,
                                                  const char *token)
{
    struct k8s_tokenreview review = { .spec = { .token = token } };
    void *answer = NULL;

    if (client_create(m->client, a, &k8s_tokenreview_kind, &review, &answer, NULL) < 0)
        return NULL;
    return answer;
}

static bool may_get_metrics(struct manager *m, struct arena *a, const struct k8s_user_info *user)
{
    struct k8s_path_attributes path = { .path = "/metrics", .verb = "get" };
    struct k8s_subjectaccessreview review = {
        .spec = { .user = user->username, .groups = user->groups, .uid = user->uid,
                  .extra = user->extra, .non_resource_attributes = &path },
    };
    const struct k8s_subjectaccessreview *answer;
    void *object = NULL;

    if (client_create(m->client, a, &k8s_subjectaccessreview_kind, &review, &object, NULL) < 0)
        return false;
    answer = object;
    return answer && answer->status.allowed == YES;
}

static void secure_metrics(struct request *request, struct reply *reply, void *userdata)
{
    struct manager *m = userdata;
    const char *header = request_header(request, "authorization");
    const struct k8s_tokenreview *review;

    if (!str_starts(header, "Bearer ")) {
        reply_text(reply, 401, "a bearer token is needed");
        return;
    }
    review = review_token(m, request->arena, header + strlen("Bearer "));
    if (!review)
        reply_text(reply, 503, "the API server could not be asked about the token");
    else if (review->status.authenticated != YES || !review->status.user)
        reply_text(reply, 401, "the token is not valid");
    else if (!may_get_metrics(m, request->arena, review->status.user))
        reply_text(reply, 403, "%s may not get /metrics: bind a role that allows it",
                   review->status.user->username);
    else
        write_metrics(reply);
}

/* ------------------------------------------------------------------ the servers */

static int start_health(struct manager *m, struct error *err)
{
    static const struct route routes[] = {
        { "GET", "/healthz", healthz },
        { "GET", "/readyz", readyz },
        { 0 },
    };

    if (server_address_is_off(m->options.health_address))
        return 0;
    m->health = server_new(m->loop,
                           &(struct server_options){ .address = m->options.health_address,
                                                     .routes = routes,
                                                     .userdata = m,
                                                     .max_connections = 64 },
                           err);
    return m->health ? 0 : wrap(err, "health server");
}

static int make_pair(struct tls_pair *ret, struct error *err)
{
    scoped(tls_pair) struct tls_pair ca = { 0 };
    struct utsname name;
    int rc = tls_make_ca("windlass-metrics", YEAR, &ca, err);

    uname(&name);
    return rc ?: tls_make_cert(&ca, (const char *const[]){ name.nodename, "localhost", NULL }, YEAR,
                               ret, err);
}

static int start_metrics(struct manager *m, struct error *err)
{
    static const struct route open_routes[] = { { "GET", "/metrics", metrics }, { 0 } };
    static const struct route secure_routes[] = {
        { "GET", "/metrics", secure_metrics, .flags = ROUTE_WORKER },
        { 0 },
    };
    bool secure = m->options.metrics_secure;
    scoped(tls_pair) struct tls_pair pair = { 0 };

    if (server_address_is_off(m->options.metrics_address))
        return 0;
    if (secure && make_pair(&pair, err) < 0)
        return wrap(err, "metrics certificate");
    m->metrics = server_new(m->loop,
                            &(struct server_options){ .address = m->options.metrics_address,
                                                      .routes = secure ? secure_routes
                                                                       : open_routes,
                                                      .userdata = m,
                                                      .pair = secure ? &pair : NULL,
                                                      .max_connections = 64 },
                            err);
    return m->metrics ? 0 : wrap(err, "metrics server");
}

int serving_start(struct manager *m, struct error *err)
{
    return start_health(m, err) ?: start_metrics(m, err);
}

void serving_stop(struct manager *m)
{
    if (m->metrics)
        server_drain(m->metrics, DRAIN_TIME);
    server_free(m->metrics);
    if (m->health)
        server_drain(m->health, DRAIN_TIME);
    server_free(m->health);
}
