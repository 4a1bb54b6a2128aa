/* server_limits_test.c - what the HTTP server puts up with: senders too large, too slow, too many.
 */
#include "net/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/loop.h"
#include "support/raw.h"
#include "support/test.h"

static struct error err;

static void hello(struct request *request, struct reply *reply, void *userdata)
{
    (void)request, (void)userdata;
    reply_text(reply, 200, "hello");
}

static atomic_bool released;

static void wait_for_release(struct request *request, struct reply *reply, void *userdata)
{
    (void)request, (void)userdata;
    while (!released)
        usleep(1000);
    reply_text(reply, 200, "released");
}

static void flood(struct request *request, struct reply *reply, void *userdata)
{
    (void)request, (void)userdata;
    for (int i = 0; i < 200 * 1000; i++)
        buf_str(&reply->body, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\n");
}

static const struct route routes[] = {
    { "GET", "/get", hello },
    { "POST", "/post", hello },
    { "GET", "/wait", wait_for_release, .flags = ROUTE_WORKER },
    { "GET", "/flood", flood },
    { 0 },
};

struct bench {
    struct loop *loop;
    struct server *server;
    int port;
};

static struct bench bench_new(struct server_options options)
{
    struct bench bench = { .loop = loop_new() };

    error_clear(&err);
    CHECK_OK(loop_start(bench.loop, &err), err);
    options.address = "127.0.0.1:0";
    options.routes = routes;
    bench.server = server_new(bench.loop, &options, &err);
    if (!bench.server)
        test_fail(__FILE__, __LINE__, "%s", error_text(&err));
    bench.port = server_port(bench.server);
    return bench;
}

static void bench_done(struct bench *bench)
{
    server_free(bench->server);
    loop_free(bench->loop);
}

TEST(an_oversized_sender_hears_the_refusal_before_it_is_cut)
{
    struct bench bench = bench_new((struct server_options) { .max_body = 1000 });
    int fd = raw_dial(bench.port);
    scoped(free) char *much = must_alloc(1024 * 1024);

    raw_say(fd, "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 1048576\r\n\r\n");
    raw_send(fd, much, 1024 * 1024);
    CHECK(!strncmp(raw_answer(fd), "HTTP/1.1 413 ", 13));
    close(fd);
    bench_done(&bench);
}

TEST(slow_senders_get_408_and_silent_ones_nothing)
{
    struct bench bench = bench_new((struct server_options) { .request_timeout = 300 * USEC_MSEC,
                                                             .idle_timeout = 300 * USEC_MSEC });
    int silent = raw_dial(bench.port), dripping = raw_dial(bench.port);
    bool closed;

    for (int i = 0; i < 8; i++) { /* each byte would restart a mere read timeout */
        raw_say(dripping, "G");
        usleep(30 * 1000);
    }
    CHECK(!strncmp(raw_hear(dripping, 10000, &closed), "HTTP/1.1 408 ", 13));
    CHECK(closed);
    CHECK_STR(raw_hear(silent, 10000, &closed), "");
    CHECK(closed);
    close(silent);
    close(dripping);
    bench_done(&bench);
}

TEST(a_peer_that_does_not_read_is_given_up)
{
    struct bench bench = bench_new((struct server_options) { .request_timeout = 300 * USEC_MSEC });
    struct server_stats stats = { 0 };
    int fd = raw_dial(bench.port);

    raw_say(fd, "GET /flood HTTP/1.1\r\nHost: h\r\n\r\n");
    for (int i = 0; i < 1000 && (!stats.requests || stats.connections); i++) {
        usleep(10 * 1000);
        server_stats(bench.server, &stats);
    }
    CHECK_INT(stats.connections, 0);
    close(fd);
    bench_done(&bench);
}

TEST(a_slow_handler_on_a_worker_holds_up_nobody)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    int waiting = raw_dial(bench.port), quick = raw_dial(bench.port);

    raw_say(waiting, "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n");
    usleep(20 * 1000);
    raw_say(quick, "GET /get HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    CHECK(strstr(raw_answer(quick), "200 OK"));
    CHECK_STR(raw_hear(waiting, 20, NULL), "");
    released = true;
    CHECK(strstr(raw_answer(waiting), "released"));
    close(waiting);
    close(quick);
    bench_done(&bench);
}

TEST(thousands_of_idle_connections_leave_room_for_one_that_asks)
{
    struct bench bench = bench_new((struct server_options) { .max_connections = 50 });
    struct server_stats stats;
    static int idle[1500];

    for (size_t i = 0; i < ARRAY_SIZE(idle); i++) {
        idle[i] = raw_dial(bench.port);
        if (i % 2) /* half of them begin and never end */
            raw_say(idle[i], "POST /post HTTP/1.1\r\nHos");
        if (i % 100 == 0)
            raw_check_status(bench.port, "GET /get HTTP/1.1\r\nHost: h\r\n\r\n", 200);
    }
    raw_check_status(bench.port, "GET /get HTTP/1.1\r\nHost: h\r\n\r\n", 200);
    server_stats(bench.server, &stats);
    CHECK(stats.connections <= 50);
    CHECK(stats.refused >= 1400);
    for (size_t i = 0; i < ARRAY_SIZE(idle); i++)
        close(idle[i]);
    bench_done(&bench);
}

TEST(requests_in_memory_are_bounded_all_together)
{
    struct bench bench = bench_new((struct server_options) { .max_buffered = 1024 * 1024 });
    scoped(free) char *much = must_alloc(400 * 1024);
    int fds[8], refused = 0;

    for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
        fds[i] = raw_dial(bench.port);
        raw_say(fds[i], "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n");
        CHECK(send(fds[i], much, 400 * 1024, MSG_NOSIGNAL) > 0);
    }
    for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
        refused += !strncmp(raw_hear(fds[i], 300, NULL), "HTTP/1.1 503 ", 13);
        close(fds[i]);
    }
    CHECK(refused >= 5);
    raw_check_status(bench.port, "GET /get HTTP/1.1\r\nHost: h\r\n\r\n", 200);
    bench_done(&bench);
}

TEST(running_out_of_descriptors_stops_nobody_for_long)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)bench.port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct rlimit before, low;
    int fds[30];
    const char *answer;

    for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    getrlimit(RLIMIT_NOFILE, &before);
    low = before;
    low.rlim_cur = (rlim_t)fds[29] + 1 + 5; /* five are left for the server */
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &low), 0);
    for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
        CHECK_INT(connect(fds[i], (struct sockaddr *)&at, sizeof at), 0);
    raw_say(fds[29], "GET /get HTTP/1.1\r\nHost: h\r\n\r\n");
    answer = raw_answer(fds[29]);
    setrlimit(RLIMIT_NOFILE, &before);
    CHECK(strstr(answer, "200 OK"));
    for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
        close(fds[i]);
    bench_done(&bench);
}
