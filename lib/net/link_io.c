/* link_io.c - the client's TLS handshake, and the bytes of an open link. */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <sys/socket.h>

#include "net/link_internal.h"

static bool is_address(const char *name)
{
    unsigned char address[16];

    return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
}

void link_tls_begin(struct link *link)
{
    static const unsigned char both[] = "\x02h2\x08http/1.1";
    const unsigned char *offer = link->target.http1_only ? both + 3 : both;
    unsigned len = sizeof both - 1 - (link->target.http1_only ? 3 : 0);
    const char *name = link->target.name;

    link->ssl = SSL_new(link->target.tls);
    if (!link->ssl || !SSL_set_fd(link->ssl, link->fd))
        abort();
    SSL_set_alpn_protos(link->ssl, offer, len);
    if (is_address(name)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(link->ssl), name);
    } else {
        SSL_set_tlsext_host_name(link->ssl, name);
        SSL_set1_host(link->ssl, name);
    }
}

static void tls_failed(struct link *link, int reason)
{
    long verdict = SSL_get_verify_result(link->ssl);
    unsigned long code = ERR_peek_error();
    const char *words = code ? ERR_reason_error_string(code) : NULL;
    const char *host = link->target.host;
    struct error err = { 0 };

    if (verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH)
        fail(&err, -EPROTO, "TLS with %s: the server's certificate does not name '%s'", host,
             link->target.name);
    else if (verdict != X509_V_OK && !link->target.insecure)
        fail(&err, -EPROTO, "TLS with %s: the server's certificate is not trusted: %s", host,
             X509_verify_cert_error_string(verdict));
    else if (reason == SSL_ERROR_SYSCALL && errno)
        fail(&err, -errno, "TLS with %s: %s", host, strerror(errno));
    else
        fail(&err, -EPROTO, "TLS with %s: %s", host, words ?: "the server closed the connection");
    ERR_clear_error();
    link_fail(link, &err);
}

void link_tls_step(struct link *link)
{
    const unsigned char *chosen = NULL;
    unsigned len = 0;
    int rc, reason;

    ERR_clear_error();
    errno = 0;
    rc = SSL_connect(link->ssl);
    if (rc == 1) {
        SSL_get0_alpn_selected(link->ssl, &chosen, &len);
        link_opened(link, len == 2 && !memcmp(chosen, "h2", 2));
        return;
    }
    reason = SSL_get_error(link->ssl, rc);
    if (reason == SSL_ERROR_WANT_READ)
        link_watch(link, EV_READ);
    else if (reason == SSL_ERROR_WANT_WRITE)
        link_watch(link, EV_WRITE);
    else
        tls_failed(link, reason);
}

static long broken(struct link *link, int code, const char *words, struct error *err)
{
    fail(err, -code, "%s: %s", link->target.host ?: link->target.unix_socket, words);
    return LINK_BROKEN;
}

/* A TLS alert after the handshake is how a TLS 1.3 server refuses a client certificate. */
static long tls_result(struct link *link, int rc, struct error *err)
{
    int reason = SSL_get_error(link->ssl, rc);
    int system = errno;
    unsigned long code = ERR_peek_error();
    const char *words = code ? ERR_reason_error_string(code) : NULL;

    ERR_clear_error();
    if (reason == SSL_ERROR_ZERO_RETURN)
        return 0;
    if (reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE)
        return LINK_AGAIN;
    if (reason == SSL_ERROR_SYSCALL)
        return system ? broken(link, system, strerror(system), err) : 0;
    return broken(link, EPROTO, words ?: "TLS failed", err);
}

static long plain_result(struct link *link, ssize_t n, struct error *err)
{
    if (n >= 0)
        return n;
    if (errno == EAGAIN || errno == EINTR)
        return LINK_AGAIN;
    return broken(link, errno, strerror(errno), err);
}

long link_read(struct link *link, char *into, size_t size, struct error *err)
{
    int n;

    if (!link->ssl)
        return plain_result(link, recv(link->fd, into, size, 0), err);
    errno = 0;
    n = SSL_read(link->ssl, into, (int)size);
    return n > 0 ? n : tls_result(link, n, err);
}

long link_write(struct link *link, const char *bytes, size_t size, struct error *err)
{
    int n;

    if (!link->ssl)
        return plain_result(link, send(link->fd, bytes, size, MSG_NOSIGNAL), err);
    errno = 0;
    n = SSL_write(link->ssl, bytes, size > INT32_MAX ? INT32_MAX : (int)size);
    if (n > 0)
        return n;
    n = (int)tls_result(link, n, err);
    return n ? n : broken(link, EPIPE, "closed by the server", err);
}

bool link_has_pending(const struct link *link)
{
    return link->ssl && SSL_has_pending(link->ssl);
}
