/* tls.h - certificates and keys: read, made, signed, and turned into TLS contexts.
 *
 * Everything is PEM text in memory; NUL-terminated, several certificates one after the other where
 * a chain or bundle is meant. OpenSSL is the one TLS library of the process, TLS 1.2 the oldest
 * version spoken. No function here keeps what it is given, and all are safe from any thread.
 */
#pragma once
#include <stdbool.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/scope.h"

struct ssl_ctx_st; /* OpenSSL's SSL_CTX */

/* A certificate (leaf first, then what signed it) and its private key. */
struct tls_pair {
    char *cert;
    char *key;
};

void tls_pair_done(struct tls_pair *pair); /* wipes the key */
static inline __attribute__((unused)) void scope_end_tls_pair(struct tls_pair *pair)
{
    tls_pair_done(pair); /* scoped(tls_pair) struct tls_pair pair = { 0 }; */
}

/* A CA of our own: EC P-256, valid for the given time from now (minus an hour, for clocks apart).
 */
int tls_make_ca(const char *name, usec valid, struct tls_pair *ret, struct error *err);
/* A certificate signed by ca for these DNS names or IP addresses (NULL-terminated; the first is the
 * common name), for servers and clients. It never outlives the CA. */
int tls_make_cert(const struct tls_pair *ca, const char *const *names, usec valid,
                  struct tls_pair *ret, struct error *err);

struct tls_info {
    usec not_before; /* on the wall clock */
    usec not_after;
    bool is_ca;
    char subject[256]; /* its common name, "" when it has none */
    char issuer[256];
};

/* Facts of the first certificate in pem. */
int tls_read_info(const char *pem, struct tls_info *ret, struct error *err);
/* 0 when key belongs to cert, cert chains to ca (NULL: not checked), is valid now and names host
 * (NULL: not checked); otherwise says which of these it is not: -EKEYREJECTED, -EPROTO,
 * -EKEYEXPIRED, -ENOENT; -EINVAL when something is not PEM. */
int tls_check(const struct tls_pair *pair, const char *ca, const char *host, struct error *err);
/* How many certificates pem holds; -EINVAL when one of them, or none, can be read. */
int tls_count_certs(const char *pem, struct error *err);
/* Reads cert and key files. */
int tls_pair_read(const char *cert_path, const char *key_path, struct tls_pair *ret,
                  struct error *err);

/* What a server speaks with. client_ca: accept (require: insist on) client certificates it signed.
 */
int tls_server_context(const struct tls_pair *pair, const char *client_ca, bool require_client,
                       struct ssl_ctx_st **ret, struct error *err);
/* What a client speaks with: trusts ca (NULL: the system's), shows pair (NULL: nothing). The name
 * of the server is checked per connection. */
int tls_client_context(const char *ca, const struct tls_pair *pair, bool insecure,
                       struct ssl_ctx_st **ret, struct error *err);
