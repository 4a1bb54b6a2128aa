/* road.c - the connections to one server that trust alike, and which of them takes which call. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "net/http_internal.h"
#include "net/loop.h"

#define PULSE (4 * USEC_SEC)

static char *authority_of(const struct url *url)
{
    bool is_default = url->port == (str_eq(url->scheme, "https") ? 443 : 80);
    bool v6 = strchr(url->host, ':');
    scoped(buf) struct buf text = { 0 };

    buf_fmt(&text, "%s%s%s", v6 ? "[" : "", url->host, v6 ? "]" : "");
    if (!is_default)
        buf_fmt(&text, ":%d", url->port);
    return buf_take(&text);
}

static void beat(void *arg)
{
    struct road *road = arg;
    usec now = clock_now();
    struct carrier *carrier;

    TAILQ_FOREACH(carrier, &road->carriers, entry)
    carrier_pulse(carrier, now);
    road->pulsing = road->calls > 0;
    if (road->pulsing)
        timer_set(road->pulse, PULSE);
}

struct road *road_new(struct http *http, struct trust *trust)
{
    struct road *road = must_alloc(sizeof *road);
    const struct url *url = &http->url;

    *road = (struct road) { .http = http, .trust = trust_ref(trust) };
    TAILQ_INIT(&road->carriers);
    TAILQ_INIT(&road->pending);
    road->authority = authority_of(url);
    road->pulse = timer_new(http->loop, USEC_NEVER, 0, beat, road);
    road->target = (struct link_target) {
        .host = url->host,
        .port = url->port,
        .unix_socket = http->options.unix_socket,
        .proxy = http->proxy,
        .tls = str_eq(url->scheme, "https") ? trust->tls : NULL,
        .name = trust->server_name ?: url->host,
        .insecure = trust->insecure,
        .http1_only = http->options.http1_only,
        .timeout = http->options.connect_timeout,
    };
    if (!road->target.tls || http->options.http1_only)
        road->speaks = CARRIER_H1;
    return road;
}

void road_free(struct road *road)
{
    struct carrier *carrier;

    while ((carrier = TAILQ_FIRST(&road->carriers))) {
        TAILQ_REMOVE(&road->carriers, carrier, entry);
        carrier_free(carrier);
    }
    timer_free(road->pulse);
    trust_unref(road->trust);
    free(road->authority);
    free(road);
}

static unsigned count(const struct road *road, bool opening_only)
{
    const struct carrier *carrier;
    unsigned n = 0;

    TAILQ_FOREACH(carrier, &road->carriers, entry)
    n += !opening_only || carrier->kind == CARRIER_OPENING;
    return n;
}

/* Another connection: at most one at a time until we know whether one is enough for all. */
static bool may_open(const struct road *road)
{
    unsigned opening = count(road, true);

    if (road->speaks != CARRIER_H1)
        return opening == 0;
    return count(road, false) < road->http->options.max_connections + road->streams;
}

static struct carrier *with_room(struct road *road)
{
    struct carrier *carrier;

    TAILQ_FOREACH(carrier, &road->carriers, entry)
    if (carrier_has_room(carrier))
        break;
    return carrier;
}

void road_serve_pending(struct road *road)
{
    struct call *call;
    struct carrier *carrier;
    unsigned waiting = 0;

    while ((call = TAILQ_FIRST(&road->pending)) && (carrier = with_room(road))) {
        TAILQ_REMOVE(&road->pending, call, hop);
        carrier_take(carrier, call);
    }
    TAILQ_FOREACH(call, &road->pending, hop)
    waiting++;
    for (unsigned opening = count(road, true); opening < waiting && may_open(road); opening++) {
        carrier = carrier_new(road);
        TAILQ_INSERT_TAIL(&road->carriers, carrier, entry);
    }
}

/* One could not be opened. While others are open the waiting have hope; without, they fail. */
void road_closed(struct road *road, const struct error *err)
{
    struct calls lost = TAILQ_HEAD_INITIALIZER(lost);
    struct call *call;

    if (!err || count(road, false) > count(road, true)) {
        road_serve_pending(road);
        return;
    }
    TAILQ_CONCAT(&lost, &road->pending, hop); /* those that come meanwhile may try again */
    while ((call = TAILQ_FIRST(&lost))) {
        TAILQ_REMOVE(&lost, call, hop);
        turns_result(call, call_tell(call, err->code, err->text));
    }
}

int road_carry(struct road *road, struct call *call)
{
    int rc = fields_make(call, &call->err);

    if (rc < 0)
        return rc;
    TAILQ_INSERT_TAIL(&road->pending, call, hop);
    if (!road->pulsing) {
        road->pulsing = true;
        timer_set(road->pulse, PULSE);
    }
    road_serve_pending(road);
    return 0;
}

void road_leave(struct call *call)
{
    if (call->carrier)
        carrier_drop(call);
    else
        TAILQ_REMOVE(&call->road->pending, call, hop);
}
