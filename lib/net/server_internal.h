/* server_internal.h - the server's parts.
 *
 * server.c listens and keeps the limits, drain.c ends it; conn.c is one connection and its bytes;
 * serve.c finds the handler of a request and makes its answer. All of it runs on the loop thread,
 * handlers on workers excepted, which touch only their struct exchange.
 */
#pragma once
#include <event2/event.h>
#include <event2/event_struct.h>
#include <openssl/ssl.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "net/server.h"
#include "net/wire.h"

/* Where a connection stands; each has its list, oldest first, and all but SERVING a time limit. */
enum conn_state {
    CONN_HANDSHAKE,
    CONN_IDLE,
    CONN_RECEIVING,
    CONN_SERVING,
    CONN_SENDING,
    CONN_LINGERING,
    CONN_STATES
};

struct conn {
    TAILQ_ENTRY(conn) entry;
    struct server *server;
    enum conn_state state;
    usec since; /* in that state */
    int fd;
    SSL *ssl; /* made when the peer begins to speak */
    struct event can_read, can_write;
    bool reading, writing; /* which of the two are added */
    struct buf in, out;
    size_t charged; /* bytes of in that count against the server's budget */
    size_t out_at;  /* of out, already sent */
    struct wire wire;
    bool close_after; /* the answer under way is the last */
    bool bad;         /* ... and more may be arriving that nobody will read */
    size_t lingered;
    struct arena *held; /* the request that a worker has */
    char peer[64];
    char *peer_name;
};

TAILQ_HEAD(conns, conn);

struct server {
    struct loop *loop;
    struct server_options options; /* strings copied, defaults filled in */
    struct arena *arena;
    struct arena *request_arena; /* of the request being handled on the loop thread */
    struct workers *workers;
    struct conns conns[CONN_STATES];
    usec limits[CONN_STATES];
    unsigned conn_count;
    int listen_fd;
    struct event *can_accept;
    bool accepting;
    struct timer *sweeper;
    usec sweep_at;
    struct timer *retry_accept;
    struct buf spare; /* a read buffer for whoever speaks next */
    size_t charged;   /* bytes of requests in memory */
    SSL_CTX *tls;     /* NULL: in the clear */
    struct cert_watch *cert_watch;
    bool lame; /* every answer is its connection's last */
    time_t date_at;
    char date[32];
    int port;
    atomic_ulong accepted, requests, refused;

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t empty_cond;
    unsigned open; /* connections, for the one who drains */
};

/* server.c */
void server_enter(struct conn *conn, enum conn_state state);
void server_gone(struct conn *conn); /* takes it off the lists and frees it */
/* Accounts for a buffer that grew or shrank; false when requests in memory would be too many. */
bool server_charge(struct conn *conn, size_t size);
void server_accept_some(struct server *server);
void server_stop_listening(struct server *server);
void server_close_in(struct server *server, enum conn_state state);

/* conn.c */
void conn_new(struct server *server, int fd, const char *peer);
void conn_close(struct conn *conn);
/* Time is up: answers 408 where a request had begun, and closes. */
void conn_expire(struct conn *conn);
/* Sends conn->out, then goes on with the next request or closes. */
void conn_send(struct conn *conn);

/* serve.c */
/* Handles the whole request in conn->in and fills conn->out; false when a worker does so and will
 * call conn_send() on the loop thread. */
bool serve(struct conn *conn);
/* An answer made by a limit. */
void serve_refusal(struct conn *conn, int status, const char *why);
/* Whether a request that has not arrived whole has a handler; it may be refused before its body. */
bool serve_expects(struct conn *conn);

/* cert.c: certificate files that are taken up when they change */
struct cert_watch *cert_watch_new(struct server *server, struct error *err);
void cert_watch_free(struct cert_watch *watch);
void server_use(struct server *server, SSL_CTX *tls); /* takes the reference over */
