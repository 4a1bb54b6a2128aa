/* link_internal.h - what link.c, which opens connections, and link_io.c, TLS and bytes, share. */
#pragma once
#include <event2/event_struct.h>
#include <openssl/ssl.h>

#include "base/buf.h"
#include "net/link.h"
#include "net/proxy.h"
#include "net/resolve.h"

enum link_state {
    LINK_RESOLVING,
    LINK_CONNECTING,
    LINK_ASKING,
    LINK_SECURING,
    LINK_OPEN,
    LINK_FAILED
};

struct link {
    struct loop *loop;
    struct link_target target;
    const struct link_events *events;
    void *userdata;
    enum link_state state;
    usec deadline;
    struct timer *timer;
    struct timer *starter;
    struct resolve *resolve;
    struct addresses found;
    unsigned next; /* of the addresses, to try */
    int fd;
    struct event can_read, can_write;
    bool reading, writing;
    struct proxy_talk talk;
    struct buf in, out; /* to and from the proxy */
    SSL *ssl;
};

void link_watch(struct link *link, short what); /* EV_READ, EV_WRITE */
void link_fail(struct link *link, const struct error *err);
void link_opened(struct link *link, bool http2);
const char *link_peer_host(const struct link *link);
int link_peer_port(const struct link *link);

void link_tls_begin(struct link *link);
void link_tls_step(struct link *link);
