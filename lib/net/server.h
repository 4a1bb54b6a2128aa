/* server.h - answers HTTP/1.1, in the clear or over TLS, and stays up whoever calls.
 *
 *     static const struct route routes[] = {
 *         { "GET", "/healthz", healthz },
 *         { "POST", "/validate/", validate, .flags = ROUTE_PREFIX },
 *         { "GET", "/metrics", metrics, .flags = ROUTE_WORKER },
 *         { 0 },
 *     };
 *     server = server_new(loop, &(struct server_options){ .address = ":9443", .routes = routes,
 *                                                         .cert_dir = dir }, &err);
 *
 * A request reaches its handler whole: headers, and the body in one piece. Handlers run on the loop
 * thread unless the route says ROUTE_WORKER, which is for those that wait for something. GET routes
 * answer HEAD as well. Limits, each with its status: header bytes 431, body bytes 413, time for a
 * request to arrive 408, unknown path 404, known path with another method 405, what is not HTTP
 * 400, a version other than 1.x 505, an encoding other than chunked 501, more requests in memory
 * than max_buffered 503. A connection that asks for nothing is closed after idle_timeout; when
 * max_connections is reached the one that has been silent for longest goes, and when all of them
 * are being served new ones wait.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/scope.h"
#include "net/tls.h"

struct loop;
struct server;

/* Borrowed by the handler until it returns. */
struct request {
    const char *method;
    const char *path;  /* unescaped, without the query; always begins with "/" */
    const char *query; /* as sent, without the "?"; "" when there is none */
    const char *body;  /* NUL-terminated */
    size_t body_len;
    const char *peer;           /* its address, "10.0.0.7:41288" */
    const char *peer_name;      /* common name of its verified certificate, or NULL */
    struct arena *arena;        /* freed after the reply is built */
    const char *const *headers; /* name, value, name, value, NULL; names in lower case */
};

const char *request_header(const struct request *request, const char *name); /* or NULL */
/* Value of a query parameter, unescaped, or NULL. */
const char *request_param(const struct request *request, const char *name);

struct reply {
    int status;               /* 200 unless set */
    const char *content_type; /* NULL: text/plain; charset=utf-8 */
    struct buf body;
    struct buf headers; /* filled by reply_header() */
};

void reply_header(struct reply *reply, const char *name, const char *value);
/* A status with one line of text. */
void reply_text(struct reply *reply, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum route_flags {
    ROUTE_PREFIX = 1, /* the path is a prefix; the longest match wins */
    ROUTE_WORKER = 2, /* runs on a worker thread, so that it may wait */
};

struct route {
    const char *method; /* NULL: any */
    const char *path;
    void (*handle)(struct request *request, struct reply *reply, void *userdata);
    unsigned flags;
    void *userdata; /* NULL: that of the options */
    /* With ROUTE_WORKER: tried first, on the loop thread, for requests that need no waiting after
     * all. false leaves the reply as it is and the request to the worker. NULL: none are such. */
    bool (*quick)(struct request *request, struct reply *reply, void *userdata);
};

struct server_options {
    const char *address; /* ":8081" (all addresses), "127.0.0.1:0" (any free port), "[::1]:80" */
    const struct route *routes; /* ended by a NULL path; borrowed for the server's life */
    void *userdata;

    /* TLS when one of these is set. Files are looked at every few seconds and taken up when they
     * change and fit together; open connections go on with what they began with. */
    const char *cert_dir; /* holds tls.crt and tls.key */
    const char *cert_file;
    const char *key_file;
    const struct tls_pair *pair; /* in memory; replaced by server_set_pair() */
    const char *client_ca;       /* PEM; client certificates it signed are verified */
    bool require_client;         /* and there must be one */
    /* Tells of each attempt to take up changed files; on the loop thread. May be NULL. */
    void (*on_reload)(void *userdata, int rc, const struct error *err);

    size_t max_header;        /* 0: 32 KiB, request line included */
    size_t max_body;          /* 0: 6 MiB */
    usec request_timeout;     /* 0: 30 s; for a request to arrive, and again to take the answer */
    usec idle_timeout;        /* 0: 90 s; TLS handshakes have 10 s at most */
    usec reload_every;        /* 0: 5 s; how often certificate files are looked at */
    unsigned max_connections; /* 0: 512 */
    size_t max_buffered;      /* 0: 48 MiB; of all requests in memory together, beyond it 503 */
    unsigned workers;         /* threads for ROUTE_WORKER, started when first needed; 0: 2 */
};

/* Listens at once. -EADDRINUSE, -EINVAL for what is wrong in the options. */
struct server *server_new(struct loop *loop, const struct server_options *options,
                          struct error *err);
/* Closes everything without waiting for the peers; waits for handlers on workers, so never on the
 * loop thread when there are any. */
void server_free(struct server *server);
DEFINE_SCOPE(server, server_free)

/* From now on every answer is the last of its connection, so that clients go elsewhere by
 * themselves; new ones are still served. For the seconds in which others learn that we are leaving.
 */
void server_lame_duck(struct server *server);
/* Stops accepting, lets requests under way finish with "Connection: close", closes idle
 * connections, and after at most `within` closes the rest. From any thread but the loop's: waits
 * for the end. Returns how many requests were cut. */
int server_drain(struct server *server, usec within);

int server_port(const struct server *server);
/* Serves this certificate to new connections from now on; from any thread. */
int server_set_pair(struct server *server, const struct tls_pair *pair, struct error *err);

struct server_stats {
    unsigned connections;
    unsigned long accepted;
    unsigned long requests;
    unsigned long refused; /* closed or answered by a limit */
};
void server_stats(struct server *server, struct server_stats *ret);

/* Whether an address means "do not serve": NULL, "" or "0". */
bool server_address_is_off(const char *address);
