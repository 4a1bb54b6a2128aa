/* server.c - listens, admits connections, watches their time, and ends them in order. */
#include "net/server.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "base/str.h"
#include "net/listen.h"
#include "net/loop.h"
#include "net/server_internal.h"
#include "net/workers.h"

enum { ACCEPTS_AT_ONCE = 64 };
#define HANDSHAKE_LIMIT (10 * USEC_SEC)
#define LINGER_LIMIT (2 * USEC_SEC)
#define ACCEPT_PAUSE (100 * USEC_MSEC)

static void want_accept(struct server *server, bool want)
{
    if (!server->can_accept || want == server->accepting)
        return;
    want ? event_add(server->can_accept, NULL) : event_del(server->can_accept);
    server->accepting = want;
}

static usec sweep_due(const struct conn *conn)
{
    usec limit = conn->server->limits[conn->state];

    return limit ? conn->since + limit : USEC_NEVER;
}

static void sweep_by(struct server *server, usec at)
{
    if (at >= server->sweep_at)
        return;
    server->sweep_at = at;
    timer_set(server->sweeper, at - clock_now());
}

void server_enter(struct conn *conn, enum conn_state state)
{
    struct server *server = conn->server;

    TAILQ_REMOVE(&server->conns[conn->state], conn, entry);
    conn->state = state;
    conn->since = clock_now();
    TAILQ_INSERT_TAIL(&server->conns[state], conn, entry);
    sweep_by(server, sweep_due(conn));
}

/* Each list is in the order of arrival, so its head is the first whose time is up. */
static void sweep(void *arg)
{
    struct server *server = arg;
    usec now = clock_now();

    server->sweep_at = USEC_NEVER;
    for (int state = 0; state < CONN_STATES; state++) {
        struct conn *conn;

        while ((conn = TAILQ_FIRST(&server->conns[state])) && sweep_due(conn) <= now)
            conn_expire(conn);
        if (conn)
            sweep_by(server, sweep_due(conn));
    }
}

static void count_open(struct server *server, int by)
{
    scoped_lock(&server->lock);
    server->open += (unsigned)by;
    if (!server->open)
        pthread_cond_broadcast(&server->empty_cond);
}

void server_gone(struct conn *conn)
{
    struct server *server = conn->server;

    TAILQ_REMOVE(&server->conns[conn->state], conn, entry);
    free(conn);
    server->conn_count--;
    count_open(server, -1);
    want_accept(server, true);
}

bool server_charge(struct conn *conn, size_t size)
{
    struct server *server = conn->server;
    size_t total = server->charged - conn->charged + size;

    if (size > conn->charged && total > server->options.max_buffered)
        return false;
    server->charged = total;
    conn->charged = size;
    return true;
}

/* Ends the connection that has kept us waiting for longest; false when all are being served. */
static bool evict(struct server *server)
{
    static const enum conn_state waiting[] = { CONN_IDLE, CONN_LINGERING, CONN_HANDSHAKE,
                                               CONN_RECEIVING };
    struct conn *oldest = NULL;

    for (size_t i = 0; i < ARRAY_SIZE(waiting); i++) {
        struct conn *head = TAILQ_FIRST(&server->conns[waiting[i]]);

        if (head && (!oldest || head->since < oldest->since))
            oldest = head;
    }
    if (!oldest)
        return false;
    server->refused++;
    conn_close(oldest);
    return true;
}

static void resume_accept(void *arg)
{
    want_accept(arg, true);
}

/* Out of descriptors: one of ours may go; if none can, we come back when others have closed some.
 */
static void run_short(struct server *server)
{
    if (evict(server))
        return;
    want_accept(server, false);
    timer_set(server->retry_accept, ACCEPT_PAUSE);
}

static void admit(struct server *server, int fd, const char *peer)
{
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    server->accepted++;
    server->conn_count++;
    count_open(server, 1);
    conn_new(server, fd, peer);
}

void server_accept_some(struct server *server)
{
    char peer[64];

    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        int fd;

        if (server->conn_count >= server->options.max_connections && !evict(server)) {
            want_accept(server, false); /* until one is done */
            return;
        }
        fd = listen_accept(server->listen_fd, peer, sizeof peer);
        if (fd == -EMFILE || fd == -ENFILE || fd == -ENOBUFS || fd == -ENOMEM)
            run_short(server);
        if (fd == -EINTR || fd == -ECONNABORTED)
            continue;
        if (fd < 0)
            return;
        admit(server, fd, peer);
    }
}

static void acceptable(evutil_socket_t fd, short what, void *arg)
{
    (void)fd, (void)what;
    server_accept_some(arg);
}

void server_use(struct server *server, SSL_CTX *tls)
{
    SSL_CTX_free(server->tls); /* connections hold references of their own */
    server->tls = tls;
}

struct swap {
    struct server *server;
    SSL_CTX *tls;
};

static void swap_now(void *arg)
{
    struct swap *swap = arg;

    server_use(swap->server, swap->tls);
}

int server_set_pair(struct server *server, const struct tls_pair *pair, struct error *err)
{
    struct swap swap = { .server = server };
    int rc = tls_server_context(pair, server->options.client_ca, server->options.require_client,
                                &swap.tls, err);

    if (rc == 0)
        loop_call(server->loop, swap_now, &swap);
    return rc;
}

void server_stop_listening(struct server *server)
{
    if (server->can_accept)
        event_free(take(server->can_accept));
    if (server->listen_fd >= 0)
        close(server->listen_fd);
    server->listen_fd = -1;
}

void server_close_in(struct server *server, enum conn_state state)
{
    struct conn *conn;

    while ((conn = TAILQ_FIRST(&server->conns[state])))
        conn_close(conn);
}

static void close_all(void *arg)
{
    struct server *server = arg;

    server_stop_listening(server);
    for (int state = 0; state < CONN_STATES; state++)
        server_close_in(server, (enum conn_state)state);
    timer_free(take(server->sweeper));
    timer_free(take(server->retry_accept));
    cert_watch_free(take(server->cert_watch));
}

void server_free(struct server *server)
{
    if (!server)
        return;
    workers_free(server->workers);
    loop_call(server->loop, close_all, server);
    SSL_CTX_free(server->tls);
    buf_done(&server->spare);
    pthread_mutex_destroy(&server->lock);
    pthread_cond_destroy(&server->empty_cond);
    arena_free(server->request_arena);
    arena_free(server->arena);
    free(server);
}

int server_port(const struct server *server)
{
    return server->port;
}

void server_stats(struct server *server, struct server_stats *ret)
{
    *ret = (struct server_stats) {
        .accepted = server->accepted,
        .requests = server->requests,
        .refused = server->refused,
    };
    scoped_lock(&server->lock);
    ret->connections = server->open;
}

bool server_address_is_off(const char *address)
{
    return str_empty(address) || str_eq(address, "0");
}

struct birth {
    struct server *server;
    struct error *err;
    int rc;
};

static int use_certificate(struct server *server, struct error *err)
{
    const struct server_options *options = &server->options;

    if (options->pair)
        return tls_server_context(options->pair, options->client_ca, options->require_client,
                                  &server->tls, err);
    if (str_empty(options->cert_dir) && str_empty(options->cert_file))
        return 0;
    if (str_empty(options->cert_dir) && str_empty(options->key_file))
        return fail(err, -EINVAL, "a certificate file without a key file");
    server->cert_watch = cert_watch_new(server, err);
    return server->cert_watch ? 0 : (err->code ?: -EINVAL);
}

static void begin_life(void *arg)
{
    struct birth *birth = arg;
    struct server *server = birth->server;

    server->sweep_at = USEC_NEVER;
    server->sweeper = timer_new(server->loop, USEC_NEVER, 0, sweep, server);
    server->retry_accept = timer_new(server->loop, USEC_NEVER, 0, resume_accept, server);
    birth->rc = use_certificate(server, birth->err);
    if (birth->rc == 0)
        birth->rc = server->listen_fd = listen_open(server->options.address, birth->err);
    if (birth->rc < 0)
        return;
    server->port = listen_port(server->listen_fd);
    server->can_accept = event_new(loop_base(server->loop), server->listen_fd, EV_READ | EV_PERSIST,
                                   acceptable, server);
    if (!server->can_accept)
        abort();
    want_accept(server, true);
}

static void copy_options(struct server *server, const struct server_options *options)
{
    struct server_options *own = &server->options;
    struct arena *a = server->arena;

    *own = *options;
    own->address = arena_str(a, options->address);
    own->cert_dir = arena_str(a, options->cert_dir);
    own->cert_file = arena_str(a, options->cert_file);
    own->key_file = arena_str(a, options->key_file);
    own->client_ca = arena_str(a, options->client_ca);
    own->max_header = options->max_header ?: 32 * 1024;
    own->max_body = options->max_body ?: 6 * 1024 * 1024;
    own->max_buffered = options->max_buffered ?: 48 * 1024 * 1024;
    own->request_timeout = options->request_timeout ?: 30 * USEC_SEC;
    own->idle_timeout = options->idle_timeout ?: 90 * USEC_SEC;
    own->reload_every = options->reload_every ?: 5 * USEC_SEC;
    own->max_connections = options->max_connections ?: 512;
    own->workers = options->workers ?: 2;
}

static void set_limits(struct server *server)
{
    const struct server_options *options = &server->options;

    server->limits[CONN_HANDSHAKE] =
        options->request_timeout < HANDSHAKE_LIMIT ? options->request_timeout : HANDSHAKE_LIMIT;
    server->limits[CONN_IDLE] = options->idle_timeout;
    server->limits[CONN_RECEIVING] = options->request_timeout;
    server->limits[CONN_SENDING] = options->request_timeout;
    server->limits[CONN_LINGERING] = LINGER_LIMIT;
}

static struct server *server_alloc(struct loop *loop, const struct server_options *options)
{
    struct server *server = must_alloc(sizeof *server);
    pthread_condattr_t attr;

    server->loop = loop;
    server->listen_fd = -1;
    server->arena = arena_new();
    server->request_arena = arena_new();
    copy_options(server, options);
    set_limits(server);
    server->workers = workers_new("serve", server->options.workers);
    for (int state = 0; state < CONN_STATES; state++)
        TAILQ_INIT(&server->conns[state]);
    pthread_mutex_init(&server->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&server->empty_cond, &attr);
    pthread_condattr_destroy(&attr);
    return server;
}

struct server *server_new(struct loop *loop, const struct server_options *options,
                          struct error *err)
{
    struct server *server = server_alloc(loop, options);
    struct error local = { 0 };
    struct birth birth = { .server = server, .err = err ?: &local };

    loop_call(loop, begin_life, &birth);
    server->options.pair = NULL; /* it was the caller's */
    if (birth.rc >= 0)
        return server;
    server_free(server);
    return NULL;
}
