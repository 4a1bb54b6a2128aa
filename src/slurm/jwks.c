/* jwks.c - reads RSA public keys from a JWKS document and tries signatures on them. */
#include "slurm/jwks.h"

#include <errno.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/str.h"
#include "slurm/jwt.h"
#include "json/json.h"

enum {
    KEYS_MAX = 64,
    RSA_BITS_MIN = 2048,
    RSA_BITS_MAX = 16384, /* what verifying costs grows with it, and a stranger may send tokens */
};

struct jwk {
    char *id; /* NULL: none */
    EVP_PKEY *key;
};

struct jwks {
    size_t count;
    struct jwk keys[KEYS_MAX];
};

DEFINE_SCOPE(bignum, BN_free)
DEFINE_SCOPE(param_build, OSSL_PARAM_BLD_free)
DEFINE_SCOPE(params, OSSL_PARAM_free)
DEFINE_SCOPE(pkey_ctx, EVP_PKEY_CTX_free)
DEFINE_SCOPE(pkey, EVP_PKEY_free)
DEFINE_SCOPE(md_ctx, EVP_MD_CTX_free)

static BIGNUM *number_of(struct arena *a, const struct json *jwk, const char *name)
{
    const struct json *v = json_get(jwk, name);
    unsigned char *bytes;
    size_t len;

    if (!v || v->type != JSON_STR || !base64url_read(a, v->str.text, v->str.len, &bytes, &len) ||
        !len || len > RSA_BITS_MAX / 8)
        return NULL;
    return BN_bin2bn(bytes, (int)len, NULL);
}

static EVP_PKEY *rsa_of(const BIGNUM *n, const BIGNUM *e)
{
    scoped(param_build) OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    scoped(params) OSSL_PARAM *params = NULL;
    scoped(pkey_ctx) EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *key = NULL;

    if (!build || !ctx || !OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) ||
        !OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) ||
        !(params = OSSL_PARAM_BLD_to_param(build)) || EVP_PKEY_fromdata_init(ctx) <= 0 ||
        EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) <= 0)
        key = NULL;
    ERR_clear_error();
    return key;
}

/* Keys for encryption, of other families or for other algorithms are none of our business. */
static bool is_for_us(const struct json *jwk)
{
    return str_eq(json_str_or(json_get(jwk, "kty"), ""), "RSA") &&
           str_eq(json_str_or(json_get(jwk, "use"), "sig"), "sig") &&
           str_eq(json_str_or(json_get(jwk, "alg"), "RS256"), "RS256");
}

static int add_key(struct arena *a, struct jwks *keys, const struct json *jwk, size_t i,
                   struct error *err)
{
    scoped(bignum) BIGNUM *n = number_of(a, jwk, "n");
    scoped(bignum) BIGNUM *e = number_of(a, jwk, "e");
    const char *id = json_str_or(json_get(jwk, "kid"), NULL);
    EVP_PKEY *key;

    if (!n || !e || !BN_is_odd(n) || !BN_is_odd(e) || BN_is_one(e))
        return fail(err, -EBADMSG,
                    "keys[%zu]: n and e must be an RSA modulus and exponent in "
                    "base64url",
                    i);
    if (BN_num_bits(n) < RSA_BITS_MIN)
        return fail(err, -EBADMSG, "keys[%zu]: %d bits are too few for RSA, use %d or more", i,
                    BN_num_bits(n), RSA_BITS_MIN);
    key = rsa_of(n, e);
    if (!key)
        return fail(err, -EBADMSG, "keys[%zu]: not an RSA public key", i);
    keys->keys[keys->count++] = (struct jwk) { .id = id ? must_str(id) : NULL, .key = key };
    return 0;
}

static int add_keys(struct arena *a, struct jwks *keys, const struct json *list, struct error *err)
{
    for (size_t i = 0; i < json_count(list); i++) {
        const struct json *jwk = json_item(list, i);
        int rc = 0;

        if (is_for_us(jwk) && keys->count == KEYS_MAX)
            return fail(err, -EBADMSG, "more than %d keys", KEYS_MAX);
        if (is_for_us(jwk) && (rc = add_key(a, keys, jwk, i, err)) < 0)
            return rc;
    }
    if (!keys->count)
        return fail(err, -ENOKEY, "no RSA key for signatures among %zu keys", json_count(list));
    return 0;
}

int jwks_new(const char *text, size_t len, struct jwks **ret, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(jwks) struct jwks *keys = must_alloc(sizeof *keys);
    const struct json *list;
    struct error why = { 0 };
    struct json *doc;
    int rc;

    if (json_parse(a, text, len, &doc, &why) < 0)
        return fail(err, -EBADMSG, "JWKS: %s", error_text(&why));
    list = json_get(doc, "keys");
    if (!list || list->type != JSON_ARRAY)
        return fail(err, -EBADMSG, "JWKS: want an object with a list named \"keys\"");
    if ((rc = add_keys(a, keys, list, err)) < 0) {
        wrap(err, "JWKS");
        return rc;
    }
    *ret = take(keys);
    return 0;
}

void jwks_free(struct jwks *keys)
{
    for (size_t i = 0; keys && i < keys->count; i++) {
        free(keys->keys[i].id);
        EVP_PKEY_free(keys->keys[i].key);
    }
    free(keys);
}

size_t jwks_count(const struct jwks *keys)
{
    return keys ? keys->count : 0;
}

static bool fits(EVP_PKEY *key, const char *text, size_t len, const unsigned char *signature,
                 size_t signature_len)
{
    scoped(md_ctx) EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good =
        ctx && EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key) > 0 &&
        EVP_DigestVerify(ctx, signature, signature_len, (const unsigned char *)text, len) == 1;

    ERR_clear_error();
    return good;
}

int jwks_verify(const struct jwks *keys, const char *id, const char *text, size_t len,
                const unsigned char *signature, size_t signature_len, struct error *err)
{
    size_t tried = 0;

    for (size_t i = 0; i < jwks_count(keys); i++) {
        if (id && keys->keys[i].id && !str_eq(id, keys->keys[i].id))
            continue;
        tried++;
        if (fits(keys->keys[i].key, text, len, signature, signature_len))
            return 0;
    }
    if (!tried)
        return fail(err, -ENOKEY, "no key \"%s\" among the %zu of the JWKS document", id ?: "",
                    jwks_count(keys));
    return fail(err, -EKEYREJECTED, "the signature fits none of %zu RSA keys", tried);
}
