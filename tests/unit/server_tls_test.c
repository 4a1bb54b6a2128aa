/* server_tls_test.c - the HTTP server over TLS: certificates that change under it, clients that
 * show theirs, peers that break the rules, and how it leaves. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/server.h"
#include "support/raw.h"
#include "support/test.h"

#define DAY (24 * 3600 * USEC_SEC)
static const char *const names[] = { "127.0.0.1", NULL };
static struct error err;

static void who(struct request *request, struct reply *reply, void *userdata)
{
    (void)userdata;
    reply_text(reply, 200, "%s", request->peer_name ?: "nobody");
}

static void slow(struct request *request, struct reply *reply, void *userdata)
{
    (void)userdata;
    usleep(request_param(request, "long") ? 2000 * 1000 : 400 * 1000);
    reply_text(reply, 200, "slept");
}

static const struct route routes[] = {
    { "GET", "/who", who },
    { "GET", "/slow", slow, .flags = ROUTE_WORKER },
    { 0 },
};

/* A server on one loop and a client on another, as if they were strangers. */
struct bench {
    struct loop *loop, *client_loop;
    struct tls_pair ca, pair;
    struct server *server;
    char url[64];
};

static struct bench bench_new(void)
{
    struct bench bench = { .loop = loop_new(), .client_loop = loop_new() };

    error_clear(&err);
    CHECK_OK(loop_start(bench.loop, &err), err);
    CHECK_OK(loop_start(bench.client_loop, &err), err);
    CHECK_OK(tls_make_ca("test CA", DAY, &bench.ca, &err), err);
    CHECK_OK(tls_make_cert(&bench.ca, names, DAY, &bench.pair, &err), err);
    return bench;
}

static void serve(struct bench *bench, struct server_options options)
{
    options.address = "127.0.0.1:0";
    options.routes = routes;
    bench->server = server_new(bench->loop, &options, &err);
    if (!bench->server)
        test_fail(__FILE__, __LINE__, "%s", error_text(&err));
    snprintf(bench->url, sizeof bench->url, "https://127.0.0.1:%d", server_port(bench->server));
}

static void bench_done(struct bench *bench)
{
    server_free(bench->server);
    loop_free(bench->loop);
    loop_free(bench->client_loop);
    tls_pair_done(&bench->ca);
    tls_pair_done(&bench->pair);
}

static struct http *client(struct bench *bench, struct http_tls tls)
{
    struct http_options options = { .url = bench->url, .tls = tls };
    struct http *http;

    if (!tls.ca_pem)
        options.tls.ca_pem = bench->ca.cert;
    http = http_new(bench->client_loop, &options, &err);
    CHECK(http != NULL);
    return http;
}

/* The answer's text, or NULL; valid until the next call. */
static const char *ask(struct http *http, const char *path)
{
    static char text[256];
    scoped(http_response) struct http_response response = { 0 };

    if (http_do(http, &(struct http_request) { .path = path }, &response, &err) < 0)
        return NULL;
    snprintf(text, sizeof text, "%d %s", response.status, buf_text(&response.body));
    return text;
}

/* Whether a client that trusts only this CA gets an answer over a new connection. */
static bool trusts(struct bench *bench, const struct tls_pair *ca)
{
    struct http *http = client(bench, (struct http_tls) { .ca_pem = ca->cert });
    bool ok = ask(http, "/who");

    http_free(http);
    return ok;
}

TEST(a_client_certificate_names_the_peer_and_may_be_required)
{
    struct bench bench = bench_new();
    scoped(tls_pair) struct tls_pair mine = { 0 };
    struct http *http;

    CHECK_OK(tls_make_cert(&bench.ca, (const char *const[]) { "node-7", NULL }, DAY, &mine, &err),
             err);
    serve(&bench, (struct server_options) { .pair = &bench.pair, .client_ca = bench.ca.cert });
    http = client(&bench, (struct http_tls) { 0 });
    CHECK_STR(ask(http, "/who"), "200 nobody\n");
    http_free(http);
    http = client(&bench, (struct http_tls) { .cert_pem = mine.cert, .key_pem = mine.key });
    CHECK_STR(ask(http, "/who"), "200 node-7\n");
    http_free(http);
    server_free(bench.server);

    serve(&bench, (struct server_options) {
                      .pair = &bench.pair, .client_ca = bench.ca.cert, .require_client = true });
    http = client(&bench, (struct http_tls) { 0 });
    CHECK(!ask(http, "/who"));
    CHECK_INT(err.code, -EPROTO);
    CHECK(strstr(error_text(&err), "certificate required"));
    http_free(http);
    bench_done(&bench);
}

TEST(a_new_certificate_is_for_new_connections)
{
    struct bench bench = bench_new();
    scoped(tls_pair) struct tls_pair ca2 = { 0 }, pair2 = { 0 };
    struct http *old;

    CHECK_OK(tls_make_ca("second CA", DAY, &ca2, &err), err);
    CHECK_OK(tls_make_cert(&ca2, names, DAY, &pair2, &err), err);
    serve(&bench, (struct server_options) { .pair = &bench.pair });
    old = client(&bench, (struct http_tls) { 0 });
    CHECK(ask(old, "/who") != NULL);
    CHECK_INT(
        server_set_pair(bench.server, &(struct tls_pair) { pair2.cert, bench.pair.key }, &err),
        -EKEYREJECTED);
    CHECK(trusts(&bench, &bench.ca));
    CHECK_OK(server_set_pair(bench.server, &pair2, &err), err);
    CHECK(trusts(&bench, &ca2));
    CHECK(!trusts(&bench, &bench.ca));
    CHECK(ask(old, "/who") != NULL); /* its connection lives on */
    http_free(old);
    bench_done(&bench);
}

static atomic_int reloads, failures;

static void note_reload(void *userdata, int rc, const struct error *error)
{
    (void)userdata, (void)error;
    rc < 0 ? failures++ : reloads++;
}

static void write_pair(const char *dir, const char *cert, const char *key)
{
    char path[64];

    snprintf(path, sizeof path, "%s/tls.crt", dir);
    CHECK_OK(file_write(path, cert, strlen(cert), 0600, &err), err);
    snprintf(path, sizeof path, "%s/tls.key", dir);
    CHECK_OK(file_write(path, key, strlen(key), 0600, &err), err);
}

static bool becomes(atomic_int *value, int want)
{
    for (int i = 0; i < 300 && *value < want; i++)
        usleep(10 * 1000);
    return *value >= want;
}

TEST(certificate_files_are_taken_up_when_they_change_and_fit)
{
    struct bench bench = bench_new();
    scoped(tls_pair) struct tls_pair ca2 = { 0 }, pair2 = { 0 };
    char dir[] = "/tmp/server_tls.XXXXXX", command[64];
    int failed;

    CHECK(mkdtemp(dir) != NULL);
    CHECK_OK(tls_make_ca("second CA", DAY, &ca2, &err), err);
    CHECK_OK(tls_make_cert(&ca2, names, DAY, &pair2, &err), err);
    write_pair(dir, bench.pair.cert, bench.pair.key);
    serve(&bench, (struct server_options) {
                      .cert_dir = dir, .on_reload = note_reload, .reload_every = 20 * USEC_MSEC });
    CHECK(trusts(&bench, &bench.ca));
    write_pair(dir, pair2.cert, bench.pair.key); /* half of a change */
    CHECK(becomes(&failures, 1));
    CHECK(trusts(&bench, &bench.ca));
    write_pair(dir, pair2.cert, pair2.key);
    CHECK(becomes(&reloads, 1));
    CHECK(trusts(&bench, &ca2));
    failed = failures;  /* one or two: the files are written one after the other */
    usleep(100 * 1000); /* nothing changes, nothing is told */
    CHECK_INT(reloads, 1);
    CHECK_INT(failures, failed);
    snprintf(command, sizeof command, "rm -r %s", dir);
    CHECK_INT(system(command), 0);
    bench_done(&bench);
}

TEST(http_to_a_tls_port_and_junk_are_refused)
{
    struct bench bench = bench_new();
    int fd;
    bool closed;

    serve(&bench, (struct server_options) { .pair = &bench.pair });
    raw_check_status(server_port(bench.server), "GET / HTTP/1.1\r\nHost: h\r\n\r\n", 400);
    fd = raw_dial(server_port(bench.server));
    raw_send(fd, "\x16\x03\x01\x00\x05junk!", 10);
    raw_hear(fd, 10000, &closed);
    CHECK(closed);
    close(fd);
    CHECK(trusts(&bench, &bench.ca));
    bench_done(&bench);
}

TEST(a_handshake_that_does_not_end_is_cut)
{
    struct bench bench = bench_new();
    bool closed = false;
    int fd;

    serve(&bench,
          (struct server_options) { .pair = &bench.pair, .request_timeout = 200 * USEC_MSEC });
    fd = raw_dial(server_port(bench.server));
    raw_say(fd, "\x16\x03\x01");
    raw_hear(fd, 10000, &closed);
    CHECK(closed);
    close(fd);
    bench_done(&bench);
}

/* The openssl tool with these words; its exit status. */
static int s_client(struct bench *bench, const char *input, const char *words)
{
    char command[512];

    snprintf(command, sizeof command,
             "(printf '%s'; sleep 0.5) | openssl s_client -connect 127.0.0.1:%d %s >/dev/null 2>&1",
             input, server_port(bench->server), words);
    return system(command);
}

TEST(old_versions_and_renegotiation_are_refused)
{
    struct bench bench = bench_new();

    serve(&bench, (struct server_options) { .pair = &bench.pair });
    CHECK_INT(s_client(&bench, "", "-tls1_2"), 0);
    CHECK_INT(s_client(&bench, "", "-tls1_3"), 0);
    CHECK(s_client(&bench, "", "-tls1_1 -cipher DEFAULT@SECLEVEL=0") != 0);
    CHECK(s_client(&bench, "R\\n", "-tls1_2") != 0); /* R asks to renegotiate */
    CHECK(trusts(&bench, &bench.ca));
    bench_done(&bench);
}

struct asking {
    const char *path;
    struct http *http;
    char answer[64];
};

static void *ask_slow(void *arg)
{
    struct asking *asking = arg;
    scoped(http_response) struct http_response response = { 0 };
    int rc =
        http_do(asking->http, &(struct http_request) { .path = asking->path }, &response, NULL);

    snprintf(asking->answer, sizeof asking->answer, "%d %d %s %s", rc, response.status,
             buf_text(&response.body), http_header(&response, "Connection") ?: "-");
    return NULL;
}

TEST(draining_finishes_what_is_under_way_and_takes_nothing_new)
{
    struct bench bench = bench_new();
    struct asking asking = { .path = "/slow" };
    struct http *idle;
    pthread_t thread;
    usec began;

    serve(&bench, (struct server_options) { .pair = &bench.pair });
    asking.http = client(&bench, (struct http_tls) { 0 });
    idle = client(&bench, (struct http_tls) { 0 });
    CHECK(ask(idle, "/who") != NULL);
    pthread_create(&thread, NULL, ask_slow, &asking);
    usleep(100 * 1000);
    began = clock_now();
    CHECK_INT(server_drain(bench.server, 5 * USEC_SEC), 0);
    CHECK(clock_now() - began < 3 * USEC_SEC); /* not longer than needed */
    pthread_join(thread, NULL);
    CHECK_STR(asking.answer, "0 200 slept\n close");
    CHECK(!ask(idle, "/who"));
    CHECK_INT(err.code, -ECONNREFUSED);
    http_free(asking.http);
    http_free(idle);
    bench_done(&bench);
}

TEST(draining_ends_in_time_and_counts_what_it_cut)
{
    struct bench bench = bench_new();
    struct asking asking = { .path = "/slow?long" };
    pthread_t thread;
    usec began;

    serve(&bench, (struct server_options) { .pair = &bench.pair });
    asking.http = client(&bench, (struct http_tls) { 0 });
    pthread_create(&thread, NULL, ask_slow, &asking);
    usleep(100 * 1000);
    began = clock_now();
    CHECK_INT(server_drain(bench.server, 50 * USEC_MSEC), 1);
    CHECK(clock_now() - began < 1500 * USEC_MSEC);
    pthread_join(thread, NULL);
    http_free(asking.http);
    bench_done(&bench);
}

TEST(a_lame_duck_still_serves_and_sends_clients_away)
{
    struct bench bench = bench_new();
    struct server_stats before, after;
    struct http *http;

    serve(&bench, (struct server_options) { .pair = &bench.pair });
    http = client(&bench, (struct http_tls) { 0 });
    CHECK(ask(http, "/who") != NULL);
    server_stats(bench.server, &before);
    server_lame_duck(bench.server);
    for (int i = 0; i < 3; i++)
        CHECK_STR(ask(http, "/who"), "200 nobody\n");
    server_stats(bench.server, &after);
    CHECK_INT(after.accepted - before.accepted, 2); /* a new connection for each but the first */
    http_free(http);
    bench_done(&bench);
}
