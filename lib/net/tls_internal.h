/* tls_internal.h - what the two halves of the tls module share. */
#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "base/scope.h"

static inline __attribute__((unused)) void scope_end_x509(X509 **cert)
{
    X509_free(*cert);
}

static inline __attribute__((unused)) void scope_end_pkey(EVP_PKEY **key)
{
    EVP_PKEY_free(*key);
}

X509 *tls_parse_cert(const char *pem); /* the first one; NULL: ask tls_reason() */
EVP_PKEY *tls_parse_key(const char *pem);
/* OpenSSL's last complaint in words; forgets all of them. */
const char *tls_reason(void);
