/* http_fuzz.c - what strangers send us over HTTP: requests, answers, words of proxies, URLs.
 *
 * The first byte says which, the second how the rest is cut into pieces. However it is cut, the
 * outcome must be the same as in one piece.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "net/answer.h"
#include "net/proxy.h"
#include "net/url.h"
#include "net/wire.h"

enum { MAX_HEAD = 512, MAX_BODY = 2048 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_text(struct buf *out, const char *name, const char *bytes, size_t len)
{
    buf_fmt(out, "%s(%zu:", name, len);
    if (len)
        buf_add(out, bytes, len);
    buf_str(out, ")");
}

/* A whole request, spelled out. */
static void tell_request(const struct wire *wire, const struct buf *in, struct buf *out)
{
    assert(wire->head_len + wire->body_len <= in->len);
    assert(wire->body_len <= MAX_BODY && wire->head_len <= MAX_HEAD);
    buf_fmt(out, "%s %s %d %d;", in->bytes + wire->method, in->bytes + wire->target, wire->http10,
            wire->keep_alive);
    for (unsigned i = 0; i < wire->fields; i++)
        buf_fmt(out, "%s=%s;", in->bytes + wire->field[i].name, in->bytes + wire->field[i].value);
    add_text(out, "body", in->bytes + wire->head_len, wire->body_len);
}

/* Requests one after the other, as a connection would read them; piece 0: all at once. */
static void read_requests(const char *bytes, size_t size, size_t piece, struct buf *out)
{
    scoped(buf) struct buf in = { 0 };
    struct wire wire;
    size_t at = 0;

    wire_init(&wire, MAX_HEAD, MAX_BODY);
    for (;;) {
        enum wire_step step = wire_feed(&wire, &in);

        if (step == WIRE_MORE) {
            size_t n = piece && piece < size - at ? piece : size - at;

            if (!n)
                return;
            buf_add(&in, bytes + at, n);
            at += n;
        } else if (step == WIRE_WHOLE) {
            tell_request(&wire, &in, out);
            buf_consume(&in, wire.head_len + wire.body_len);
            wire_init(&wire, MAX_HEAD, MAX_BODY);
        } else if (step == WIRE_BAD) {
            assert(wire.status >= 400 && wire.status < 600 && wire.why);
            buf_fmt(out, "refused");
            return;
        }
    }
}

static int on_status(void *userdata, int status)
{
    return buf_fmt(userdata, "status %d;", status);
}

static int on_field(void *userdata, const char *name, size_t name_len, const char *value,
                    size_t value_len)
{
    add_text(userdata, "name", name, name_len);
    add_text(userdata, "value", value, value_len);
    return 0;
}

static int on_head(void *userdata)
{
    return buf_str(userdata, "head;");
}

static int on_data(void *userdata, const char *bytes, size_t len)
{
    return buf_add(userdata, bytes, len); /* its pieces differ, their sum must not */
}

static void read_answer(const char *bytes, size_t size, size_t piece, struct buf *out)
{
    static const struct answer_events events = { on_status, on_field, on_head, on_data };
    struct answer answer;
    enum answer_step step = ANSWER_MORE;
    size_t at = 0;

    answer_init(&answer, &events, out, size % 5 == 0);
    while (step == ANSWER_MORE && at < size) {
        size_t n = piece && piece < size - at ? piece : size - at;
        size_t used = 0;

        step = answer_feed(&answer, bytes + at, n, &used);
        assert(used <= n && (used == n || step != ANSWER_MORE));
        at += used;
    }
    if (step == ANSWER_MORE)
        step = answer_end(&answer);
    buf_fmt(out, "step %d", step);
    if (step == ANSWER_WHOLE)
        buf_fmt(out, " at %zu keep %d", at, answer.keep_alive);
    answer_done(&answer);
}

static void read_proxy(const char *bytes, size_t size, size_t piece, struct buf *out)
{
    struct proxy proxy = { .kind = size % 2 ? PROXY_SOCKS5 : PROXY_CONNECT,
                           .user = "u",
                           .password = "p" };
    struct proxy_talk talk = { .proxy = &proxy, .host = "h", .port = 443 };
    enum proxy_step step = PROXY_MORE;
    scoped(buf) struct buf in = { 0 };

    (void)piece; /* always byte by byte, as link.c does */
    proxy_begin(&talk, out);
    for (size_t at = 0; at < size && step == PROXY_MORE; at++) {
        buf_char(&in, bytes[at]);
        step = proxy_feed(&talk, &in, out, NULL);
        assert(step != PROXY_DONE || !in.len);
    }
    buf_fmt(out, "step %d", step);
}

static void read_url(const char *bytes, size_t size, size_t piece, struct buf *out)
{
    scoped(arena) struct arena *a = arena_new();
    const char *text = arena_strn(a, bytes, size);
    char *plain = url_unescape(a, text, strlen(text), piece % 2);
    struct proxy proxy;
    struct url url;

    if (plain) { /* what was escaped comes back */
        char *escaped = url_escape(a, plain);
        char *again = url_unescape(a, escaped, strlen(escaped), false);

        assert(again && !strcmp(again, plain));
    }
    if (url_parse(a, text, &url, NULL) == 0) {
        assert(url.port > 0 && url.port < 65536 && *url.host);
        buf_fmt(out, "%s %s %d %s", url.scheme, url.host, url.port, url.path);
    }
    if (proxy_parse(a, text, &proxy, NULL) == 0)
        buf_fmt(out, "proxy %s %d", proxy.host, proxy.port);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(const char *, size_t, size_t, struct buf *) = {
        read_requests,
        read_answer,
        read_proxy,
        read_url,
    };
    scoped(buf) struct buf whole = { 0 }, pieces = { 0 };
    size_t which, piece;

    if (size < 2)
        return 0;
    which = data[0] % 4;
    piece = 1 + data[1] % 17;
    readers[which]((const char *)data + 2, size - 2, 0, &whole);
    readers[which]((const char *)data + 2, size - 2, piece, &pieces);
    if (which < 2 &&
        (whole.len != pieces.len || (whole.len && memcmp(whole.bytes, pieces.bytes, whole.len))))
        abort();
    return 0;
}
