/* trust.c - what a client trusts and who it says it is, read from files or memory and checked. */
#include <errno.h>
#include <openssl/crypto.h>
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

static int check(const struct trust *trust, struct error *err)
{
    int rc = 0;

    if (trust->ca && tls_count_certs(trust->ca, err) < 0)
        return wrap(err, "CA bundle");
    if (!trust->cert != !trust->key)
        return fail(err, -EINVAL, "client certificate: its %s is missing",
                    trust->cert ? "key" : "certificate");
    if (trust->cert)
        rc = tls_check(&(struct tls_pair) { trust->cert, trust->key }, NULL, NULL, err);
    if (rc == -EKEYEXPIRED) { /* the server's clock decides about that */
        error_clear(err);
        rc = 0;
    }
    return rc < 0 ? wrap(err, "client certificate") : 0;
}

struct trust *trust_new(const struct http_tls *tls, struct error *err)
{
    scoped(trust) struct trust *trust = must_alloc(sizeof *trust);

    trust->refs = 1;
    trust->insecure = tls->insecure;
    trust->server_name = str_empty(tls->server_name) ? NULL : must_str(tls->server_name);
    if (read_pem(tls->ca_pem, tls->ca_file, "CA bundle", &trust->ca, err) < 0 ||
        read_pem(tls->cert_pem, tls->cert_file, "client certificate", &trust->cert, err) < 0 ||
        read_pem(tls->key_pem, tls->key_file, "client key", &trust->key, err) < 0 ||
        check(trust, err) < 0)
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
    if (trust->key)
        OPENSSL_cleanse(trust->key, strlen(trust->key));
    free(trust->ca);
    free(trust->cert);
    free(trust->key);
    free(trust->server_name);
    free(trust);
}
