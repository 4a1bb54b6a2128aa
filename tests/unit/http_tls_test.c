/* http_tls_test.c - whom the HTTP client trusts, who it says it is, and how it gets there. */
#include <errno.h>
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

static struct error err;

/* A CA, what it signed for a server and a client, and the files of both, which the peer reads. */
struct certs {
    struct tls_pair ca, server, client;
    char dir[32];
    char ca_file[64], cert_file[64], key_file[64];
};

static void save(const struct certs *certs, char *path, const char *name, const char *pem)
{
    snprintf(path, 64, "%s/%s", certs->dir, name);
    CHECK_OK(file_write(path, pem, strlen(pem), 0600, &err), err);
}

static struct certs certs_new(const char *server_name)
{
    struct certs certs = { .dir = "/tmp/http_tls.XXXXXX" };
    const char *const names[] = { server_name, NULL };
    const char *const client[] = { "client-7", NULL };

    error_clear(&err);
    CHECK(mkdtemp(certs.dir) != NULL);
    CHECK_OK(tls_make_ca("test CA", DAY, &certs.ca, &err), err);
    CHECK_OK(tls_make_cert(&certs.ca, names, DAY, &certs.server, &err), err);
    CHECK_OK(tls_make_cert(&certs.ca, client, DAY, &certs.client, &err), err);
    save(&certs, certs.ca_file, "ca", certs.ca.cert);
    save(&certs, certs.cert_file, "cert", certs.server.cert);
    save(&certs, certs.key_file, "key", certs.server.key);
    return certs;
}

static void certs_done(struct certs *certs)
{
    unlink(certs->ca_file);
    unlink(certs->cert_file);
    unlink(certs->key_file);
    rmdir(certs->dir);
    tls_pair_done(&certs->ca);
    tls_pair_done(&certs->server);
    tls_pair_done(&certs->client);
}

static struct loop *started(void)
{
    struct loop *loop = loop_new();

    CHECK_OK(loop_start(loop, &err), err);
    return loop;
}

static struct http *client_for(struct loop *loop, int port, struct http_options options)
{
    char url[64];
    struct http *http;

    snprintf(url, sizeof url, "https://127.0.0.1:%d", port);
    options.url = url;
    http = http_new(loop, &options, &err);
    if (!http)
        test_fail(__FILE__, __LINE__, "%s", error_text(&err));
    return http;
}

static int get(struct http *http, const char *path)
{
    scoped(http_response) struct http_response response = { 0 };

    return http_do(http, &(struct http_request) { .path = path }, &response, &err);
}

/* One request to a peer, by a client with these options. */
static int try_once(struct loop *loop, int port, struct http_tls tls)
{
    struct http *http = client_for(loop, port, (struct http_options) { .tls = tls });
    int rc = get(http, "/ok");

    http_free(http);
    return rc;
}

TEST(a_server_is_trusted_by_its_ca_and_name_only)
{
    struct certs certs = certs_new("127.0.0.1"), other = certs_new("127.0.0.1");
    struct peer peer = PEER("support/http_peer.py", certs.cert_file, certs.key_file);
    struct loop *loop = started();

    CHECK_OK(try_once(loop, peer.port, (struct http_tls) { .ca_pem = certs.ca.cert }), err);
    CHECK_OK(try_once(loop, peer.port, (struct http_tls) { .ca_file = certs.ca_file }), err);
    CHECK_INT(try_once(loop, peer.port, (struct http_tls) { .ca_pem = other.ca.cert }), -EPROTO);
    CHECK(strstr(error_text(&err), "not trusted"));
    CHECK_INT(try_once(loop, peer.port, (struct http_tls) { 0 }), -EPROTO); /* the system's CAs */
    CHECK_OK(try_once(loop, peer.port, (struct http_tls) { .insecure = true }), err);
    loop_free(loop);
    peer_stop(&peer);
    certs_done(&certs);
    certs_done(&other);
}

TEST(the_server_name_takes_the_place_of_the_host)
{
    struct certs certs = certs_new("api.internal");
    struct peer peer = PEER("support/http_peer.py", certs.cert_file, certs.key_file);
    struct loop *loop = started();

    CHECK_INT(try_once(loop, peer.port, (struct http_tls) { .ca_pem = certs.ca.cert }), -EPROTO);
    CHECK(strstr(error_text(&err), "does not name '127.0.0.1'"));
    CHECK_OK(try_once(loop, peer.port,
                      (struct http_tls) { .ca_pem = certs.ca.cert, .server_name = "api.internal" }),
             err);
    loop_free(loop);
    peer_stop(&peer);
    certs_done(&certs);
}

TEST(a_client_certificate_is_shown_when_asked_for)
{
    struct certs certs = certs_new("127.0.0.1");
    struct peer peer = PEER("support/http_peer.py", certs.cert_file, certs.key_file, certs.ca_file);
    struct loop *loop = started();
    struct http_tls tls = { .ca_pem = certs.ca.cert };

    CHECK(try_once(loop, peer.port, tls) <
          0); /* this peer just closes; server_test.c sees alerts */
    tls.cert_pem = certs.client.cert;
    tls.key_pem = certs.client.key;
    CHECK_OK(try_once(loop, peer.port, tls), err);
    tls.key_pem = certs.server.key;
    CHECK(!http_new(loop, &(struct http_options) { .url = "https://x", .tls = tls }, &err));
    CHECK(strstr(error_text(&err), "does not belong"));
    loop_free(loop);
    peer_stop(&peer);
    certs_done(&certs);
}

TEST(new_trust_is_for_new_connections_and_old_calls_finish)
{
    struct certs certs = certs_new("127.0.0.1"), other = certs_new("127.0.0.1");
    struct peer peer = PEER("support/http_peer.py", certs.cert_file, certs.key_file);
    struct loop *loop = started();
    struct http *http =
        client_for(loop, peer.port, (struct http_options) { .tls.ca_pem = other.ca.cert });

    CHECK_INT(get(http, "/ok"), -EPROTO);
    CHECK_OK(http_reload(http, &(struct http_tls) { .ca_file = certs.ca_file }, &err), err);
    CHECK_OK(get(http, "/ok"), err);
    CHECK_INT(http_reload(http, &(struct http_tls) { .ca_pem = "junk" }, &err), -EINVAL);
    CHECK_OK(get(http, "/ok"), err); /* nothing changed */
    CHECK_OK(http_reload(http, &(struct http_tls) { .ca_pem = other.ca.cert }, &err), err);
    CHECK_INT(get(http, "/ok"), -EPROTO);
    http_free(http);
    loop_free(loop);
    peer_stop(&peer);
    certs_done(&certs);
    certs_done(&other);
}

static struct http_response late;
static int late_rc = 1;

static void note_late(void *userdata, struct http_response *response, int rc,
                      const struct error *error)
{
    (void)userdata, (void)error;
    late = take(*response);
    late_rc = rc;
}

TEST(a_call_under_way_outlives_a_reload)
{
    struct certs certs = certs_new("127.0.0.1");
    struct peer peer = PEER("support/http_peer.py", certs.cert_file, certs.key_file);
    struct loop *loop = started();
    struct http_tls tls = { .ca_pem = certs.ca.cert };
    struct http *http = client_for(loop, peer.port, (struct http_options) { .tls = tls });

    http_start(http, &(struct http_request) { .path = "/drip/5/40" }, note_late);
    CHECK_OK(get(http, "/ok"), err);
    CHECK_OK(http_reload(http, &tls, &err), err);
    for (int i = 0; i < 20; i++) {
        CHECK_OK(get(http, "/drip/1/20"), err);
    }
    http_free(http);
    loop_free(loop);
    CHECK_INT(late_rc, 0);
    CHECK_STR(buf_text(&late.body), "0;1;2;3;4;");
    http_response_done(&late);
    peer_stop(&peer);
    certs_done(&certs);
}

TEST(a_proxy_carries_tls_it_cannot_read)
{
    static const char *const schemes[] = { "http", "http://user:se%20cret@", "socks5",
                                           "socks5://user:se%20cret@" };
    struct certs certs = certs_new("127.0.0.1");
    struct peer peer = PEER("support/http_peer.py", certs.cert_file, certs.key_file);
    struct loop *loop = started();

    for (size_t i = 0; i < ARRAY_SIZE(schemes); i++) {
        bool secret = strchr(schemes[i], '@');
        struct peer proxy = secret ? PEER("support/proxy_peer.py", "user", "se cret")
                                   : PEER("support/proxy_peer.py");
        struct http *http;
        char url[64];

        snprintf(url, sizeof url, "%s%s127.0.0.1:%d", schemes[i], secret ? "" : "://", proxy.port);
        http = client_for(loop, peer.port,
                          (struct http_options) { .proxy = url, .tls.ca_pem = certs.ca.cert });
        CHECK_OK(get(http, "/ok"), err);
        http_free(http);
        if (secret) {
            snprintf(url, sizeof url, "%.4s%s://127.0.0.1:%d", schemes[i],
                     schemes[i][0] == 's' ? "s5" : "", proxy.port);
            http = client_for(loop, peer.port,
                              (struct http_options) { .proxy = url, .tls.ca_pem = certs.ca.cert });
            CHECK(get(http, "/ok") < 0);
            CHECK(strstr(error_text(&err), "proxy"));
            http_free(http);
        }
        peer_stop(&proxy);
    }
    loop_free(loop);
    peer_stop(&peer);
    certs_done(&certs);
}
