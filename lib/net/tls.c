/* tls.c - reads, checks and serves certificates; what makes them is in tls_make.c. */
#include "net/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "net/tls_internal.h"

enum { PEM_FILE_MAX = 1024 * 1024 };

static int refuse_password(char *into, int size, int writing, void *userdata)
{
    (void)into, (void)size, (void)writing, (void)userdata;
    return -1; /* otherwise OpenSSL would ask on the terminal */
}

const char *tls_reason(void)
{
    unsigned long code = ERR_peek_last_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;

    ERR_clear_error();
    return reason ?: "unknown reason";
}

static BIO *bio_of(const char *pem)
{
    BIO *bio = BIO_new_mem_buf(pem ?: "", -1);

    if (!bio)
        abort();
    return bio;
}

X509 *tls_parse_cert(const char *pem)
{
    BIO *bio = bio_of(pem);
    X509 *cert = PEM_read_bio_X509(bio, NULL, refuse_password, NULL);

    BIO_free(bio);
    return cert;
}

EVP_PKEY *tls_parse_key(const char *pem)
{
    BIO *bio = bio_of(pem);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, refuse_password, NULL);

    BIO_free(bio);
    return key;
}

/* Every certificate of pem; NULL when one is broken or there is none. */
static STACK_OF(X509) * parse_certs(const char *pem)
{
    STACK_OF(X509) *certs = sk_X509_new_null();
    BIO *bio = bio_of(pem);
    X509 *cert;

    while ((cert = PEM_read_bio_X509(bio, NULL, refuse_password, NULL)))
        sk_X509_push(certs, cert);
    BIO_free(bio);
    if (sk_X509_num(certs) > 0 && ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE) {
        ERR_clear_error();
        return certs;
    }
    sk_X509_pop_free(certs, X509_free);
    return NULL;
}

static void certs_free(void *certs)
{
    sk_X509_pop_free(certs, X509_free);
}
DEFINE_SCOPE(certs, certs_free)

void tls_pair_done(struct tls_pair *pair)
{
    if (pair->key)
        OPENSSL_cleanse(pair->key, strlen(pair->key));
    free(pair->key);
    free(pair->cert);
    *pair = (struct tls_pair) { 0 };
}

int tls_count_certs(const char *pem, struct error *err)
{
    scoped(certs) STACK_OF(X509) *certs = parse_certs(pem);

    if (!certs)
        return fail(err, -EINVAL, "no readable PEM certificate: %s", tls_reason());
    return sk_X509_num(certs);
}

int tls_pair_read(const char *cert_path, const char *key_path, struct tls_pair *ret,
                  struct error *err)
{
    scoped(tls_pair) struct tls_pair pair = { 0 };
    int rc = file_read(cert_path, PEM_FILE_MAX, &pair.cert, NULL, err);

    if (rc == 0)
        rc = file_read(key_path, PEM_FILE_MAX, &pair.key, NULL, err);
    if (rc < 0)
        return rc;
    *ret = take(pair);
    return 0;
}

static usec usec_of(const ASN1_TIME *time)
{
    struct tm tm;

    if (!time || !ASN1_TIME_to_tm(time, &tm))
        return 0;
    return (usec)timegm(&tm) * USEC_SEC;
}

static void common_name(const X509_NAME *name, char *into, size_t size)
{
    into[0] = '\0';
    X509_NAME_get_text_by_NID((X509_NAME *)name, NID_commonName, into, (int)size);
}

int tls_read_info(const char *pem, struct tls_info *ret, struct error *err)
{
    scoped(x509) X509 *cert = tls_parse_cert(pem);

    if (!cert)
        return fail(err, -EINVAL, "not a PEM certificate: %s", tls_reason());
    *ret = (struct tls_info) {
        .not_before = usec_of(X509_get0_notBefore(cert)),
        .not_after = usec_of(X509_get0_notAfter(cert)),
        .is_ca = X509_check_ca(cert) == 1,
    };
    common_name(X509_get_subject_name(cert), ret->subject, sizeof ret->subject);
    common_name(X509_get_issuer_name(cert), ret->issuer, sizeof ret->issuer);
    return 0;
}

static int check_dates(const X509 *cert, struct error *err)
{
    usec now = clock_wall();
    usec from = usec_of(X509_get0_notBefore(cert));
    usec until = usec_of(X509_get0_notAfter(cert));
    scoped(arena) struct arena *a = arena_new();

    if (now < from)
        return fail(err, -EKEYEXPIRED, "the certificate is not valid before %s",
                    time_text(a, from, false));
    if (now >= until)
        return fail(err, -EKEYEXPIRED, "the certificate expired at %s", time_text(a, until, false));
    return 0;
}

static int check_host(X509 *cert, const char *host, struct error *err)
{
    if (X509_check_host(cert, host, 0, 0, NULL) == 1 || X509_check_ip_asc(cert, host, 0) == 1)
        return 0;
    ERR_clear_error();
    return fail(err, -ENOENT, "the certificate does not name '%s'", host);
}

static int check_chain(STACK_OF(X509) * chain, const char *ca, struct error *err)
{
    scoped(certs) STACK_OF(X509) *roots = parse_certs(ca);
    X509_STORE_CTX *context;
    int reason;

    if (!roots)
        return fail(err, -EINVAL, "the CA is not PEM: %s", tls_reason());
    context = X509_STORE_CTX_new();
    if (!context || !X509_STORE_CTX_init(context, NULL, sk_X509_value(chain, 0), chain))
        abort();
    X509_STORE_CTX_set0_trusted_stack(context, roots);
    /* check_dates() has looked at the leaf by our own clock */
    X509_STORE_CTX_set_flags(context, X509_V_FLAG_NO_CHECK_TIME);
    reason = X509_verify_cert(context) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(context);
    X509_STORE_CTX_free(context);
    ERR_clear_error();
    if (reason != X509_V_OK)
        return fail(err, -EPROTO, "the certificate does not chain to the CA: %s",
                    X509_verify_cert_error_string(reason));
    return 0;
}

int tls_check(const struct tls_pair *pair, const char *ca, const char *host, struct error *err)
{
    scoped(certs) STACK_OF(X509) *chain = parse_certs(pair->cert);
    scoped(pkey) EVP_PKEY *key = NULL;
    int rc = 0;

    if (!chain)
        return fail(err, -EINVAL, "the certificate is not PEM: %s", tls_reason());
    key = tls_parse_key(pair->key);
    if (!key)
        return fail(err, -EINVAL, "the key is not PEM: %s", tls_reason());
    if (X509_check_private_key(sk_X509_value(chain, 0), key) != 1) {
        ERR_clear_error();
        return fail(err, -EKEYREJECTED, "the key does not belong to the certificate");
    }
    if (ca)
        rc = check_chain(chain, ca, err);
    if (rc == 0)
        rc = check_dates(sk_X509_value(chain, 0), err);
    if (rc == 0 && host)
        rc = check_host(sk_X509_value(chain, 0), host, err);
    return rc;
}

/* HTTP/1.1 is what we speak; a peer that offers only others may still try. */
static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                           const unsigned char *in, unsigned int in_len, void *userdata)
{
    static const unsigned char ours[] = "\x08http/1.1";

    (void)ssl, (void)userdata;
    if (SSL_select_next_proto((unsigned char **)out, out_len, ours, sizeof ours - 1, in, in_len) ==
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_OK;
    return SSL_TLSEXT_ERR_NOACK;
}

static int use_pair(SSL_CTX *context, const struct tls_pair *pair, struct error *err)
{
    scoped(certs) STACK_OF(X509) *chain = parse_certs(pair->cert);
    scoped(pkey) EVP_PKEY *key = tls_parse_key(pair->key);

    if (!chain || !key)
        return fail(err, -EINVAL, "the %s is not PEM: %s", chain ? "key" : "certificate",
                    tls_reason());
    if (SSL_CTX_use_certificate(context, sk_X509_value(chain, 0)) != 1)
        return fail(err, -EINVAL, "the certificate cannot be used: %s", tls_reason());
    for (int i = 1; i < sk_X509_num(chain); i++)
        SSL_CTX_add1_chain_cert(context, sk_X509_value(chain, i));
    if (SSL_CTX_use_PrivateKey(context, key) != 1 || SSL_CTX_check_private_key(context) != 1)
        return fail(err, -EKEYREJECTED, "the key does not belong to the certificate: %s",
                    tls_reason());
    return 0;
}

static int trust_clients(SSL_CTX *context, const char *ca, bool require, struct error *err)
{
    scoped(certs) STACK_OF(X509) *roots = parse_certs(ca);
    int mode = SSL_VERIFY_PEER | (require ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0);

    if (!roots)
        return fail(err, -EINVAL, "the CA for clients is not PEM: %s", tls_reason());
    for (int i = 0; i < sk_X509_num(roots); i++) {
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), sk_X509_value(roots, i));
        SSL_CTX_add_client_CA(context, sk_X509_value(roots, i));
    }
    SSL_CTX_set_verify(context, mode, NULL);
    return 0;
}

static SSL_CTX *context_new(const SSL_METHOD *method)
{
    SSL_CTX *context = SSL_CTX_new(method);

    if (!context)
        return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_IGNORE_UNEXPECTED_EOF);
    /* Connections last, so resuming sessions is not worth the memory; and one that waits must not
     * hold two 16 KiB buffers. Reading ahead halves the reads. */
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    return context;
}

int tls_server_context(const struct tls_pair *pair, const char *client_ca, bool require_client,
                       struct ssl_ctx_st **ret, struct error *err)
{
    SSL_CTX *context = context_new(TLS_server_method());
    int rc;

    if (!context)
        return fail(err, -EPROTO, "TLS cannot be set up: %s", tls_reason());
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
    rc = use_pair(context, pair, err);
    if (rc == 0 && client_ca)
        rc = trust_clients(context, client_ca, require_client, err);
    if (rc < 0) {
        SSL_CTX_free(context);
        return rc;
    }
    *ret = context;
    return 0;
}

static int trust_servers(SSL_CTX *context, const char *ca, struct error *err)
{
    scoped(certs) STACK_OF(X509) *roots = ca ? parse_certs(ca) : NULL;

    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    if (!ca)
        return SSL_CTX_set_default_verify_paths(context) == 1
                   ? 0
                   : fail(err, -EINVAL, "the system's CAs cannot be read: %s", tls_reason());
    if (!roots)
        return fail(err, -EINVAL, "CA bundle: not PEM: %s", tls_reason());
    for (int i = 0; i < sk_X509_num(roots); i++)
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), sk_X509_value(roots, i));
    ERR_clear_error(); /* of certificates that are there twice */
    return 0;
}

int tls_client_context(const char *ca, const struct tls_pair *pair, bool insecure,
                       struct ssl_ctx_st **ret, struct error *err)
{
    SSL_CTX *context = context_new(TLS_client_method());
    int rc = 0;

    if (!context)
        return fail(err, -EPROTO, "TLS cannot be set up: %s", tls_reason());
    if (insecure)
        SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
    else
        rc = trust_servers(context, ca, err);
    if (rc == 0 && pair && pair->cert)
        rc = use_pair(context, pair, err);
    if (rc < 0) {
        SSL_CTX_free(context);
        return rc;
    }
    *ret = context;
    return 0;
}
