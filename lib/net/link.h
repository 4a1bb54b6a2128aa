/* link.h - a connection to a server: its name resolved, reached (through a proxy or not), secured.
 *
 * A link tells its user when it is open, when bytes wait, when there is room to write again, and
 * when it failed to open; the user frees it, also from inside these calls. Loop thread only.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/error.h"

struct link;
struct loop;
struct proxy;
struct ssl_ctx_st;

enum { LINK_AGAIN = -1, LINK_BROKEN = -2 };

/* Borrowed while the link lives. */
struct link_target {
    const char *host;
    int port;
    const char *unix_socket;   /* connect here instead, or NULL */
    const struct proxy *proxy; /* or NULL */
    struct ssl_ctx_st *tls;    /* NULL: in the clear */
    const char *name;          /* expected in the certificate */
    bool insecure;
    bool http1_only; /* offer nothing else */
    usec timeout;    /* until it is open */
};

struct link_events {
    void (*on_open)(void *userdata, bool http2);
    void (*on_input)(void *userdata);
    void (*on_room)(void *userdata);
    void (*on_failed)(void *userdata, const struct error *err);
};

struct link *link_new(struct loop *loop, const struct link_target *target,
                      const struct link_events *events, void *userdata);
void link_free(struct link *link);

/* Once open: bytes moved, 0 at the end of the stream, LINK_AGAIN, or LINK_BROKEN with err told. */
long link_read(struct link *link, char *into, size_t size, struct error *err);
long link_write(struct link *link, const char *bytes, size_t size, struct error *err);
/* Whether bytes wait that no on_input will tell of: read on. */
bool link_has_pending(const struct link *link);
/* Whether on_room is wanted; it comes again and again until it is not. */
void link_want_room(struct link *link, bool want);
/* on_input once more, soon, though nothing may have arrived. */
void link_read_later(struct link *link);
