/* server_test.c - what the HTTP server answers and what it refuses; its limits are in
 * server_limits_test.c, TLS and leaving in server_tls_test.c. */
#include "net/server.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "net/loop.h"
#include "support/raw.h"
#include "support/test.h"

static struct error err;

static void echo(struct request *request, struct reply *reply, void *userdata)
{
    const char *param = request_param(request, "p");

    (void)userdata;
    buf_fmt(&reply->body, "%s %s p=%s x=%s [%s]", request->method, request->path, param ?: "-",
            request_header(request, "X-Test") ?: "-", request->body);
}

static void slow(struct request *request, struct reply *reply, void *userdata)
{
    (void)request, (void)userdata;
    usleep(300 * 1000);
    reply_text(reply, 200, "slept");
}

static void redirect(struct request *request, struct reply *reply, void *userdata)
{
    (void)request, (void)userdata;
    reply_header(reply, "Location", "/a\r\nX-Evil: 1");
    reply_text(reply, 302, "elsewhere");
}

/* Knows "known" at once, and the worker everything. */
static bool knows(struct request *request, struct reply *reply, void *userdata)
{
    (void)userdata;
    if (strcmp(request->body, "known"))
        return false;
    buf_fmt(&reply->body, "at once [%s]", request->body);
    return true;
}

static const struct route routes[] = {
    { NULL, "/echo", echo, .flags = ROUTE_PREFIX },
    { "GET", "/slow", slow, .flags = ROUTE_WORKER },
    { "GET", "/get", echo },
    { "POST", "/post", echo },
    { "GET", "/redirect", redirect },
    { "POST", "/quick", echo, .flags = ROUTE_WORKER, .quick = knows },
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

TEST(a_handler_sees_the_request_and_the_peer_its_reply)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    int fd = raw_dial(bench.port);
    const char *answer;

    raw_say(fd, "POST /echo/a%20b?q=1&p=x%2By+z HTTP/1.1\r\nHost: h\r\nx-TEST:  v \r\n"
                "Content-Length: 5\r\n\r\nhello");
    answer = raw_answer(fd);
    CHECK(!strncmp(answer, "HTTP/1.1 200 OK\r\n", 17));
    CHECK(strstr(answer, "\r\nContent-Length: 34\r\n"));
    CHECK(strstr(answer, "\r\nDate: "));
    CHECK(!strstr(answer, "Connection: close"));
    CHECK_STR(raw_body(answer), "POST /echo/a b p=x+y z x=v [hello]");
    close(fd);
    bench_done(&bench);
}

TEST(head_is_get_without_the_body)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    int fd = raw_dial(bench.port);
    const char *answer;

    raw_say(fd, "HEAD /get HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    answer = raw_answer(fd);
    CHECK(strstr(answer, "Content-Length: 20\r\n"));
    CHECK_STR(raw_body(answer), "");
    close(fd);
    bench_done(&bench);
}

TEST(a_reply_header_cannot_be_split)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    int fd = raw_dial(bench.port);
    const char *answer;

    raw_say(fd, "GET /redirect HTTP/1.1\r\nHost: h\r\n\r\n");
    answer = raw_answer(fd);
    CHECK(strstr(answer, "302 Found"));
    CHECK(strstr(answer, "Location: /a  X-Evil: 1\r\n"));
    close(fd);
    bench_done(&bench);
}

TEST(what_is_wrong_with_a_request_has_its_status)
{
    static const struct {
        int status;
        const char *text;
    } cases[] = {
        { 404, "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 404, "GET /get/ HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 405, "DELETE /get HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 405, "HEAD /post HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" },
        { 200, "\r\n\r\nGET /get HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 200, "GET http://h/get HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 200, "GET /get HTTP/1.0\r\n\r\n" },
        { 200, "GET /get HTTP/1.2\r\nHost: h\r\n\r\n" },
        { 400, "GET /get HTTP/1.1\r\n\r\n" },
        { 400, "GET /get HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n" },
        { 400, "GET /get\r\n\r\n" },
        { 400, "GET  /get HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 400, "G\x01T /get HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 400, "GET get HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 400, "GET /g\xc3\xa9t HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 400, "GET /get%00 HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 400, "GET /get%zz HTTP/1.1\r\nHost: h\r\n\r\n" },
        { 400, "GET /get HTTP/1.1\nHost: h\n\n" },
        { 400, "GET /get HTTP/1.1\r\nHost: h\nX: y\r\n\r\n" },
        { 400, "GET /get HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n" },
        { 400, "GET /get HTTP/1.1\r\nHost : h\r\n\r\n" },
        { 400, "GET /get HTTP/1.1\r\nHost: h\r\n: empty\r\n\r\n" },
        { 400, "GET /get HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n" },
        { 400, "\x16\x03\x01\x02" },
        { 400, "SSH-2.0-x\n" },
        { 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" },
        { 400, "GET /get HTTP/x.1\r\nHost: h\r\n\r\n" },
        { 400,
          "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx" },
        { 400, "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n" },
        { 400, "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 0x1\r\n\r\n" },
        { 413, "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n" },
        { 413, "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n" },
        { 400, "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n"
               "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" },
        { 501, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n" },
        { 501, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" },
        { 400, "POST /post HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" },
        { 400, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\n" },
        { 400, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n" },
        { 400, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n" },
        { 413, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
               "fffffffffffffff\r\n" },
        { 400, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
               "fffffffffffffffff\r\n" },
        { 417, "POST /post HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\n\r\n" },
        { 200, "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
               "5;ext=1\r\nhello\r\n0\r\nTrailer: x\r\n\r\n" },
    };
    struct bench bench = bench_new((struct server_options) { .max_body = 1000 });

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        raw_check_status(bench.port, cases[i].text, cases[i].status);
    bench_done(&bench);
}

TEST(a_nul_in_the_head_is_refused)
{
    static const char text[] = "GET /get HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n";
    struct bench bench = bench_new((struct server_options) { 0 });

    CHECK_INT(raw_status(bench.port, text, sizeof text - 1, NULL), 400);
    bench_done(&bench);
}

TEST(a_long_or_crowded_head_is_refused)
{
    struct bench bench = bench_new((struct server_options) { .max_header = 2000 });
    scoped(buf) struct buf text = { 0 }, crowd = { 0 };

    buf_str(&text, "GET /get HTTP/1.1\r\nHost: h\r\nX: ");
    for (int i = 0; i < 2000; i++)
        buf_char(&text, 'x');
    raw_check_status(bench.port, text.bytes, 431); /* before its end has come */
    buf_str(&crowd, "GET /get HTTP/1.1\r\nHost: h\r\n");
    for (int i = 0; i < 70; i++)
        buf_str(&crowd, "X: y\r\n");
    buf_str(&crowd, "\r\n");
    raw_check_status(bench.port, crowd.bytes, 431);
    bench_done(&bench);
}

TEST(bytes_may_arrive_one_by_one)
{
    static const char text[] =
        "POST /post HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3\r\nabc\r\n4;x\r\ndefg\r\n0\r\nT: u\r\n\r\n"
        "POST /post HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz";
    struct bench bench = bench_new((struct server_options) { 0 });
    int fd = raw_dial(bench.port);
    const char *answer;

    for (size_t i = 0; i < sizeof text - 1; i++) {
        raw_send(fd, text + i, 1);
        usleep(200);
    }
    raw_say(fd, "GET /get HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    answer = raw_hear(fd, 10000, NULL);
    CHECK(strstr(answer, "[abcdefg]HTTP/1.1 200 OK"));
    CHECK(strstr(answer, "[xyz]"));
    close(fd);
    bench_done(&bench);
}

TEST(pipelined_requests_are_answered_in_order_whoever_handles_them)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    int fd = raw_dial(bench.port);
    scoped(buf) struct buf text = { 0 };
    const char *answer, *at;

    for (int i = 0; i < 100; i++)
        buf_fmt(&text, "GET /echo/%d HTTP/1.1\r\nHost: h\r\n\r\n", i);
    buf_str(&text, "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n"
                   "GET /echo/last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                   "GET /echo/never HTTP/1.1\r\nHost: h\r\n\r\n");
    raw_say(fd, text.bytes);
    answer = at = raw_hear(fd, 10000, NULL);
    for (int i = 0; i < 100; i++) {
        char path[16];

        snprintf(path, sizeof path, "/echo/%d ", i);
        CHECK((at = strstr(at, path)) != NULL);
    }
    CHECK((at = strstr(at, "slept")) != NULL);
    CHECK(strstr(at, "/echo/last"));
    CHECK(!strstr(answer, "/echo/never"));
    close(fd);
    bench_done(&bench);
}

TEST(what_is_known_at_once_needs_no_worker_and_the_next_request_is_untouched)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    int fd = raw_dial(bench.port);
    const char *answer, *at;

    raw_say(fd, "POST /quick HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nknown"
                "POST /quick HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nother"
                "POST /quick HTTP/1.1\r\nHost: h\r\n\r\n"
                "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n"
                "POST /quick HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                "Content-Length: 5\r\n\r\nknown");
    answer = at = raw_hear(fd, 10000, NULL);
    CHECK((at = strstr(answer, "at once [known]HTTP/1.1 200 OK")) != NULL);
    CHECK((at = strstr(at, "POST /quick p=- x=- [other]")) != NULL);
    CHECK((at = strstr(at, "POST /quick p=- x=- []")) != NULL);
    CHECK((at = strstr(at, "slept")) != NULL);
    CHECK((at = strstr(at, "at once [known]")) != NULL);
    close(fd);
    bench_done(&bench);
}

/* The first buffer of a connection has 16 KiB; ASan would see a byte too far. */
TEST(a_body_that_fills_the_buffer_leaves_room_for_its_end)
{
    static const char head[] = "POST /quick HTTP/1.1\r\nHost: h\r\nContent-Length: %zu\r\n\r\n";
    struct bench bench = bench_new((struct server_options) { 0 });

    for (size_t total = 16 * 1024 - 3; total <= 16 * 1024 + 1; total++) {
        size_t n = total - strlen(head) - strlen("16000") + strlen("%zu");
        scoped(buf) struct buf text = { 0 };
        char want[64];
        int fd = raw_dial(bench.port);

        buf_fmt(&text, head, n);
        while (text.len < total)
            buf_char(&text, 'x');
        raw_send(fd, text.bytes, total);
        snprintf(want, sizeof want, "Content-Length: %zu\r\n",
                 n + strlen("POST /quick p=- x=- []"));
        CHECK(strstr(raw_answer(fd), want) != NULL);
        close(fd);
    }
    bench_done(&bench);
}

TEST(a_peer_that_waits_for_100_continue_gets_it_or_the_refusal)
{
    struct bench bench = bench_new((struct server_options) { .max_body = 1000 });
    int fd = raw_dial(bench.port);

    raw_say(fd,
            "POST /post HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    CHECK_STR(raw_answer(fd), "HTTP/1.1 100 Continue\r\n\r\n");
    raw_say(fd, "ab");
    CHECK(strstr(raw_answer(fd), "[ab]"));
    close(fd);
    raw_check_status(bench.port,
                     "POST /post HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                     "Content-Length: 5000\r\n\r\n",
                     413);
    raw_check_status(bench.port,
                     "POST /no HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                     "Content-Length: 5\r\n\r\n",
                     404);
    bench_done(&bench);
}

TEST(connections_stay_open_or_close_as_the_version_says)
{
    struct bench bench = bench_new((struct server_options) { 0 });
    static const char *const stay[] = {
        "GET /get HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /get HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
        "GET /none HTTP/1.1\r\nHost: h\r\n\r\n",
    };
    static const char *const go[] = {
        "GET /get HTTP/1.1\r\nHost: h\r\nConnection: foo, Close\r\n\r\n",
        "GET /get HTTP/1.0\r\n\r\n",
        "BAD\r\n\r\n",
    };
    bool closed;

    for (size_t i = 0; i < ARRAY_SIZE(stay); i++) {
        raw_status(bench.port, stay[i], strlen(stay[i]), &closed);
        CHECK(!closed);
    }
    for (size_t i = 0; i < ARRAY_SIZE(go); i++) {
        raw_status(bench.port, go[i], strlen(go[i]), &closed);
        CHECK(closed);
    }
    bench_done(&bench);
}

TEST(addresses_are_understood_or_refused)
{
    static const char *const bad[] = {
        "8081", "host:80", ":99999", "::1:80", "[::1]", "1.2.3.4:x"
    };
    scoped(loop) struct loop *loop = loop_new();
    struct server *first, *second;
    char address[32];

    error_clear(&err);
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        struct server_options options = { .address = bad[i], .routes = routes };

        CHECK(!server_new(loop, &options, &err));
        CHECK_INT(err.code, -EINVAL);
    }
    first = server_new(loop, &(struct server_options) { .address = ":0", .routes = routes }, &err);
    CHECK(first != NULL && server_port(first) > 0);
    snprintf(address, sizeof address, ":%d", server_port(first));
    second =
        server_new(loop, &(struct server_options) { .address = address, .routes = routes }, &err);
    CHECK(!second);
    CHECK_INT(err.code, -EADDRINUSE);
    CHECK(server_address_is_off("0") && server_address_is_off("") && server_address_is_off(NULL));
    CHECK(!server_address_is_off(":0"));
    server_free(first);
}
