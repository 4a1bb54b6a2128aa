/* http2_test.c - the HTTP client over HTTP/2, against nghttpd, a server that goes away, and a
 * network that swallows packets. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/tls.h"
#include "support/peer.h"
#include "support/test.h"

#define DAY (24 * 3600 * USEC_SEC)
enum { BIG = 3 * 1024 * 1024 };

static struct error err;

/* A directory with a certificate, and files to serve. */
struct site {
    char dir[32];
    char cert[64], key[64];
    struct tls_pair ca;
};

static void put(const char *path, const char *bytes, size_t len)
{
    CHECK_OK(file_write(path, bytes, len, 0600, &err), err);
}

static struct site site_new(void)
{
    struct site site = { .dir = "/tmp/http2_test.XXXXXX" };
    scoped(tls_pair) struct tls_pair pair = { 0 };
    scoped(free) char *big = must_alloc(BIG);
    char path[64];

    error_clear(&err);
    CHECK(mkdtemp(site.dir) != NULL);
    CHECK_OK(tls_make_ca("test CA", DAY, &site.ca, &err), err);
    CHECK_OK(tls_make_cert(&site.ca, (const char *const[]) { "127.0.0.1", NULL }, DAY, &pair, &err),
             err);
    snprintf(site.cert, sizeof site.cert, "%s/cert", site.dir);
    snprintf(site.key, sizeof site.key, "%s/key", site.dir);
    put(site.cert, pair.cert, strlen(pair.cert));
    put(site.key, pair.key, strlen(pair.key));
    snprintf(path, sizeof path, "%s/small", site.dir);
    put(path, "small", 5);
    snprintf(path, sizeof path, "%s/big", site.dir);
    put(path, big, BIG);
    return site;
}

static void site_done(struct site *site)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", site->dir);
    CHECK_INT(system(command), 0);
    tls_pair_done(&site->ca);
}

static struct peer nghttpd(const struct site *site, int port)
{
    char text[16];
    struct peer peer;

    if (system("command -v nghttpd >/dev/null"))
        test_skip("no nghttpd here");
    snprintf(text, sizeof text, "%d", port);
    peer = PEER("nghttpd", "-a", "127.0.0.1", "-d", site->dir, "--echo-upload", text, site->key,
                site->cert);
    peer.port = port;
    peer_wait(&peer);
    return peer;
}

static struct loop *started(void)
{
    struct loop *loop = loop_new();

    CHECK_OK(loop_start(loop, &err), err);
    return loop;
}

static struct http *client_for(struct loop *loop, const struct site *site, int port,
                               struct http_options options)
{
    char url[64];
    struct http *http;

    snprintf(url, sizeof url, "https://127.0.0.1:%d", port);
    options.url = url;
    options.tls.ca_pem = site->ca.cert;
    http = http_new(loop, &options, &err);
    if (!http)
        test_fail(__FILE__, __LINE__, "%s", error_text(&err));
    return http;
}

static int ask(struct http *http, const struct http_request *request, struct http_response *ret)
{
    http_response_done(ret);
    *ret = (struct http_response) { 0 };
    return http_do(http, request, ret, &err);
}

static int get(struct http *http, const char *path, struct http_response *ret)
{
    return ask(http, &(struct http_request) { .path = path }, ret);
}

struct tally {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    int left, ok;
    int rc; /* of the last that failed */
    size_t bytes;
};

static void tally_one(void *userdata, struct http_response *response, int rc,
                      const struct error *error)
{
    struct tally *tally = userdata;
    scoped_lock(&tally->lock);

    (void)error;
    tally->ok += rc == 0 && response->status == 200 && response->version == 20;
    tally->bytes += response->body.len;
    if (rc < 0)
        tally->rc = rc;
    tally->left--;
    pthread_cond_signal(&tally->cond);
}

static void wait_for(struct tally *tally)
{
    scoped_lock(&tally->lock);
    while (tally->left)
        pthread_cond_wait(&tally->cond, &tally->lock);
}

static struct tally tally_of(int count)
{
    return (struct tally) { .lock = PTHREAD_MUTEX_INITIALIZER,
                            .cond = PTHREAD_COND_INITIALIZER,
                            .left = count };
}

/* How many connections this process has to the port, by what the kernel says. */
static int connections_to(int port, int *ret_local_port)
{
    FILE *table = fopen("/proc/thread-self/net/tcp", "r");
    unsigned local, remote, state;
    char line[256];
    int count = 0;

    while (fgets(line, sizeof line, table))
        if (sscanf(line, " %*d: %*x:%x %*x:%x %x", &local, &remote, &state) == 3 &&
            remote == (unsigned)port && state == 1) {
            count++;
            if (ret_local_port)
                *ret_local_port = (int)local;
        }
    fclose(table);
    return count;
}

TEST(hundreds_of_calls_share_one_connection)
{
    struct site site = site_new();
    struct peer peer = nghttpd(&site, peer_free_port());
    struct loop *loop = started();
    struct http *http = client_for(loop, &site, peer.port, (struct http_options) { 0 });
    struct tally tally = tally_of(500);
    struct http_request small = { .path = "/small", .userdata = &tally };
    struct http_request big = { .path = "/big", .userdata = &tally };

    for (int i = 0; i < 500; i++)
        http_start(http, i % 100 ? &small : &big, tally_one);
    wait_for(&tally);
    CHECK_INT(tally.ok, 500);
    CHECK_INT(tally.bytes, 495 * 5 + 5 * (int64_t)BIG);
    CHECK_INT(connections_to(peer.port, NULL), 1);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}

TEST(a_large_body_goes_up_and_comes_back)
{
    struct site site = site_new();
    struct peer peer = nghttpd(&site, peer_free_port());
    struct loop *loop = started();
    struct http *http = client_for(loop, &site, peer.port, (struct http_options) { 0 });
    scoped(free) char *body = must_alloc(BIG);
    scoped(http_response) struct http_response response = { 0 };
    struct http_request request = {
        .method = "POST", .path = "/up", .body = body, .body_len = BIG
    };

    for (int i = 0; i < BIG; i++)
        body[i] = (char)(i * 7 + i / 1000);
    CHECK_OK(http_do(http, &request, &response, &err), err);
    CHECK_INT(response.status, 200);
    CHECK_INT(response.body.len, BIG);
    CHECK(!memcmp(response.body.bytes, body, BIG));
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}

static int stop_reading(void *userdata, const char *bytes, size_t len)
{
    (void)userdata, (void)bytes, (void)len;
    return -ECANCELED;
}

TEST(a_reader_that_stops_leaves_the_connection_to_others)
{
    struct site site = site_new();
    struct peer peer = nghttpd(&site, peer_free_port());
    struct loop *loop = started();
    struct http *http = client_for(loop, &site, peer.port, (struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };
    struct http_request stopped = { .path = "/big", .on_data = stop_reading };
    struct http_request limited = { .path = "/big", .body_limit = 1000 };

    CHECK_INT(ask(http, &stopped, &response), -ECANCELED);
    CHECK_INT(ask(http, &limited, &response), -EMSGSIZE);
    CHECK_OK(get(http, "/small", &response), err);
    CHECK_INT(connections_to(peer.port, NULL), 1);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}

TEST(a_server_that_was_killed_is_found_again)
{
    struct site site = site_new();
    int port = peer_free_port();
    struct peer peer = nghttpd(&site, port);
    struct loop *loop = started();
    struct http *http = client_for(loop, &site, port, (struct http_options) { 0 });
    scoped(http_response) struct http_response response = { 0 };

    CHECK_OK(get(http, "/small", &response), err);
    peer_stop(&peer);
    CHECK_INT(get(http, "/small", &response), -ECONNREFUSED);
    peer = nghttpd(&site, port);
    CHECK_OK(get(http, "/small", &response), err);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}

TEST(what_a_goaway_turned_away_goes_elsewhere)
{
    struct site site = site_new();
    struct peer peer = PEER("support/h2_peer.py", site.cert, site.key, "3");
    struct loop *loop = started();
    struct http *http = client_for(loop, &site, peer.port, (struct http_options) { 0 });
    struct tally tally = tally_of(12);
    struct http_request post = {
        .method = "POST", .path = "/x", .body = "x", .body_len = 1, .userdata = &tally
    };
    scoped(http_response) struct http_response response = { 0 };

    for (int i = 0; i < 12; i++) { /* 3 are answered on each connection, the rest is refused */
        CHECK_OK(get(http, "/one-by-one", &response), err);
    }
    for (int i = 0; i < 12; i++)
        http_start(http, &post, tally_one);
    wait_for(&tally);
    CHECK_INT(tally.ok, 12);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}

TEST(an_answer_before_the_body_was_read_is_an_answer)
{
    struct site site = site_new();
    struct peer peer = PEER("support/h2_peer.py", site.cert, site.key, "1000000");
    struct loop *loop = started();
    struct http *http = client_for(loop, &site, peer.port, (struct http_options) { 0 });
    static char body[30000]; /* within the window that every server gives */
    struct http_request post = { .method = "POST", .path = "/x", .body = body };
    scoped(http_response) struct http_response response = { 0 };

    for (int i = 0; i < 200; i++) {
        post.body_len = i % 2 ? 5 : sizeof body;
        CHECK_OK(ask(http, &post, &response), err);
        CHECK_INT(response.status, 200);
        CHECK_STR(buf_text(&response.body), "ok");
    }
    CHECK_INT(connections_to(peer.port, NULL), 1);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}

TEST(a_frozen_server_costs_a_timeout_not_the_client)
{
    struct site site = site_new();
    struct peer peer = nghttpd(&site, peer_free_port());
    struct loop *loop = started();
    struct http *http =
        client_for(loop, &site, peer.port, (struct http_options) { .timeout = 300 * USEC_MSEC });
    scoped(http_response) struct http_response response = { 0 };

    CHECK_OK(get(http, "/small", &response), err);
    peer_signal(&peer, SIGSTOP);
    CHECK_INT(get(http, "/small", &response), -ETIMEDOUT);
    peer_signal(&peer, SIGCONT);
    CHECK_OK(get(http, "/small", &response), err);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}

/* A network of our own, where packets can be made to vanish. */
static void own_network(void)
{
    if (geteuid() != 0 || unshare(CLONE_NEWNET) < 0)
        test_skip("needs root and network namespaces");
    if (system("ip link set lo up") || system("iptables -S >/dev/null 2>&1"))
        test_skip("needs ip and iptables");
}

static void swallow(int client_port)
{
    char command[256];

    snprintf(command, sizeof command,
             "iptables -A INPUT -p tcp --sport %d -j DROP && "
             "iptables -A INPUT -p tcp --dport %d -j DROP",
             client_port, client_port);
    CHECK_INT(system(command), 0);
}

TEST(a_connection_that_died_silently_is_replaced_within_30_s)
{
    struct site site = site_new();
    struct peer peer;
    struct loop *loop;
    struct http *http;
    struct tally watch = tally_of(1);
    scoped(http_response) struct http_response response = { 0 };
    struct http_request stream = { .method = "POST",
                                   .path = "/never-ending",
                                   .body = "x",
                                   .body_len = 1,
                                   .idle_limit = 300 * USEC_SEC,
                                   .userdata = &watch };
    usec cut;
    int port;

    own_network();
    peer = PEER("support/h2_peer.py", site.cert, site.key, "1000000", "hold");
    loop = started();
    http = client_for(loop, &site, peer.port, (struct http_options) { .timeout = 3 * USEC_SEC });
    http_start(http, &stream, tally_one);
    CHECK_OK(get(http, "/x", &response), err);
    CHECK_INT(connections_to(peer.port, &port), 1);
    swallow(port);
    cut = clock_now();
    CHECK_INT(get(http, "/x", &response), -ETIMEDOUT);
    CHECK_OK(get(http, "/x", &response), err); /* on a new connection, at once */
    CHECK(clock_now() - cut < 5 * USEC_SEC);
    wait_for(&watch); /* and the stream learns that its own is dead */
    CHECK_INT(watch.rc, -ETIMEDOUT);
    CHECK(clock_now() - cut < 30 * USEC_SEC);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    site_done(&site);
}
