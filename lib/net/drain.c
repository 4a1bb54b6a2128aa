/* drain.c - leaves without cutting anyone off, as far as the time allows. */
#include "net/loop.h"
#include "net/server_internal.h"

static void go_lame(void *arg)
{
    ((struct server *)arg)->lame = true;
}

void server_lame_duck(struct server *server)
{
    loop_call(server->loop, go_lame, server);
}

static void begin_drain(void *arg)
{
    struct server *server = arg;

    server->lame = true;
    if (server->can_accept)
        server_accept_some(server); /* those the kernel has welcomed already */
    server_stop_listening(server);
}

static void close_idle(void *arg)
{
    server_close_in(arg, CONN_IDLE);
}

struct cut {
    struct server *server;
    int count;
};

/* What a worker has in its hands stays until server_free(). */
static void cut_rest(void *arg)
{
    struct cut *cut = arg;
    struct conn *conn;

    for (int state = 0; state < CONN_STATES; state++) {
        TAILQ_FOREACH(conn, &cut->server->conns[state], entry)
        cut->count += state == CONN_RECEIVING || state == CONN_SERVING || state == CONN_SENDING;
        if (state != CONN_SERVING)
            server_close_in(cut->server, (enum conn_state)state);
    }
}

static void wait_empty(struct server *server, usec until)
{
    struct timespec at = { .tv_sec = until / USEC_SEC, .tv_nsec = until % USEC_SEC * 1000 };
    scoped_lock(&server->lock);

    while (server->open && clock_now() < until)
        pthread_cond_timedwait(&server->empty_cond, &server->lock, &at);
}

int server_drain(struct server *server, usec within)
{
    struct cut cut = { .server = server };
    usec began = clock_now();

    loop_call(server->loop, begin_drain, server);
    /* A request may be on its way over a connection that looks idle, so not at once. */
    wait_empty(server, began + (within / 2 < USEC_SEC / 2 ? within / 2 : USEC_SEC / 2));
    loop_call(server->loop, close_idle, server);
    wait_empty(server, began + within);
    loop_call(server->loop, cut_rest, &cut);
    return cut.count;
}
