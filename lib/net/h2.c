/* h2.c - HTTP/2 on a carrier (RFC 9113), by nghttp2: many calls at once, each a stream. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "net/http_internal.h"

enum {
    STREAM_WINDOW = 2 * 1024 * 1024,
    CONNECTION_WINDOW = 16 * 1024 * 1024,
    OUT_ENOUGH = 64 * 1024, /* bytes taken from nghttp2 before the socket has taken any */
    PSEUDO_FIELDS = 4,
};
/* A peer silent for so long while calls wait is pinged, and given up when it does not answer.
 * Looked at every 4 s (road.c), so it is gone after 26 s at most. */
#define SILENCE (8 * USEC_SEC)
#define PING_PATIENCE (10 * USEC_SEC)

static struct call *call_of(nghttp2_session *session, int32_t stream)
{
    return nghttp2_session_get_stream_user_data(session, stream);
}

/* From now on the stream is nobody's. */
static void detach(struct carrier *carrier, struct call *call)
{
    nghttp2_session_set_stream_user_data(carrier->session, call->stream, NULL);
    carrier_forget(call);
}

static void reset(struct carrier *carrier, int32_t stream)
{
    nghttp2_submit_rst_stream(carrier->session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL);
}

/* A callback of the call, or a limit, wants no more of it. */
static void stop(struct carrier *carrier, struct call *call)
{
    reset(carrier, call->stream);
    detach(carrier, call);
    turns_result(call, call_tell_stopped(call));
}

static int on_field(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                    size_t name_len, const uint8_t *value, size_t value_len, uint8_t flags,
                    void *userdata)
{
    struct call *call = call_of(session, frame->hd.stream_id);

    (void)flags, (void)userdata;
    if (!call || call->rc < 0)
        return 0;
    if (name_len == 7 && !memcmp(name, ":status", 7)) /* nghttp2 has checked that it is a number */
        call_got_status(call, (int)strtol((const char *)value, NULL, 10), 20);
    else if (name[0] != ':')
        call_got_field(call, (const char *)name, name_len, (const char *)value, value_len);
    return 0;
}

/* The last frame: the answer is whole. If we are still sending, nobody listens any more. */
static void end_stream(struct carrier *carrier, struct call *call)
{
    if (call->sent < call->request.body_len)
        reset(carrier, call->stream);
    detach(carrier, call);
    turns_result(call, 0);
}

static void on_settled_stream(struct carrier *carrier, const nghttp2_frame *frame)
{
    struct call *call = call_of(carrier->session, frame->hd.stream_id);
    bool head = frame->hd.type == NGHTTP2_HEADERS;

    if (!call)
        return;
    if (head && call->rc == 0 && !call->head_done)
        call_got_head(call);
    if (call->rc < 0)
        stop(carrier, call);
    else if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
        end_stream(carrier, call);
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *userdata)
{
    struct carrier *carrier = userdata;

    (void)session;
    switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
    case NGHTTP2_DATA:
        on_settled_stream(carrier, frame);
        break;
    case NGHTTP2_GOAWAY:
        carrier->retired = true; /* streams it will not serve are closed as refused */
        break;
    case NGHTTP2_PING:
        if (frame->hd.flags & NGHTTP2_FLAG_ACK)
            carrier->ping_at = 0;
        break;
    default:
        break;
    }
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes,
                   size_t len, void *userdata)
{
    struct call *call = call_of(session, stream);

    (void)flags;
    if (call && call_got_data(call, (const char *)bytes, len) < 0)
        stop(userdata, call);
    return 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t code, void *userdata)
{
    struct call *call = call_of(session, stream);
    struct carrier *carrier = userdata;
    bool refused = code == NGHTTP2_REFUSED_STREAM;

    if (!call)
        return 0;
    detach(carrier, call);
    turns_broken(call,
                 call_tell(call, -ECONNRESET,
                           fmt(call->arena, "the server reset the stream: %s",
                               nghttp2_http2_strerror(code))),
                 refused);
    return 0;
}

static ssize_t give_body(nghttp2_session *session, int32_t stream, uint8_t *into, size_t size,
                         uint32_t *flags, nghttp2_data_source *source, void *userdata)
{
    struct call *call = call_of(session, stream);
    size_t left = call ? call->request.body_len - call->sent : 0;
    size_t n = left < size ? left : size;

    (void)source, (void)userdata;
    if (!call)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    if (n)
        memcpy(into, (const char *)call->request.body + call->sent, n);
    call->sent += n;
    if (n == left)
        *flags |= NGHTTP2_DATA_FLAG_EOF;
    return (ssize_t)n;
}

static nghttp2_session *session_new(struct carrier *carrier)
{
    nghttp2_session_callbacks *callbacks;
    nghttp2_session *session;

    if (nghttp2_session_callbacks_new(&callbacks))
        abort();
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_field);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    if (nghttp2_session_client_new(&session, callbacks, carrier))
        abort();
    nghttp2_session_callbacks_del(callbacks);
    return session;
}

void h2_start(struct carrier *carrier)
{
    static const nghttp2_settings_entry settings[] = {
        { NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
        { NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, STREAM_WINDOW },
    };

    carrier->session = session_new(carrier);
    nghttp2_submit_settings(carrier->session, NGHTTP2_FLAG_NONE, settings, ARRAY_SIZE(settings));
    nghttp2_session_set_local_window_size(carrier->session, NGHTTP2_FLAG_NONE, 0,
                                          CONNECTION_WINDOW);
    h2_flush(carrier);
}

void h2_done(struct carrier *carrier)
{
    nghttp2_session_del(carrier->session);
}

void h2_flush(struct carrier *carrier)
{
    const uint8_t *bytes;
    ssize_t n = 0;

    if (carrier->receiving || carrier->failure.code)
        return;
    do {
        while (carrier->out.len - carrier->out_at < OUT_ENOUGH &&
               (n = nghttp2_session_mem_send(carrier->session, &bytes)) > 0)
            carrier_put(carrier, (const char *)bytes, (size_t)n);
        carrier_send(carrier);
    } while (n > 0 && !carrier->out.len && !carrier->failure.code);
    if (n < 0)
        carrier_break(carrier, -EPROTO, nghttp2_strerror((int)n));
}

void h2_input(struct carrier *carrier, const char *bytes, size_t len)
{
    ssize_t n;

    carrier->receiving = true;
    n = nghttp2_session_mem_recv(carrier->session, (const uint8_t *)bytes, len);
    carrier->receiving = false;
    if (n < 0)
        carrier_break(carrier, -EPROTO, nghttp2_strerror((int)n));
    else
        h2_flush(carrier);
}

static nghttp2_nv nv(const char *name, const char *value)
{
    return (nghttp2_nv) { (uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value),
                          NGHTTP2_NV_FLAG_NONE };
}

static char *lowered(struct arena *a, const char *name)
{
    char *copy = arena_str(a, name);

    for (char *c = copy; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c |= 0x20;
    return copy;
}

static nghttp2_nv *head_of(struct call *call, const struct road *road, size_t *ret_count)
{
    nghttp2_nv *head = arena_make_n(call->arena, nghttp2_nv, PSEUDO_FIELDS + call->field_count);
    size_t n = 0;

    head[n++] = nv(":method", call->request.method);
    head[n++] = nv(":scheme", call->http->url.scheme);
    head[n++] = nv(":authority", road->authority);
    head[n++] = nv(":path", call->target);
    for (size_t i = 0; i < call->field_count; i++) {
        head[n] = nv(lowered(call->arena, call->fields[i].name), call->fields[i].value);
        if (!strcmp((const char *)head[n].name, "authorization"))
            head[n].flags = NGHTTP2_NV_FLAG_NO_INDEX; /* keeps it out of compression's reach */
        n++;
    }
    *ret_count = n;
    return head;
}

void h2_take(struct carrier *carrier, struct call *call)
{
    nghttp2_data_provider body = { .read_callback = give_body };
    size_t count;
    nghttp2_nv *head = head_of(call, carrier->road, &count);
    int32_t stream = nghttp2_submit_request(carrier->session, NULL, head, count,
                                            call->request.body_len ? &body : NULL, call);

    if (stream < 0) { /* out of stream numbers: a new connection has them all again */
        carrier->retired = true;
        carrier_forget(call);
        turns_broken(call, call_tell(call, -ECONNRESET, nghttp2_strerror(stream)), true);
        return;
    }
    call->stream = stream;
    if (clock_now() - carrier->last_byte > SILENCE && !carrier->ping_at)
        h2_pulse(carrier, clock_now()); /* it may have died while nobody looked */
    h2_flush(carrier);
}

void h2_drop(struct carrier *carrier, struct call *call)
{
    nghttp2_session_set_stream_user_data(carrier->session, call->stream, NULL);
    reset(carrier, call->stream);
    h2_flush(carrier);
}

void h2_pulse(struct carrier *carrier, usec now)
{
    if (carrier->ping_at && now - carrier->ping_at >= PING_PATIENCE) {
        carrier_break(carrier, -ETIMEDOUT, "the connection is dead: no answer to a ping");
    } else if (!carrier->ping_at && now - carrier->last_byte >= SILENCE) {
        carrier->ping_at = now;
        nghttp2_submit_ping(carrier->session, NGHTTP2_FLAG_NONE, NULL);
        h2_flush(carrier);
    }
}

bool h2_has_room(const struct carrier *carrier)
{
    uint32_t most = nghttp2_session_get_remote_settings(carrier->session,
                                                        NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);

    return carrier->count < most && nghttp2_session_check_request_allowed(carrier->session);
}
