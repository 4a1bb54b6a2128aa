/* http_test.c - the HTTP client against servers with good and bad manners; HTTP/2 and dead networks
 * are in http2_test.c. */
#include "net/http.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "net/loop.h"
#include "net/tls.h"
#include "support/peer.h"
#include "support/test.h"

static struct error err;

static struct loop *started(void)
{
    struct loop *loop = loop_new();

    error_clear(&err);
    CHECK_OK(loop_start(loop, &err), err);
    return loop;
}

/* A loop, a peer and a client for it; a test that fails leaves them to the end of the process. */
struct bench {
    struct loop *loop;
    struct peer peer;
    struct http *http;
    char url[64];
};

static struct bench bench_with(struct peer peer, const char *scheme, struct http_options options)
{
    struct bench bench = { .loop = started(), .peer = peer };

    snprintf(bench.url, sizeof bench.url, "%s://127.0.0.1:%d", scheme, peer.port);
    options.url = options.url ?: bench.url;
    bench.http = http_new(bench.loop, &options, &err);
    if (!bench.http)
        test_fail(__FILE__, __LINE__, "%s", error_text(&err));
    return bench;
}

static struct bench bench_new(struct http_options options)
{
    return bench_with(PEER("support/http_peer.py"), "http", options);
}

static void bench_done(struct bench *bench)
{
    http_free(bench->http);
    loop_free(bench->loop);
    peer_stop(&bench->peer);
}

static int ask(struct bench *bench, const struct http_request *request, struct http_response *ret)
{
    http_response_done(ret);
    *ret = (struct http_response) { 0 };
    return http_do(bench->http, request, ret, &err);
}

static int get(struct bench *bench, const char *path, struct http_response *ret)
{
    return ask(bench, &(struct http_request) { .path = path }, ret);
}

static void check_count(struct bench *bench, int connections, int requests)
{
    scoped(http_response) struct http_response response = { 0 };
    int had_connections, had_requests;

    CHECK_OK(get(bench, "/count", &response), err);
    CHECK_INT(sscanf(response.body.bytes, "%d %d", &had_connections, &had_requests), 2);
    CHECK_INT(had_connections, connections);
    CHECK_INT(had_requests, requests + 1);
}

TEST(requests_one_after_another_share_a_connection)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };

    for (int i = 0; i < 3; i++) {
        CHECK_OK(get(&bench, "/ok", &response), err);
        CHECK_INT(response.status, 200);
        CHECK_INT(response.version, 11);
        CHECK_STR(buf_text(&response.body), "ok");
        CHECK_STR(http_header(&response, "X-PEER"), "Python");
        CHECK(!http_header(&response, "X-Absent"));
    }
    check_count(&bench, 1, 3);
    bench_done(&bench);
}

static int add_token(void *userdata, const char *method, const char *path, struct buf *lines,
                     struct error *error)
{
    if (!strcmp(path, "/echo/never"))
        return fail(error, -EACCES, "no token for %s", method);
    return buf_fmt(lines, "Authorization: Bearer %s\nX-Second: 2\n", (const char *)userdata);
}

TEST(a_request_arrives_as_it_was_given)
{
    struct bench bench = bench_new((struct http_options) {
        .user_agent = "windlass/1", .authorize = add_token, .userdata = (void *)"t0ken" });
    scoped(http_response) struct http_response response = { 0 };
    struct http_request request = {
        .method = "PATCH",
        .path = "/echo/a%20b?x=1&y=%2F",
        .headers = (const char *const[]) { "Accept: application/json", "X-Mine:one", NULL },
        .content_type = "application/apply-patch+yaml",
        .body = "a: 1\n",
        .body_len = 5,
    };

    CHECK_OK(ask(&bench, &request, &response), err);
    CHECK_INT(strncmp(response.body.bytes, "PATCH /echo/a%20b?x=1&y=%2F\n", 28), 0);
    CHECK(strstr(response.body.bytes, "\naccept: application/json\n"));
    CHECK(strstr(response.body.bytes, "\nx-mine: one\n"));
    CHECK(strstr(response.body.bytes, "\nuser-agent: windlass/1\n"));
    CHECK(strstr(response.body.bytes, "\nauthorization: Bearer t0ken\n"));
    CHECK(strstr(response.body.bytes, "\nx-second: 2\n"));
    CHECK(strstr(response.body.bytes, "\ncontent-type: application/apply-patch+yaml\n"));
    CHECK(strstr(response.body.bytes, "\n\na: 1\n"));
    CHECK_INT(get(&bench, "/echo/never", &response), -EACCES);
    check_count(&bench, 1, 1);
    bench_done(&bench);
}

TEST(a_header_that_would_begin_another_is_not_sent)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };
    struct http_request request = { .path = "/ok",
                                    .headers = (const char *const[]) { "X: 1\r\nY: 2", NULL } };

    CHECK_INT(ask(&bench, &request, &response), -EINVAL);
    bench_done(&bench);
}

TEST(an_answer_of_any_status_is_no_failure)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };
    size_t at = 0;

    CHECK_OK(get(&bench, "/status/429", &response), err);
    CHECK_INT(response.status, 429);
    CHECK_STR(buf_text(&response.body), "status 429");
    CHECK_STR(http_header(&response, "Retry-After"), "7");
    CHECK_STR(http_header_next(&response, "warning", &at), "299 - \"one\"");
    CHECK_STR(http_header_next(&response, "warning", &at), "299 - \"two\"");
    CHECK(!http_header_next(&response, "warning", &at));
    CHECK_OK(get(&bench, "/interim", &response), err);
    CHECK_STR(buf_text(&response.body), "final");
    CHECK(!http_header(&response, "X-Early"));
    bench_done(&bench);
}

TEST(a_head_request_waits_for_no_body)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };

    CHECK_OK(http_do(bench.http, &(struct http_request) { .method = "HEAD", .path = "/heads/5" },
                     &response, &err),
             err);
    CHECK_STR(http_header(&response, "x-long"), "hhhhh");
    bench_done(&bench);
}

struct pieces {
    struct buf text;
    int count;
    int stop_at;
    int head_rc;
    int head_status;
};

static int on_headers(void *userdata, const struct http_response *response)
{
    struct pieces *pieces = userdata;

    pieces->head_status = response->status;
    return pieces->head_rc;
}

static int on_data(void *userdata, const char *bytes, size_t len)
{
    struct pieces *pieces = userdata;

    buf_add(&pieces->text, bytes, len);
    return ++pieces->count == pieces->stop_at ? -EILSEQ : 0;
}

static int stream(struct bench *bench, const char *path, struct pieces *pieces,
                  struct http_response *ret)
{
    struct http_request request = { .path = path,
                                    .idle_limit = 2 * USEC_SEC,
                                    .on_data = on_data,
                                    .on_headers = on_headers,
                                    .userdata = pieces };

    http_response_done(ret);
    *ret = (struct http_response) { 0 };
    return ask(bench, &request, ret);
}

TEST(a_stream_comes_piece_by_piece_and_may_be_stopped)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };
    struct pieces all = { 0 }, some = { .stop_at = 2 }, none = { .head_rc = -ESTALE }, bad = { 0 };

    CHECK_OK(stream(&bench, "/drip/4/20", &all, &response), err);
    CHECK_STR(buf_text(&all.text), "0;1;2;3;");
    CHECK(all.count >= 2);
    CHECK_INT(response.body.len, 0);
    CHECK_INT(stream(&bench, "/drip/4/20", &some, &response), -EILSEQ);
    CHECK_STR(buf_text(&some.text), "0;1;");
    CHECK_INT(stream(&bench, "/drip/4/20", &none, &response), -ESTALE);
    CHECK_INT(none.head_status, 200);
    CHECK_OK(stream(&bench, "/status/410", &bad, &response), err);
    CHECK_INT(bad.count, 0); /* what is not the stream is kept apart from it */
    CHECK_STR(buf_text(&response.body), "status 410");
    buf_done(&all.text);
    buf_done(&some.text);
    bench_done(&bench);
}

TEST(a_stream_that_falls_silent_ends_and_a_live_one_does_not)
{
    struct bench bench = bench_new((struct http_options) { .timeout = USEC_SEC / 2 });
    scoped(http_response) struct http_response response = { 0 };
    struct pieces live = { 0 }, dead = { 0 };
    usec began = clock_now();

    CHECK_OK(stream(&bench, "/drip/11/250", &live, &response), err);
    CHECK(clock_now() - began > 2500 * USEC_MSEC); /* no timeout of ours applies to it */
    CHECK_INT(stream(&bench, "/silent", &dead, &response), -ETIMEDOUT);
    CHECK(strstr(error_text(&err), "silent after 2."));
    buf_done(&live.text);
    bench_done(&bench);
}

TEST(a_deadline_holds_and_says_where_the_request_stood)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };
    usec began = clock_now();
    struct http_request request = { .path = "/silent", .deadline = began + 100 * USEC_MSEC };

    CHECK_INT(ask(&bench, &request, &response), -ETIMEDOUT);
    CHECK(clock_now() - began >= 100 * USEC_MSEC && clock_now() - began < 3 * USEC_SEC);
    CHECK_STR(error_text(&err), "GET /silent: timed out after 0.1 s (no answer)");
    request.deadline = began; /* gone before it begins */
    CHECK_INT(ask(&bench, &request, &response), -ETIMEDOUT);
    CHECK_OK(get(&bench, "/ok", &response), err);
    bench_done(&bench);
}

TEST(each_way_to_fail_has_its_own_code)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };
    struct http_request big = { .path = "/big/2000", .body_limit = 1000 };

    CHECK_INT(get(&bench, "/cut/10", &response), -ECONNRESET);
    CHECK_INT(response.body.len, 10);
    CHECK_INT(get(&bench, "/junk", &response), -EPROTO);
    CHECK_INT(get(&bench, "/heads/100000", &response), -EPROTO);
    CHECK_INT(ask(&bench, &big, &response), -EMSGSIZE);
    CHECK(strstr(error_text(&err), "longer than 1000 bytes"));
    peer_stop(&bench.peer);
    CHECK_INT(get(&bench, "/ok", &response), -ECONNREFUSED);
    CHECK(strstr(error_text(&err), "Connection refused"));
    bench_done(&bench);
    bench = bench_with(PEER("support/http_peer.py"), "http",
                       (struct http_options) { .url = "http://name.invalid" });
    CHECK_INT(get(&bench, "/ok", &response), -EHOSTUNREACH);
    bench_done(&bench);
}

TEST(a_get_survives_a_connection_the_server_gave_up)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };

    CHECK_OK(get(&bench, "/ok", &response), err);
    CHECK_OK(get(&bench, "/drop", &response), err);
    CHECK_STR(buf_text(&response.body), "fresh");
    check_count(&bench, 2, 3);
    bench_done(&bench);
}

TEST(a_post_is_never_sent_twice_unless_allowed)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };
    struct http_request post = { .method = "POST", .path = "/drop", .body = "x", .body_len = 1 };

    CHECK_OK(get(&bench, "/ok", &response), err);
    CHECK_INT(ask(&bench, &post, &response), -ECONNRESET);
    check_count(&bench, 2, 2);
    post.may_repeat = true;
    CHECK_OK(ask(&bench, &post, &response), err);
    bench_done(&bench);
}

TEST(a_base_path_stands_before_every_path)
{
    struct peer peer = PEER("support/http_peer.py");
    char url[64];
    struct bench bench;
    scoped(http_response) struct http_response response = { 0 };

    snprintf(url, sizeof url, "http://localhost:%d/echo/base/", peer.port);
    bench = bench_with(peer, "http", (struct http_options) { .url = url });
    CHECK_OK(get(&bench, "/sub", &response), err);
    CHECK_INT(strncmp(response.body.bytes, "GET /echo/base/sub\n", 19), 0);
    bench_done(&bench);
}

struct tally {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    int left, ok, canceled, other;
    unsigned most_running;
    struct http *http;
};

static void tally_one(void *userdata, struct http_response *response, int rc,
                      const struct error *error)
{
    struct tally *tally = userdata;
    unsigned running, waiting;
    scoped_lock(&tally->lock);

    (void)error;
    http_load(tally->http, &running, &waiting);
    if (running + 1 > tally->most_running)
        tally->most_running = running + 1;
    tally->ok += rc == 0 && response->status == 200;
    tally->canceled += rc == -ECANCELED;
    tally->other += rc < 0 && rc != -ECANCELED;
    tally->left--;
    pthread_cond_signal(&tally->cond);
}

static void wait_for(struct tally *tally)
{
    scoped_lock(&tally->lock);
    while (tally->left)
        pthread_cond_wait(&tally->cond, &tally->lock);
}

static struct tally tally_of(struct http *http, int count)
{
    return (struct tally) { .lock = PTHREAD_MUTEX_INITIALIZER,
                            .cond = PTHREAD_COND_INITIALIZER,
                            .left = count,
                            .http = http };
}

TEST(many_calls_take_turns_within_the_window)
{
    struct bench bench = bench_new((struct http_options) { .max_in_flight = 4 });
    struct tally tally = tally_of(bench.http, 40);
    struct http_request request = { .path = "/drip/2/5", .userdata = &tally };

    for (int i = 0; i < 40; i++)
        http_start(bench.http, &request, tally_one);
    wait_for(&tally);
    CHECK_INT(tally.ok, 40);
    CHECK_INT(tally.most_running, 4);
    check_count(&bench, 4, 40);
    bench_done(&bench);
}

TEST(connections_are_as_few_as_asked_and_streams_do_not_count)
{
    struct bench bench = bench_new((struct http_options) { .max_connections = 2 });
    struct tally streams = tally_of(bench.http, 3), calls = tally_of(bench.http, 20);
    struct http_request stream = { .path = "/silent",
                                   .idle_limit = 60 * USEC_SEC,
                                   .userdata = &streams };
    struct http_request call = { .path = "/drip/2/5", .userdata = &calls };

    for (int i = 0; i < 3; i++)
        http_start(bench.http, &stream, tally_one);
    for (int i = 0; i < 20; i++)
        http_start(bench.http, &call, tally_one);
    wait_for(&calls);
    CHECK_INT(calls.ok, 20);
    check_count(&bench, 3 + 2, 3 + 20);
    bench_done(&bench);
    CHECK_INT(streams.canceled, 3); /* http_free() ends them */
}

TEST(a_call_can_be_canceled_running_waiting_or_long_gone)
{
    struct bench bench = bench_new((struct http_options) { .max_in_flight = 1 });
    struct tally tally = tally_of(bench.http, 3);
    struct http_request silent = { .path = "/silent", .userdata = &tally };
    struct http_request ok = { .path = "/ok", .userdata = &tally };
    uint64_t running = http_start(bench.http, &silent, tally_one);
    uint64_t waiting = http_start(bench.http, &silent, tally_one);
    uint64_t last = http_start(bench.http, &ok, tally_one);

    http_cancel(bench.http, waiting);
    http_cancel(bench.http, running);
    wait_for(&tally);
    CHECK_INT(tally.canceled, 2);
    CHECK_INT(tally.ok, 1);
    http_cancel(bench.http, last);
    http_cancel(bench.http, 12345);
    bench_done(&bench);
}

static void *call_many(void *arg)
{
    intptr_t failed = 0;

    for (int i = 0; i < 100; i++) {
        scoped(http_response) struct http_response response = { 0 };

        failed += http_do(arg, &(struct http_request) { .path = "/ok" }, &response, NULL) < 0 ||
                  response.status != 200;
    }
    return (void *)failed;
}

TEST(many_threads_call_at_once)
{
    struct bench bench = bench_new((struct http_options) { 0 });
    pthread_t threads[6];

    for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
        pthread_create(&threads[i], NULL, call_many, bench.http);
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
        void *failed;

        pthread_join(threads[i], &failed);
        CHECK(!failed);
    }
    bench_done(&bench);
}

TEST(options_that_cannot_work_are_refused_with_the_reason)
{
    static const struct {
        struct http_options options;
        const char *says;
    } cases[] = {
        { { .url = "ftp://x" }, "neither http:// nor https://" },
        { { .url = "https://x", .proxy = "gopher://y" }, "only http:// and socks5://" },
        { { .url = "https://x", .tls = { .ca_file = "/nonexistent" } }, "/nonexistent" },
        { { .url = "https://x", .tls = { .ca_pem = "junk" } }, "CA bundle" },
        { { .url = "https://x", .tls = { .cert_pem = "x" } }, "its key is missing" },
    };
    scoped(loop) struct loop *loop = started();

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        CHECK(!http_new(loop, &cases[i].options, &err));
        if (!strstr(error_text(&err), cases[i].says))
            test_fail(__FILE__, __LINE__, "\"%s\" lacks \"%s\"", error_text(&err), cases[i].says);
    }
}
