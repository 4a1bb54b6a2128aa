/* turns.c - gives each call its turn, watches its time, and keeps the roads they travel on. */
#include <errno.h>
#include <string.h>

#include "net/http_internal.h"
#include "net/loop.h"

#define SUSPICION (2 * USEC_SEC) /* a shorter silence says nothing about the connection */

static void pump(struct http *http);

void http_unref(struct http *http)
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

void turns_open_road(struct http *http, struct trust *trust)
{
    struct road *road = road_new(http, trust);

    TAILQ_INSERT_HEAD(&http->roads, road, entry);
    post_reap(http);
}

static void join_road(struct call *call, struct road *road)
{
    call->road = road;
    road->calls++;
    road->streams += call_is_stream(call);
}

static void quit_road(struct call *call)
{
    struct road *road = take(call->road);

    road->calls--;
    road->streams -= call_is_stream(call);
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

/* The call is in no list and on no carrier any more. */
static void conclude(struct call *call, int rc)
{
    usec now = clock_now();

    call->response.waited = (call->road ? call->started : now) - call->queued;
    call->response.took = call->road ? now - call->started : 0;
    if (call->road)
        quit_road(call);
    call->conclude(call, rc);
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

static void start(struct call *call)
{
    struct http *http = call->http;
    struct road *road = current(http);
    int rc;

    join_road(call, road);
    call->started = call->last_byte = clock_now();
    rc = road_carry(road, call);
    if (rc < 0)
        end_started(call, rc);
    else
        watch_over(http, call_expiry(call));
}

static void begin(struct call *call)
{
    struct http *http = call->http;

    TAILQ_INSERT_TAIL(&http->started, call, entry);
    http->running++;
    http->streams += call_is_stream(call);
    start(call);
}

void turns_result(struct call *call, int rc)
{
    end_started(call, rc);
}

void turns_broken(struct call *call, int rc, bool unseen)
{
    if (!call_repeat(call, rc, unseen)) {
        end_started(call, rc);
        return;
    }
    quit_road(call);
    start(call);
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

static int tell_canceled(struct call *call)
{
    return call_tell(call, -ECANCELED, "canceled");
}

static void admit(struct call *call)
{
    struct http *http = call->http;

    if (http->closed) {
        conclude(call, tell_canceled(call));
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

void turns_take_incoming(void *arg)
{
    struct http *http = arg;
    struct call *call;

    while ((call = next_incoming(http)))
        admit(call);
    pump(http);
    http_unref(http);
}

/* A request that met silence from beginning to end, on a connection that said nothing to anyone
 * meanwhile: it may be dead, so the next ones take a new one. */
static void suspect(const struct call *call)
{
    struct carrier *carrier = call->carrier;

    if (carrier && carrier->last_byte <= call->started && clock_now() - call->started >= SUSPICION)
        carrier->retired = true;
}

/* Ends a call that has not ended by itself. */
static void abandon(struct call *call, int rc)
{
    if (!call->road) {
        end_waiting(call, rc);
        return;
    }
    road_leave(call);
    end_started(call, rc);
}

static void expire(struct call *call)
{
    int rc = call_tell_expired(call);

    suspect(call);
    abandon(call, rc);
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

void turns_watchdog(void *arg)
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

static struct call *find(struct calls *calls, uint64_t id)
{
    struct call *call;

    TAILQ_FOREACH(call, calls, entry)
    if (call->id == id)
        break;
    return call;
}

void turns_cancel(struct http *http, uint64_t id)
{
    struct call *call = find(&http->started, id) ?: find(&http->waiting, id);

    if (call)
        abandon(call, tell_canceled(call));
}

void turns_close(void *arg)
{
    struct http *http = arg;
    struct call *call;

    http->closed = true;
    http->pumping = true;
    while ((call = next_incoming(http)))
        conclude(call, tell_canceled(call));
    while ((call = TAILQ_FIRST(&http->waiting) ?: TAILQ_FIRST(&http->started)))
        abandon(call, tell_canceled(call));
    timer_free(take(http->watchdog));
    http->refs++;
    reap_roads(http);
}
