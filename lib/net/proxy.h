/* proxy.h - reaches a server through a proxy: HTTP CONNECT (RFC 9110, 9.3.6) or SOCKS 5 (RFC 1928).
 *
 * The talk with the proxy is bytes in, bytes out; who owns the socket moves them.
 */
#pragma once
#include "base/buf.h"
#include "base/error.h"

struct arena;

enum proxy_kind { PROXY_CONNECT, PROXY_SOCKS5 };

struct proxy {
    enum proxy_kind kind;
    const char *host;
    int port;
    const char *user; /* NULL: none */
    const char *password;
};

/* "http://[user:password@]host:port" or "socks5://..."; -EINVAL says what is wrong. */
int proxy_parse(struct arena *a, const char *text, struct proxy *ret, struct error *err);

enum proxy_step { PROXY_MORE, PROXY_DONE, PROXY_FAILED };

struct proxy_talk {
    const struct proxy *proxy;
    const char *host; /* the server's */
    int port;
    int stage;
};

/* Begins: writes the first words to out. */
void proxy_begin(struct proxy_talk *talk, struct buf *out);
/* Reads the proxy's words from in, consuming them, and may answer; what follows them is the
 * server's. */
enum proxy_step proxy_feed(struct proxy_talk *talk, struct buf *in, struct buf *out,
                           struct error *err);
