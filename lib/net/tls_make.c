/* tls_make.c - makes keys and certificates: a CA of our own, and what it signs. */
#include <arpa/inet.h>
#include <errno.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "base/buf.h"
#include "net/tls.h"
#include "net/tls_internal.h"

enum { CLOCKS_APART = 3600 };

static bool set_serial(X509 *cert)
{
    unsigned char bytes[16];
    BIGNUM *number;
    bool ok;

    if (RAND_bytes(bytes, sizeof bytes) != 1)
        return false;
    bytes[0] = (bytes[0] & 0x7f) | 0x40; /* positive, and always as long (RFC 5280, 4.1.2.2) */
    number = BN_bin2bn(bytes, sizeof bytes, NULL);
    ok = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(cert));
    BN_free(number);
    return ok;
}

static bool set_dates(X509 *cert, usec valid, const X509 *ca)
{
    time_t now = (time_t)(clock_wall() / USEC_SEC);
    time_t until = now + (time_t)(valid / USEC_SEC);

    if (!ASN1_TIME_set(X509_getm_notBefore(cert), now - CLOCKS_APART) ||
        !ASN1_TIME_set(X509_getm_notAfter(cert), until))
        return false;
    if (!ca || ASN1_TIME_compare(X509_get0_notAfter(ca), X509_get0_notAfter(cert)) >= 0)
        return true;
    return X509_set1_notAfter(cert, X509_get0_notAfter(ca)) == 1;
}

static bool set_name(X509 *cert, const char *name)
{
    enum { COMMON_NAME_MAX = 64 }; /* X.520; longer DNS names stand in the alternative names */
    int len = (int)strnlen(name, COMMON_NAME_MAX);

    return X509_NAME_add_entry_by_NID(X509_get_subject_name(cert), NID_commonName, MBSTRING_UTF8,
                                      (const unsigned char *)name, len, -1, 0) == 1;
}

static bool add_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509_EXTENSION *extension;
    bool ok;

    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, cert, NULL, NULL, 0);
    extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    ok = extension && X509_add_ext(cert, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return ok;
}

static X509 *blank(const char *name, usec valid, const X509 *ca, EVP_PKEY *key)
{
    X509 *cert = X509_new();

    if (cert && X509_set_version(cert, X509_VERSION_3) && set_serial(cert) &&
        set_dates(cert, valid, ca) && set_name(cert, name) && X509_set_pubkey(cert, key))
        return cert;
    X509_free(cert);
    return NULL;
}

static char *text_of(BIO *bio)
{
    char *bytes;
    long len = BIO_get_mem_data(bio, &bytes);
    char *text = must_alloc((size_t)len + 1);

    memcpy(text, bytes, (size_t)len);
    return text;
}

static int write_pair(X509 *cert, EVP_PKEY *key, struct tls_pair *ret, struct error *err)
{
    BIO *cert_out = BIO_new(BIO_s_mem());
    BIO *key_out = BIO_new(BIO_s_secmem());
    bool ok = cert_out && key_out && PEM_write_bio_X509(cert_out, cert) &&
              PEM_write_bio_PrivateKey(key_out, key, NULL, NULL, 0, NULL, NULL);

    if (ok)
        *ret = (struct tls_pair) { .cert = text_of(cert_out), .key = text_of(key_out) };
    BIO_free(cert_out);
    BIO_free(key_out);
    return ok ? 0 : fail(err, -EPROTO, "write the certificate: %s", tls_reason());
}

int tls_make_ca(const char *name, usec valid, struct tls_pair *ret, struct error *err)
{
    scoped(pkey) EVP_PKEY *key = EVP_EC_gen("P-256");
    scoped(x509) X509 *cert = key ? blank(name, valid, NULL, key) : NULL;

    if (!cert || !X509_set_issuer_name(cert, X509_get_subject_name(cert)) ||
        !add_extension(cert, cert, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") ||
        !add_extension(cert, cert, NID_key_usage, "critical,keyCertSign,cRLSign") ||
        !add_extension(cert, cert, NID_subject_key_identifier, "hash") ||
        !X509_sign(cert, key, EVP_sha256()))
        return fail(err, -EPROTO, "make the CA '%s': %s", name, tls_reason());
    return write_pair(cert, key, ret, err);
}

static bool is_address(const char *name)
{
    unsigned char address[16];

    return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
}

/* "DNS:a,IP:1.2.3.4", as OpenSSL reads it; a comma in a name would begin another. */
static int alternative_names(const char *const *names, struct buf *ret, struct error *err)
{
    for (const char *const *name = names; *name; name++) {
        if (!**name || strpbrk(*name, ", \t\r\n"))
            return fail(err, -EINVAL, "'%s' is not a name for a certificate", *name);
        buf_fmt(ret, "%s%s:%s", ret->len ? "," : "", is_address(*name) ? "IP" : "DNS", *name);
    }
    return 0;
}

static bool sign_leaf(X509 *cert, X509 *ca, EVP_PKEY *ca_key, const char *names)
{
    return X509_set_issuer_name(cert, X509_get_subject_name(ca)) &&
           add_extension(cert, ca, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(cert, ca, NID_key_usage, "critical,digitalSignature") &&
           add_extension(cert, ca, NID_ext_key_usage, "serverAuth,clientAuth") &&
           add_extension(cert, ca, NID_subject_key_identifier, "hash") &&
           add_extension(cert, ca, NID_authority_key_identifier, "keyid") &&
           add_extension(cert, ca, NID_subject_alt_name, names) &&
           X509_sign(cert, ca_key, EVP_sha256());
}

int tls_make_cert(const struct tls_pair *ca, const char *const *names, usec valid,
                  struct tls_pair *ret, struct error *err)
{
    scoped(buf) struct buf list = { 0 };
    scoped(x509) X509 *ca_cert = tls_parse_cert(ca->cert);
    scoped(pkey) EVP_PKEY *ca_key = tls_parse_key(ca->key);
    scoped(pkey) EVP_PKEY *key = EVP_EC_gen("P-256");
    scoped(x509) X509 *cert = NULL;

    if (!ca_cert || !ca_key)
        return fail(err, -EINVAL, "the CA's %s is not PEM: %s", ca_cert ? "key" : "certificate",
                    tls_reason());
    if (X509_check_private_key(ca_cert, ca_key) != 1)
        return fail(err, -EKEYREJECTED, "the CA's key does not belong to it: %s", tls_reason());
    if (!names[0])
        return fail(err, -EINVAL, "a certificate needs at least one name");
    if (alternative_names(names, &list, err) < 0)
        return err ? err->code : -EINVAL;
    cert = key ? blank(names[0], valid, ca_cert, key) : NULL;
    if (!cert || !sign_leaf(cert, ca_cert, ca_key, buf_text(&list)))
        return fail(err, -EPROTO, "sign a certificate for '%s': %s", names[0], tls_reason());
    return write_pair(cert, key, ret, err);
}
