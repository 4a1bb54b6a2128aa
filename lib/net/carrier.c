/* carrier.c - one connection with calls on it: bytes in and out, and what happens when it breaks.
 */
#include <errno.h>
#include <string.h>

#include "net/http_internal.h"

enum { READ_SIZE = 16 * 1024, READS_AT_ONCE = 32 };

static void unlink_calls(struct carrier *carrier);

/* Out of its callbacks: ends a carrier that broke, or that is done. */
static void settle(struct carrier *carrier)
{
    struct road *road = carrier->road;
    bool never_opened = carrier->kind == CARRIER_OPENING;
    struct error failure;

    if (!carrier->failure.code && (!carrier->retired || carrier->count)) {
        road_serve_pending(road);
        return;
    }
    failure = carrier->failure;
    TAILQ_REMOVE(&road->carriers, carrier, entry);
    unlink_calls(carrier);
    carrier_free(carrier);
    road_closed(road, never_opened ? &failure : NULL);
}

void carrier_break(struct carrier *carrier, int rc, const char *why)
{
    carrier->retired = true;
    if (carrier->failure.code)
        return;
    fail(&carrier->failure, rc, "%s", why);
    if (carrier->kind != CARRIER_OPENING)
        link_read_later(carrier->link); /* which settles it */
}

void carrier_forget(struct call *call)
{
    struct carrier *carrier = call->carrier;

    TAILQ_REMOVE(&carrier->calls, call, hop);
    carrier->count--;
    call->carrier = NULL;
}

/* Calls on a broken connection may begin again on another. */
static void unlink_calls(struct carrier *carrier)
{
    struct call *call;

    while ((call = TAILQ_FIRST(&carrier->calls))) {
        carrier_forget(call);
        turns_broken(call, call_tell(call, carrier->failure.code, carrier->failure.text), false);
    }
}

/* Whatever broke it, the calls on it were cut, and their users know that by one name. */
static int cut_code(int rc)
{
    return rc == -ETIMEDOUT || rc == -EPROTO ? rc : -ECONNRESET;
}

static void flush(struct carrier *carrier)
{
    struct error err = { 0 };

    while (carrier->out_at < carrier->out.len) {
        long n = link_write(carrier->link, carrier->out.bytes + carrier->out_at,
                            carrier->out.len - carrier->out_at, &err);

        if (n == LINK_AGAIN)
            break;
        if (n < 0) {
            carrier_break(carrier, cut_code(err.code), err.text);
            return;
        }
        carrier->out_at += (size_t)n;
    }
    if (carrier->out_at == carrier->out.len) {
        carrier->out_at = 0;
        buf_done(&carrier->out);
    }
    link_want_room(carrier->link, carrier->out.len > 0);
}

void carrier_put(struct carrier *carrier, const char *bytes, size_t len)
{
    buf_add(&carrier->out, bytes, len);
}

void carrier_send(struct carrier *carrier)
{
    if (!carrier->failure.code)
        flush(carrier);
}

static void dispatch(struct carrier *carrier, const char *bytes, size_t len)
{
    carrier->last_byte = clock_now();
    if (carrier->kind == CARRIER_H2)
        h2_input(carrier, bytes, len);
    else
        h1_input(carrier, bytes, len);
}

/* True while there may be more to read. */
static bool read_once(struct carrier *carrier)
{
    char bytes[READ_SIZE];
    struct error err = { 0 };
    long n = link_read(carrier->link, bytes, sizeof bytes, &err);

    if (n > 0) {
        dispatch(carrier, bytes, (size_t)n);
        return n == sizeof bytes || link_has_pending(carrier->link);
    }
    if (n == 0 && carrier->kind == CARRIER_H1)
        h1_closed(carrier);
    if (n == 0)
        carrier_break(carrier, -ECONNRESET, "the server closed the connection");
    else if (n == LINK_BROKEN)
        carrier_break(carrier, cut_code(err.code), err.text);
    return false;
}

static void on_input(void *userdata)
{
    struct carrier *carrier = userdata;
    int reads = 0;

    while (!carrier->failure.code && read_once(carrier))
        if (++reads == READS_AT_ONCE) { /* others want their turn as well */
            link_read_later(carrier->link);
            break;
        }
    settle(carrier);
}

static void on_room(void *userdata)
{
    struct carrier *carrier = userdata;

    carrier_send(carrier);
    if (carrier->kind == CARRIER_H2)
        h2_flush(carrier);
}

static void on_open(void *userdata, bool http2)
{
    struct carrier *carrier = userdata;

    carrier->kind = http2 ? CARRIER_H2 : CARRIER_H1;
    carrier->last_byte = clock_now();
    carrier->road->speaks = carrier->kind;
    if (http2)
        h2_start(carrier);
    else
        h1_start(carrier);
    settle(carrier);
}

static void on_failed(void *userdata, const struct error *err)
{
    struct carrier *carrier = userdata;

    carrier_break(carrier, err->code, err->text);
    settle(carrier);
}

struct carrier *carrier_new(struct road *road)
{
    static const struct link_events events = { on_open, on_input, on_room, on_failed };
    struct carrier *carrier = must_alloc(sizeof *carrier);

    carrier->road = road;
    TAILQ_INIT(&carrier->calls);
    carrier->link = link_new(road->http->loop, &road->target, &events, carrier);
    return carrier;
}

void carrier_free(struct carrier *carrier)
{
    if (carrier->kind == CARRIER_H2)
        h2_done(carrier);
    else
        h1_done(carrier);
    link_free(carrier->link);
    buf_done(&carrier->out);
    free(carrier);
}

bool carrier_has_room(const struct carrier *carrier)
{
    if (carrier->retired || carrier->kind == CARRIER_OPENING)
        return false;
    return carrier->kind == CARRIER_H2 ? h2_has_room(carrier) : !carrier->count;
}

void carrier_take(struct carrier *carrier, struct call *call)
{
    TAILQ_INSERT_TAIL(&carrier->calls, call, hop);
    carrier->count++;
    call->carrier = carrier;
    call->on_used_link = carrier->served++ > 0;
    if (carrier->kind == CARRIER_H2)
        h2_take(carrier, call);
    else
        h1_take(carrier, call);
}

void carrier_drop(struct call *call)
{
    struct carrier *carrier = call->carrier;

    if (carrier->kind == CARRIER_H2)
        h2_drop(carrier, call);
    else
        carrier->retired = true; /* its answer would be taken for the next call's */
    carrier_forget(call);
    if (carrier->retired && !carrier->count)
        settle(carrier);
}

void carrier_pulse(struct carrier *carrier, usec now)
{
    if (carrier->kind == CARRIER_H2 && carrier->count)
        h2_pulse(carrier, now);
}
