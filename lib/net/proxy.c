/* proxy.c - the two ways of asking a proxy to connect us. */
#include "net/proxy.h"

#include <errno.h>
#include <openssl/evp.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "net/url.h"

enum { ANSWER_MAX = 16 * 1024, NAME_MAX_LEN = 255 };
enum { SOCKS_METHOD, SOCKS_PASSWORD, SOCKS_CONNECT };

static int parse_user(struct arena *a, const char *text, size_t len, struct proxy *ret,
                      struct error *err)
{
    size_t name_len = strcspn(text, ":@");
    bool has_password = name_len < len;

    ret->user = url_unescape(a, text, name_len, false);
    ret->password =
        has_password ? url_unescape(a, text + name_len + 1, len - name_len - 1, false) : "";
    if (!ret->user || !ret->password || strlen(ret->user) > NAME_MAX_LEN ||
        strlen(ret->password) > NAME_MAX_LEN)
        return fail(err, -EINVAL, "proxy: malformed user or password");
    return 0;
}

int proxy_parse(struct arena *a, const char *text, struct proxy *ret, struct error *err)
{
    bool socks = str_starts(text, "socks5://") || str_starts(text, "socks5h://");
    const char *rest = strstr(text, "://");
    const char *at = rest ? strchr(rest, '@') : NULL;
    struct proxy proxy = { .kind = socks ? PROXY_SOCKS5 : PROXY_CONNECT };
    struct url url;

    if (!socks && !str_starts(text, "http://"))
        return fail(err, -EINVAL, "proxy: only http:// and socks5:// are known, not '%s'",
                    at ? "(with a password)" : text);
    if (at && parse_user(a, rest + 3, (size_t)(at - rest - 3), &proxy, err) < 0)
        return err ? err->code : -EINVAL;
    if (url_parse(a, fmt(a, "http://%s", at ? at + 1 : rest + 3), &url, err) < 0)
        return wrap(err, "proxy");
    proxy.host = url.host;
    proxy.port = socks && url.port == 80 ? 1080 : url.port;
    *ret = proxy;
    return 0;
}

static void add_basic(const struct proxy *proxy, struct buf *out)
{
    scoped(buf) struct buf plain = { 0 };
    scoped(free) unsigned char *encoded = NULL;

    buf_fmt(&plain, "%s:%s", proxy->user, proxy->password);
    encoded = must_alloc(4 * (plain.len / 3 + 1) + 1);
    EVP_EncodeBlock(encoded, (const unsigned char *)plain.bytes, (int)plain.len);
    buf_fmt(out, "Proxy-Authorization: Basic %s\r\n", (const char *)encoded);
}

static void connect_begin(struct proxy_talk *talk, struct buf *out)
{
    bool v6 = strchr(talk->host, ':');
    char server[300];

    snprintf(server, sizeof server, "%s%s%s:%d", v6 ? "[" : "", talk->host, v6 ? "]" : "",
             talk->port);
    buf_fmt(out, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n", server, server);
    if (talk->proxy->user)
        add_basic(talk->proxy, out);
    buf_str(out, "\r\n");
}

static enum proxy_step broken(struct error *err, const char *why)
{
    fail(err, -EPROTO, "proxy: %s", why);
    return PROXY_FAILED;
}

static enum proxy_step connect_feed(struct buf *in, struct error *err)
{
    const char *end = in->len ? memmem(in->bytes, in->len, "\r\n\r\n", 4) : NULL;
    int line = (int)strcspn(buf_text(in), "\r\n");

    if (!end)
        return in->len > ANSWER_MAX ? broken(err, "the answer is too long") : PROXY_MORE;
    if (strncmp(in->bytes, "HTTP/1.", 7) != 0 || line < 12)
        return broken(err, "not an HTTP answer");
    if (in->bytes[9] != '2') {
        fail(err, -ECONNREFUSED, "proxy: answered '%.*s'", line > 80 ? 80 : line, in->bytes);
        return PROXY_FAILED;
    }
    buf_consume(in, (size_t)(end - in->bytes) + 4);
    return PROXY_DONE;
}

static void add_field(struct buf *out, const char *text) /* its length in a byte, then the text */
{
    size_t len = strnlen(text, NAME_MAX_LEN);

    buf_char(out, (char)len);
    buf_add(out, text, len);
}

static void socks_begin(const struct proxy *proxy, struct buf *out)
{
    if (proxy->user)
        buf_add(out, "\x05\x02\x00\x02", 4); /* version 5; no authentication, or a password */
    else
        buf_add(out, "\x05\x01\x00", 3);
}

static void socks_connect(struct proxy_talk *talk, struct buf *out)
{
    buf_add(out, "\x05\x01\x00\x03", 4); /* connect, by name */
    add_field(out, talk->host);
    buf_char(out, (char)(talk->port >> 8));
    buf_char(out, (char)(talk->port & 255));
    talk->stage = SOCKS_CONNECT;
}

static enum proxy_step socks_method(struct proxy_talk *talk, struct buf *in, struct buf *out,
                                    struct error *err)
{
    char method = in->bytes[1];

    if (in->bytes[0] != 5 || (method != 0 && (method != 2 || !talk->proxy->user)))
        return broken(err, "SOCKS: no way to authenticate that both know");
    buf_consume(in, 2);
    if (method == 0) {
        socks_connect(talk, out);
        return PROXY_MORE;
    }
    buf_char(out, 1); /* RFC 1929 */
    add_field(out, talk->proxy->user);
    add_field(out, talk->proxy->password);
    talk->stage = SOCKS_PASSWORD;
    return PROXY_MORE;
}

static enum proxy_step socks_answer(struct buf *in, struct error *err)
{
    static const char *const reasons[] = { "",
                                           "general failure",
                                           "not allowed",
                                           "network unreachable",
                                           "host unreachable",
                                           "connection refused" };
    const unsigned char *bytes = (const unsigned char *)in->bytes;
    size_t need = 4 + 2;

    if (in->len < 5)
        return PROXY_MORE;
    if (bytes[0] != 5)
        return broken(err, "not a SOCKS 5 answer");
    if (bytes[1]) {
        fail(err, -ECONNREFUSED, "proxy: SOCKS: %s",
             bytes[1] < ARRAY_SIZE(reasons) ? reasons[bytes[1]] : "refused");
        return PROXY_FAILED;
    }
    need += bytes[3] == 1 ? 4 : bytes[3] == 4 ? 16 : 1 + (size_t)bytes[4];
    if (in->len < need)
        return PROXY_MORE;
    buf_consume(in, need);
    return PROXY_DONE;
}

static enum proxy_step socks_feed(struct proxy_talk *talk, struct buf *in, struct buf *out,
                                  struct error *err)
{
    if (talk->stage == SOCKS_CONNECT)
        return socks_answer(in, err);
    if (in->len < 2)
        return PROXY_MORE;
    if (talk->stage == SOCKS_METHOD)
        return socks_method(talk, in, out, err);
    if (in->bytes[1] != 0) {
        fail(err, -EACCES, "proxy: SOCKS: wrong user or password");
        return PROXY_FAILED;
    }
    buf_consume(in, 2);
    socks_connect(talk, out);
    return PROXY_MORE;
}

void proxy_begin(struct proxy_talk *talk, struct buf *out)
{
    if (talk->proxy->kind == PROXY_SOCKS5)
        socks_begin(talk->proxy, out);
    else
        connect_begin(talk, out);
}

enum proxy_step proxy_feed(struct proxy_talk *talk, struct buf *in, struct buf *out,
                           struct error *err)
{
    if (talk->proxy->kind == PROXY_SOCKS5)
        return socks_feed(talk, in, out, err);
    return connect_feed(in, err);
}
