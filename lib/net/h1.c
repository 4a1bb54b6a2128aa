/* h1.c - HTTP/1.1 on a carrier: one call at a time. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "net/http_internal.h"

static struct call *current(struct carrier *carrier)
{
    return TAILQ_FIRST(&carrier->calls);
}

static int on_status(void *userdata, int status)
{
    call_got_status(current(userdata), status, 11);
    return 0;
}

static int on_field(void *userdata, const char *name, size_t name_len, const char *value,
                    size_t value_len)
{
    return call_got_field(current(userdata), name, name_len, value, value_len);
}

static int on_head(void *userdata)
{
    return call_got_head(current(userdata));
}

static int on_data(void *userdata, const char *bytes, size_t len)
{
    return call_got_data(current(userdata), bytes, len);
}

static const struct answer_events events = { on_status, on_field, on_head, on_data };

void h1_start(struct carrier *carrier)
{
    answer_init(&carrier->answer, &events, carrier, false);
}

void h1_done(struct carrier *carrier)
{
    answer_done(&carrier->answer);
}

void h1_take(struct carrier *carrier, struct call *call)
{
    const struct http_request *request = &call->request;
    struct buf *out = &carrier->out;

    answer_done(&carrier->answer);
    answer_init(&carrier->answer, &events, carrier, str_eq(request->method, "HEAD"));
    buf_fmt(out, "%s %s HTTP/1.1\r\nHost: %s\r\n", request->method, call->target,
            carrier->road->authority);
    for (size_t i = 0; i < call->field_count; i++)
        buf_fmt(out, "%s: %s\r\n", call->fields[i].name, call->fields[i].value);
    buf_str(out, "\r\n");
    if (request->body_len)
        carrier_put(carrier, request->body, request->body_len);
    call->sent = request->body_len;
    carrier_send(carrier);
}

static void finish(struct carrier *carrier)
{
    struct call *call = current(carrier);

    /* an answer before the end of the request: the rest must not be sent into the next one */
    if (!carrier->answer.keep_alive || carrier->out.len)
        carrier->retired = true;
    carrier_forget(call);
    turns_result(call, 0);
}

static void fail_call(struct carrier *carrier)
{
    struct call *call = current(carrier);
    const char *why = carrier->answer.why;

    carrier_break(carrier, -ECONNRESET, "the answer could not be read");
    carrier_forget(call);
    turns_result(call, why ? call_tell(call, -EPROTO, why) : call_tell_stopped(call));
}

void h1_input(struct carrier *carrier, const char *bytes, size_t len)
{
    enum answer_step step;
    size_t used = 0;

    if (!current(carrier)) {
        carrier_break(carrier, -ECONNRESET, "the server spoke without being asked");
        return;
    }
    step = answer_feed(&carrier->answer, bytes, len, &used);
    if (step == ANSWER_WHOLE && used < len)
        carrier->answer.keep_alive = false; /* nobody asked for the rest */
    if (step == ANSWER_WHOLE)
        finish(carrier);
    else if (step == ANSWER_BAD)
        fail_call(carrier);
}

/* Some answers end that way; others are cut, which carrier.c tells them. */
void h1_closed(struct carrier *carrier)
{
    if (current(carrier) && answer_end(&carrier->answer) == ANSWER_WHOLE)
        finish(carrier);
}
