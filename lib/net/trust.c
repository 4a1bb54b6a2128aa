/* trust.c - what a client trusts and who it says it is, read from files or memory and checked. */
#include <errno.h>
#include <openssl/ssl.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "net/http_internal.h"
#include "net/tls.h"

enum { PEM_MAX = 4 * 1024 * 1024 };

static int read_pem(const char *pem, const char *file, const char *what, char **ret,
                    struct error *err)
{
    int rc;

    if (pem) {
        *ret = must_str(pem);
        return 0;
    }
    if (!file)
        return 0;
    rc = file_read(file, PEM_MAX, ret, NULL, err);
    return rc < 0 ? wrap(err, "%s", what) : 0;
}

struct pems {
    char *ca;
    struct tls_pair pair;
};

static void scope_end_pems(struct pems *pems)
{
    free(pems->ca);
    tls_pair_done(&pems->pair);
}

static int read_all_pem(const struct http_tls *tls, struct pems *ret, struct error *err)
{
    struct tls_pair *pair = &ret->pair;
    int rc = read_pem(tls->ca_pem, tls->ca_file, "CA bundle", &ret->ca, err);

    if (rc == 0)
        rc = read_pem(tls->cert_pem, tls->cert_file, "client certificate", &pair->cert, err);
    if (rc == 0)
        rc = read_pem(tls->key_pem, tls->key_file, "client key", &pair->key, err);
    if (rc == 0 && !pair->cert != !pair->key)
        rc = fail(err, -EINVAL, "client certificate: its %s is missing",
                  pair->cert ? "key" : "certificate");
    return rc;
}

struct trust *trust_new(const struct http_tls *tls, struct error *err)
{
    scoped(trust) struct trust *trust = must_alloc(sizeof *trust);
    scoped(pems) struct pems pems = { 0 };

    trust->refs = 1;
    trust->insecure = tls->insecure;
    trust->server_name = str_empty(tls->server_name) ? NULL : must_str(tls->server_name);
    if (read_all_pem(tls, &pems, err) < 0 ||
        tls_client_context(pems.ca, &pems.pair, tls->insecure, &trust->tls, err) < 0)
        return NULL;
    return take(trust);
}

struct trust *trust_ref(struct trust *trust)
{
    trust->refs++;
    return trust;
}

void trust_unref(struct trust *trust)
{
    if (!trust || --trust->refs)
        return;
    SSL_CTX_free(trust->tls);
    free(trust->server_name);
    free(trust);
}
