/* conn.c - one connection of the server: handshake, bytes in, answers out, a decent end. */
#include <errno.h>
#include <openssl/err.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "net/loop.h"
#include "net/server_internal.h"

enum {
    FIRST_READ = 16 * 1024,
    LINGER_BYTES = 8 * 1024 * 1024,
    PIPELINE_MAX = 32, /* requests answered before others have their turn */
    AGAIN = -1,        /* of the read and write functions below */
    BROKEN = -2,
};

static void want_read(struct conn *conn, bool want)
{
    if (want != conn->reading)
        want ? event_add(&conn->can_read, NULL) : event_del(&conn->can_read);
    conn->reading = want;
}

static void want_write(struct conn *conn, bool want)
{
    if (want != conn->writing)
        want ? event_add(&conn->can_write, NULL) : event_del(&conn->can_write);
    conn->writing = want;
}

void conn_close(struct conn *conn)
{
    want_read(conn, false);
    want_write(conn, false);
    if (conn->ssl) {
        if (SSL_is_init_finished(conn->ssl) && !conn->bad)
            SSL_shutdown(conn->ssl);
        ERR_clear_error();
        SSL_free(conn->ssl);
    }
    close(conn->fd);
    server_charge(conn, 0);
    buf_done(&conn->in);
    buf_done(&conn->out);
    free(conn->peer_name);
    arena_free(conn->held);
    server_gone(conn);
}

static long tls_result(struct conn *conn, int rc)
{
    int reason = SSL_get_error(conn->ssl, rc);

    ERR_clear_error();
    if (reason == SSL_ERROR_WANT_WRITE)
        want_write(conn, true);
    return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE ? AGAIN : BROKEN;
}

/* Bytes read, 0 at the end of the stream, AGAIN or BROKEN. */
static long receive(struct conn *conn, char *into, size_t size)
{
    ssize_t got;

    if (conn->ssl) {
        int n = SSL_read(conn->ssl, into, (int)size);

        return n > 0 ? n : tls_result(conn, n);
    }
    got = recv(conn->fd, into, size, 0);
    if (got >= 0)
        return got;
    return errno == EAGAIN || errno == EINTR ? AGAIN : BROKEN;
}

static long transmit(struct conn *conn, const char *bytes, size_t size)
{
    ssize_t put;

    if (conn->ssl) {
        int n = SSL_write(conn->ssl, bytes, size > INT32_MAX ? INT32_MAX : (int)size);

        return n > 0 ? n : tls_result(conn, n);
    }
    put = send(conn->fd, bytes, size, MSG_NOSIGNAL);
    if (put >= 0)
        return put;
    return errno == EAGAIN || errno == EINTR ? AGAIN : BROKEN;
}

/* Somebody who speaks HTTP to a TLS port is told so, in the clear. */
static void refuse_handshake(struct conn *conn)
{
    static const char text[] = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n"
                               "Connection: close\r\n\r\nThis port speaks HTTPS.\n";
    bool is_http = ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST;

    if (is_http && send(conn->fd, text, sizeof text - 1, MSG_NOSIGNAL) > 0)
        shutdown(conn->fd, SHUT_WR);
    conn->server->refused++;
    conn_close(conn);
}

static void note_peer_name(struct conn *conn)
{
    X509 *cert = SSL_get1_peer_certificate(conn->ssl);
    char name[256];

    if (cert && SSL_get_verify_result(conn->ssl) == X509_V_OK &&
        X509_NAME_get_text_by_NID(X509_get_subject_name(cert), NID_commonName, name, sizeof name) >
            0)
        conn->peer_name = must_str(name);
    X509_free(cert);
}

/* True when the connection is ready to be read from. */
static bool shake_hands(struct conn *conn)
{
    int rc, reason;

    if (!conn->ssl) {
        conn->ssl = SSL_new(conn->server->tls);
        if (!conn->ssl || !SSL_set_fd(conn->ssl, conn->fd))
            abort();
    }
    rc = SSL_accept(conn->ssl);
    if (rc == 1) {
        note_peer_name(conn);
        want_write(conn, false);
        server_enter(conn, CONN_IDLE);
        return true;
    }
    reason = SSL_get_error(conn->ssl, rc);
    if (reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE)
        want_write(conn, reason == SSL_ERROR_WANT_WRITE);
    else
        refuse_handshake(conn);
    return false;
}

/* Makes room for more of the request; false when the server holds too many bytes already. */
static bool make_room(struct conn *conn)
{
    struct buf *in = &conn->in;
    size_t size = in->size ? in->size * 2 : FIRST_READ;

    if (!in->size && conn->server->spare.size) {
        *in = take(conn->server->spare);
        return server_charge(conn, in->size);
    }
    if (in->size - in->len > 1 + FIRST_READ / 4)
        return true;
    if (!server_charge(conn, size))
        return false;
    in->bytes = must_realloc(in->bytes, size);
    in->size = size;
    return true;
}

/* A connection that waits owns no buffer; one is kept for the next that speaks. */
static void give_up_buffers(struct conn *conn)
{
    struct buf *spare = &conn->server->spare;

    server_charge(conn, 0);
    buf_clear(&conn->in);
    if (!spare->size && conn->in.size == FIRST_READ)
        *spare = take(conn->in);
    buf_done(&conn->in);
    buf_done(&conn->out);
}

static bool is_open_to_requests(const struct conn *conn)
{
    return conn->state == CONN_IDLE || conn->state == CONN_RECEIVING;
}

/* Closing at once would make the kernel answer what still arrives with a reset, which can overtake
 * our words. So we end our half and read the rest into nothing for a moment. */
static void part(struct conn *conn)
{
    if (!conn->bad) {
        conn_close(conn);
        return;
    }
    if (conn->ssl)
        SSL_shutdown(conn->ssl);
    ERR_clear_error();
    shutdown(conn->fd, SHUT_WR);
    give_up_buffers(conn);
    want_write(conn, false);
    want_read(conn, true);
    server_enter(conn, CONN_LINGERING);
}

/* Sends what there is; false when the rest must wait, or the connection is gone. */
static bool send_out(struct conn *conn)
{
    while (conn->out_at < conn->out.len) {
        long put = transmit(conn, conn->out.bytes + conn->out_at, conn->out.len - conn->out_at);

        if (put == AGAIN) {
            want_read(conn, false); /* who does not listen is not listened to */
            want_write(conn, true);
            if (conn->state != CONN_SENDING)
                server_enter(conn, CONN_SENDING);
            return false;
        }
        if (put < 0) {
            conn_close(conn);
            return false;
        }
        conn->out_at += (size_t)put;
    }
    conn->out_at = 0;
    buf_clear(&conn->out);
    return true;
}

/* Sends the answer and forgets the request; true when the connection is ready for the next. */
static bool answer(struct conn *conn)
{
    if (!send_out(conn))
        return false;
    if (conn->close_after) {
        part(conn);
        return false;
    }
    buf_consume(&conn->in, conn->wire.head_len + conn->wire.body_len);
    wire_init(&conn->wire, conn->wire.max_head, conn->wire.max_body);
    want_write(conn, false);
    want_read(conn, true);
    server_enter(conn, CONN_IDLE);
    return true;
}

static void refuse(struct conn *conn, int status, const char *why)
{
    conn->bad = true;
    conn->server->refused++;
    serve_refusal(conn, status, why);
    answer(conn);
}

/* What one reading brought. */
enum got { GOT_NOTHING, GOT_SOME, GOT_MORE_TO_COME, GOT_END };

static enum got fill(struct conn *conn)
{
    size_t room;
    long got;

    if (!make_room(conn)) {
        refuse(conn, 503, "too many requests at once");
        return GOT_END;
    }
    room = conn->in.size - conn->in.len - 1;
    got = receive(conn, conn->in.bytes + conn->in.len, room);
    if (got == AGAIN)
        return GOT_NOTHING;
    if (got <= 0) {
        conn_close(conn);
        return GOT_END;
    }
    conn->in.len += (size_t)got;
    conn->in.bytes[conn->in.len] = '\0';
    /* what OpenSSL holds already no event will tell of */
    if (conn->ssl ? SSL_has_pending(conn->ssl) : (size_t)got == room)
        return GOT_MORE_TO_COME;
    return GOT_SOME;
}

/* A part of a request is there, or nothing: wait for more, without a buffer if nothing. */
static void await(struct conn *conn)
{
    if (!conn->in.len)
        give_up_buffers(conn);
    else if (conn->state == CONN_IDLE)
        server_enter(conn, CONN_RECEIVING);
}

/* Tells a peer that waits for it to send its body; false when the request is refused instead. */
static bool encourage(struct conn *conn)
{
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";

    if (!serve_expects(conn)) {
        refuse(conn, 404, "not found");
        return false;
    }
    if (transmit(conn, text, sizeof text - 1) == sizeof text - 1)
        return true;
    conn_close(conn);
    return false;
}

static bool handle(struct conn *conn)
{
    conn->server->requests++;
    if (serve(conn))
        return answer(conn);
    want_read(conn, false);
    server_enter(conn, CONN_SERVING);
    return false;
}

/* Reads and answers requests until there is nothing to do but wait. */
static void pursue(struct conn *conn, bool may_read)
{
    for (int handled = 0; is_open_to_requests(conn);) {
        enum wire_step step = wire_feed(&conn->wire, &conn->in);

        if (step == WIRE_MORE && may_read) {
            enum got got = fill(conn);

            if (got == GOT_END)
                return;
            may_read = got == GOT_MORE_TO_COME;
            if (got != GOT_NOTHING)
                continue;
        }
        if (step == WIRE_MORE) {
            await(conn);
            return;
        }
        if (step == WIRE_CONTINUE && !encourage(conn))
            return;
        if (step == WIRE_BAD) {
            refuse(conn, conn->wire.status, conn->wire.why);
            return;
        }
        if (step == WIRE_WHOLE && !handle(conn))
            return;
        if (step == WIRE_WHOLE && ++handled == PIPELINE_MAX) {
            event_active(&conn->can_read, EV_READ, 0); /* others come first */
            return;
        }
    }
}

static void linger(struct conn *conn)
{
    char waste[16 * 1024];
    long got = recv(conn->fd, waste, sizeof waste, 0);

    if (got > 0)
        conn->lingered += (size_t)got;
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR) || conn->lingered > LINGER_BYTES)
        conn_close(conn);
}

static void readable(evutil_socket_t fd, short what, void *arg)
{
    struct conn *conn = arg;

    (void)fd, (void)what;
    if (conn->state == CONN_LINGERING)
        linger(conn);
    else if (conn->state != CONN_HANDSHAKE || shake_hands(conn))
        pursue(conn, true);
}

void conn_send(struct conn *conn)
{
    if (answer(conn))
        pursue(conn, conn->ssl && SSL_has_pending(conn->ssl));
}

static void writable(evutil_socket_t fd, short what, void *arg)
{
    struct conn *conn = arg;

    if (conn->state == CONN_SENDING) {
        conn_send(conn);
    } else { /* TLS itself had something to send before it could go on */
        want_write(conn, false);
        readable(fd, what, conn);
    }
}

void conn_expire(struct conn *conn)
{
    if (conn->state == CONN_RECEIVING)
        refuse(conn, 408, "the request did not arrive in time");
    else
        conn_close(conn);
}

void conn_new(struct server *server, int fd, const char *peer)
{
    struct conn *conn = must_alloc(sizeof *conn);
    struct event_base *base = loop_base(server->loop);

    *conn = (struct conn) { .server = server, .fd = fd };
    snprintf(conn->peer, sizeof conn->peer, "%s", peer);
    wire_init(&conn->wire, server->options.max_header, server->options.max_body);
    event_assign(&conn->can_read, base, fd, EV_READ | EV_PERSIST, readable, conn);
    event_assign(&conn->can_write, base, fd, EV_WRITE | EV_PERSIST, writable, conn);
    TAILQ_INSERT_TAIL(&server->conns[CONN_IDLE], conn, entry);
    conn->state = CONN_IDLE;
    server_enter(conn, server->tls ? CONN_HANDSHAKE : CONN_IDLE);
    want_read(conn, true);
}
