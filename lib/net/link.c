/* link.c - opens connections step by step: resolve, connect, proxy, TLS. */
#include "net/link.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "net/link_internal.h"
#include "net/loop.h"

enum {
    /* A peer gone silent is given up after 10 + 3 * 4 s without traffic, or 20 s with
     * unacknowledged data: below the 25 s promised. */
    KEEPALIVE_IDLE = 10,
    KEEPALIVE_EVERY = 4,
    KEEPALIVE_PROBES = 3,
    UNACKNOWLEDGED_MS = 20 * 1000,
};
#define NEXT_ADDRESS (3 * USEC_SEC) /* how long one of several addresses may take */

static void try_next(struct link *link);

/* The end of an attempt to open; the link is the user's to free. */
void link_fail(struct link *link, const struct error *err)
{
    link->state = LINK_FAILED;
    timer_stop(link->timer);
    link_watch(link, 0);
    link->events->on_failed(link->userdata, err);
}

void link_watch(struct link *link, short what)
{
    bool read = what & EV_READ, write = what & EV_WRITE;

    if (link->fd < 0)
        return;
    if (read != link->reading)
        read ? event_add(&link->can_read, NULL) : event_del(&link->can_read);
    if (write != link->writing)
        write ? event_add(&link->can_write, NULL) : event_del(&link->can_write);
    link->reading = read;
    link->writing = write;
}

static void tune(int fd)
{
    static const struct {
        int level, name, value;
    } options[] = {
        { IPPROTO_TCP, TCP_NODELAY, 1 },
        { SOL_SOCKET, SO_KEEPALIVE, 1 },
        { IPPROTO_TCP, TCP_KEEPIDLE, KEEPALIVE_IDLE },
        { IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_EVERY },
        { IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES },
        { IPPROTO_TCP, TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS },
    };

    for (size_t i = 0; i < ARRAY_SIZE(options); i++) /* Unix sockets refuse them; no matter */
        setsockopt(fd, options[i].level, options[i].name, &options[i].value, sizeof(int));
}

static void drop_socket(struct link *link)
{
    if (link->fd < 0)
        return;
    event_del(&link->can_read); /* also when it was only made active by hand */
    event_del(&link->can_write);
    link->reading = link->writing = false;
    close(link->fd);
    link->fd = -1;
}

static void open_now(struct link *link, bool http2)
{
    timer_stop(link->timer);
    link->state = LINK_OPEN;
    link_watch(link, EV_READ);
    link->events->on_open(link->userdata, http2);
}

/* The bytes flow to the server from here on. */
static void reached(struct link *link)
{
    if (!link->target.tls) {
        open_now(link, false);
        return;
    }
    link->state = LINK_SECURING;
    link_tls_begin(link);
    link_tls_step(link);
}

static void begin_proxy(struct link *link)
{
    link->state = LINK_ASKING;
    link->talk = (struct proxy_talk) { .proxy = link->target.proxy,
                                       .host = link->target.host,
                                       .port = link->target.port };
    proxy_begin(&link->talk, &link->out);
    link_watch(link, EV_READ | EV_WRITE);
}

/* Moves the words to and from the proxy; a byte at a time on the way in, since what comes after its
 * last word belongs to TLS. */
static void talk_to_proxy(struct link *link)
{
    enum proxy_step step = PROXY_MORE;
    struct error err = { 0 };
    char byte;
    ssize_t n = send(link->fd, buf_text(&link->out), link->out.len, MSG_NOSIGNAL);

    if (n > 0)
        buf_consume(&link->out, (size_t)n);
    while (step == PROXY_MORE && (n = recv(link->fd, &byte, 1, 0)) == 1) {
        buf_char(&link->in, byte);
        step = proxy_feed(&link->talk, &link->in, &link->out, &err);
    }
    if (step == PROXY_MORE && (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))) {
        fail(&err, -ECONNRESET, "proxy %s:%d: closed the connection", link->target.proxy->host,
             link->target.proxy->port);
        step = PROXY_FAILED;
    }
    if (step == PROXY_MORE)
        link_watch(link, EV_READ | (link->out.len ? EV_WRITE : 0));
    else if (step == PROXY_FAILED)
        link_fail(link, &err);
    else
        reached(link);
}

static void connected(struct link *link)
{
    if (link->target.proxy)
        begin_proxy(link);
    else
        reached(link);
}

/* The address at hand does not work; the last one's failure is the link's. */
static void give_up_address(struct link *link, int rc)
{
    struct error err = { 0 };

    drop_socket(link);
    if (link->next < link->found.count) {
        try_next(link);
        return;
    }
    if (link->target.unix_socket)
        fail(&err, rc, "connect to %s: %s", link->target.unix_socket, strerror(-rc));
    else
        fail(&err, rc, "connect to %s%s port %d: %s", link->target.proxy ? "proxy " : "",
             link_peer_host(link), link_peer_port(link), strerror(-rc));
    link_fail(link, &err);
}

static void finish_connect(struct link *link)
{
    int failure = 0;
    socklen_t len = sizeof failure;

    if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &failure, &len) < 0)
        failure = errno;
    if (failure)
        give_up_address(link, -failure);
    else
        connected(link);
}

static void ready(evutil_socket_t fd, short what, void *arg)
{
    struct link *link = arg;

    (void)fd;
    switch (link->state) {
    case LINK_CONNECTING:
        finish_connect(link);
        break;
    case LINK_ASKING:
        talk_to_proxy(link);
        break;
    case LINK_SECURING:
        link_tls_step(link);
        break;
    case LINK_OPEN:
        if (what & EV_WRITE)
            link->events->on_room(link->userdata);
        else
            link->events->on_input(link->userdata);
        break;
    case LINK_RESOLVING:
    case LINK_FAILED:
        break;
    }
}

static void start_connect(struct link *link, const struct sockaddr *address, socklen_t len)
{
    struct event_base *base = loop_base(link->loop);

    link->state = LINK_CONNECTING;
    link->fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (link->fd < 0) {
        give_up_address(link, -errno);
        return;
    }
    tune(link->fd);
    event_assign(&link->can_read, base, link->fd, EV_READ | EV_PERSIST, ready, link);
    event_assign(&link->can_write, base, link->fd, EV_WRITE | EV_PERSIST, ready, link);
    if (connect(link->fd, address, len) < 0 && errno != EINPROGRESS) {
        give_up_address(link, -errno);
        return;
    }
    link_watch(link, EV_WRITE);
}

static void try_next(struct link *link)
{
    unsigned i = link->next++;
    usec left = link->deadline - clock_now();
    bool last = link->next == link->found.count;

    timer_set(link->timer, last || left < NEXT_ADDRESS ? left : NEXT_ADDRESS);
    start_connect(link, (struct sockaddr *)&link->found.list[i].at, link->found.list[i].len);
}

static void resolved(void *userdata, const struct addresses *found, const struct error *err)
{
    struct link *link = userdata;

    if (!found) {
        link_fail(link, err);
        return;
    }
    link->found = *found;
    try_next(link);
}

static void time_is_up(void *arg)
{
    static const char *const doing[] = { "resolve", "connect to", "reach the server through",
                                         "TLS with" };
    struct link *link = arg;
    struct error err = { 0 };

    if (link->state == LINK_CONNECTING && link->next < link->found.count) {
        give_up_address(link, -ETIMEDOUT);
        return;
    }
    fail(&err, -ETIMEDOUT, "%s %s port %d: no answer within %.1f s",
         link->state <= LINK_SECURING ? doing[link->state] : "connect to", link_peer_host(link),
         link_peer_port(link), (double)link->target.timeout / USEC_SEC);
    link_fail(link, &err);
}

static void begin(void *arg)
{
    struct link *link = arg;
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    const char *path = link->target.unix_socket;

    timer_free(take(link->starter));
    if (!path) {
        link->resolve =
            resolve_new(link->loop, link_peer_host(link), link_peer_port(link), resolved, link);
    } else if (strlen(path) >= sizeof address.sun_path) {
        give_up_address(link, -ENAMETOOLONG);
    } else {
        strcpy(address.sun_path, path);
        start_connect(link, (struct sockaddr *)&address, sizeof address);
    }
}

struct link *link_new(struct loop *loop, const struct link_target *target,
                      const struct link_events *events, void *userdata)
{
    struct link *link = must_alloc(sizeof *link);

    *link = (struct link) { .loop = loop,
                            .target = *target,
                            .events = events,
                            .userdata = userdata,
                            .fd = -1,
                            .deadline = clock_now() + target->timeout };
    link->timer = timer_new(loop, target->timeout, 0, time_is_up, link);
    link->starter =
        timer_new(loop, 0, 0, begin, link); /* so that nothing fails inside link_new() */
    return link;
}

void link_free(struct link *link)
{
    if (!link)
        return;
    resolve_free(link->resolve);
    if (link->ssl && link->state == LINK_OPEN)
        SSL_shutdown(link->ssl);
    ERR_clear_error();
    SSL_free(link->ssl);
    drop_socket(link);
    timer_free(link->timer);
    timer_free(link->starter);
    buf_done(&link->in);
    buf_done(&link->out);
    free(link);
}

void link_opened(struct link *link, bool http2)
{
    open_now(link, http2);
}

void link_want_room(struct link *link, bool want)
{
    link_watch(link, want ? EV_READ | EV_WRITE : EV_READ);
}

void link_read_later(struct link *link)
{
    event_active(&link->can_read, EV_READ, 0);
}

const char *link_peer_host(const struct link *link)
{
    return link->target.proxy ? link->target.proxy->host : link->target.host;
}

int link_peer_port(const struct link *link)
{
    return link->target.proxy ? link->target.proxy->port : link->target.port;
}
