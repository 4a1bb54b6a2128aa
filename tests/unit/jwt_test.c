/* jwt_test.c - tokens made, read, verified and renewed. */
#include "slurm/jwt.h"

#include <errno.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/str.h"
#include "slurm/token.h"
#include "support/test.h"
#include "json/json.h"

#define NOON (INT64_C(1800000000) * USEC_SEC)

static const struct jwt_trust hs = { .key = "secret", .key_len = 6 };

static int verify(struct arena *a, const char *token, const struct jwt_trust *trust, usec now)
{
    struct jwt_claims claims = { 0 };
    struct error err = { 0 };
    int rc = jwt_verify(a, token, trust, now, &claims, &err);

    CHECK(!rc || (err.code == rc && err.text[0]));
    return rc;
}

/* The token of RFC 7515, appendix A.1. */
TEST(jwt_verifies_the_example_of_the_rfc)
{
    static const char token[] =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
        "cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    static const char key64[] =
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
    scoped(arena) struct arena *a = arena_new();
    struct jwt_claims claims = { 0 };
    struct error err = { 0 };
    struct jwt_trust trust = { 0 };
    unsigned char *key;

    CHECK(base64url_read(a, key64, strlen(key64), &key, &trust.key_len));
    trust.key = key;
    CHECK_OK(jwt_verify(a, token, &trust, INT64_C(1300819379) * USEC_SEC, &claims, &err), err);
    CHECK_STR(claims.issuer, "joe");
    CHECK_INT(claims.expires / USEC_SEC, 1300819380);
    CHECK_INT(verify(a, token, &trust, INT64_C(1300819380) * USEC_SEC), -EKEYEXPIRED);
}

TEST(jwt_says_what_slurm_wants_to_hear)
{
    scoped(arena) struct arena *a = arena_new();
    struct jwt_claims claims = { .user = "slurm",
                                 .issuer = "windlass",
                                 .issued = NOON,
                                 .not_before = NOON,
                                 .expires = NOON + 60 * USEC_SEC,
                                 .id = "1" };
    struct jwt_claims back = { 0 };
    struct error err = { 0 };
    char *token = jwt_sign(a, "secret", 6, &claims);
    char *body = strchr(token, '.') + 1;
    unsigned char *text;
    size_t len;

    CHECK(base64url_read(a, body, strcspn(body, "."), &text, &len));
    CHECK_STR((char *)text, "{\"iat\":1800000000,\"nbf\":1800000000,\"exp\":1800000060,"
                            "\"iss\":\"windlass\",\"sun\":\"slurm\",\"jti\":\"1\"}");
    CHECK_OK(jwt_verify(a, token, &hs, NOON, &back, &err), err);
    CHECK_STR(back.user, "slurm");
    CHECK_STR(back.id, "1");
    CHECK(back.subject == NULL);
    CHECK_INT(back.expires, claims.expires);
}

static char *token_of(struct arena *a, const char *head, const char *body)
{
    scoped(buf) struct buf out = { 0 };
    struct jwt_claims none = { 0 };
    char *signed_ = jwt_sign(a, "secret", 6, &none);

    base64url_write(&out, head, strlen(head));
    buf_char(&out, '.');
    base64url_write(&out, body, strlen(body));
    buf_str(&out, strrchr(signed_, '.'));
    return arena_str(a, out.bytes);
}

TEST(jwt_takes_the_user_where_slurm_looks_for_it)
{
    scoped(arena) struct arena *a = arena_new();
    struct jwt_claims claims = { 0 };
    struct error err = { 0 };

    CHECK_OK(jwt_read(a, token_of(a, "{}", "{\"username\":\"u\",\"exp\":1.5e9}"), &claims, &err),
             err);
    CHECK_STR(claims.user, "u");
    CHECK_INT(claims.expires / USEC_SEC, 1500000000);
    CHECK_OK(jwt_read(a, token_of(a, "{}", "{\"username\":\"u\",\"sun\":\"s\"}"), &claims, &err),
             err);
    CHECK_STR(claims.user, "s");
}

TEST(jwt_refuses_what_is_no_token)
{
    scoped(arena) struct arena *a = arena_new();
    static const char *const bad[] = {
        "", ".", "..", "a.b", "a.b.c.d", "e30.e30", "e30=.e30.", "W10.e30.", "e30.e30.***",
    };

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        CHECK_INT(verify(a, bad[i], &hs, NOON), -EBADMSG);
    CHECK_INT(verify(a, NULL, &hs, NOON), -EBADMSG);
    CHECK_INT(verify(a, token_of(a, "{\"alg\":\"HS256\",\"crit\":[\"b64\"]}", "{}"), &hs, NOON),
              -EBADMSG);
    CHECK_INT(verify(a, token_of(a, "{\"alg\":\"HS256\"}", "{\"exp\":\"soon\"}"), &hs, NOON),
              -EBADMSG);
    CHECK_INT(verify(a, token_of(a, "{\"alg\":\"HS256\"}", "{\"exp\":1e300}"), &hs, NOON),
              -EBADMSG);
    CHECK_INT(verify(a, token_of(a, "{\"alg\":\"HS256\"}", "{\"exp\":-1}"), &hs, NOON), -EBADMSG);
}

TEST(jwt_refuses_a_token_without_a_good_signature)
{
    scoped(arena) struct arena *a = arena_new();
    struct jwt_claims claims = { .user = "root", .expires = NOON + USEC_SEC };
    struct jwt_trust nothing = { 0 };
    struct jwt_trust other = { .key = "secres", .key_len = 6 };
    char *token = jwt_sign(a, "secret", 6, &claims);

    CHECK_INT(verify(a, token, &hs, NOON), 0);
    CHECK_INT(verify(a, token, &other, NOON), -EKEYREJECTED);
    CHECK_INT(verify(a, token, &nothing, NOON), -ENOKEY);
    CHECK_INT(verify(a, token_of(a, "{\"alg\":\"none\"}", "{\"exp\":4e9}"), &hs, NOON), -ENOKEY);
    CHECK_INT(verify(a, token_of(a, "{\"alg\":\"HS256\"}", "{\"exp\":4e9}"), &hs, NOON),
              -EKEYREJECTED);
    token[strlen(token) - 1] = '\0';
    CHECK(verify(a, token, &hs, NOON) < 0);
}

TEST(jwt_minds_the_dates)
{
    scoped(arena) struct arena *a = arena_new();
    struct jwt_claims later = { .not_before = NOON, .expires = NOON + 2 * USEC_SEC };
    struct jwt_claims never = { .user = "slurm" };
    char *token = jwt_sign(a, "secret", 6, &later);

    CHECK_INT(verify(a, token, &hs, NOON - USEC_SEC), -EAGAIN);
    CHECK_INT(verify(a, token, &hs, NOON), 0);
    CHECK_INT(verify(a, token, &hs, NOON + 2 * USEC_SEC), -EKEYEXPIRED);
    CHECK_INT(verify(a, jwt_sign(a, "secret", 6, &never), &hs, NOON), -EKEYEXPIRED);
}

static void add_number(struct buf *out, EVP_PKEY *key, const char *param)
{
    BIGNUM *n = NULL;
    unsigned char bytes[512];

    CHECK(EVP_PKEY_get_bn_param(key, param, &n) == 1);
    base64url_write(out, bytes, (size_t)BN_bn2bin(n, bytes));
    BN_free(n);
}

static void add_jwk(struct buf *out, EVP_PKEY *key, const char *id)
{
    buf_fmt(out, "{\"kty\":\"RSA\",\"kid\":\"%s\",\"alg\":\"RS256\",\"use\":\"sig\",\"n\":\"", id);
    add_number(out, key, OSSL_PKEY_PARAM_RSA_N);
    buf_str(out, "\",\"e\":\"");
    add_number(out, key, OSSL_PKEY_PARAM_RSA_E);
    buf_str(out, "\"}");
}

static char *rs256_token(struct arena *a, EVP_PKEY *key, const char *id)
{
    scoped(buf) struct buf out = { 0 };
    char *head = fmt(a, "{\"alg\":\"RS256\",\"kid\":\"%s\"}", id);
    const char *body = "{\"sun\":\"ada\",\"exp\":4000000000}";
    unsigned char signature[512];
    size_t len = sizeof signature;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    base64url_write(&out, head, strlen(head));
    buf_char(&out, '.');
    base64url_write(&out, body, strlen(body));
    CHECK(EVP_DigestSignInit(ctx, NULL, EVP_sha256(), NULL, key) == 1);
    CHECK(EVP_DigestSign(ctx, signature, &len, (unsigned char *)out.bytes, out.len) == 1);
    EVP_MD_CTX_free(ctx);
    buf_char(&out, '.');
    base64url_write(&out, signature, len);
    return arena_str(a, out.bytes);
}

TEST(jwt_verifies_rs256_with_the_keys_of_a_jwks_document)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf doc = { 0 };
    scoped(jwks) struct jwks *keys = NULL;
    EVP_PKEY *one = EVP_RSA_gen(2048);
    EVP_PKEY *two = EVP_RSA_gen(2048);
    struct jwt_trust trust = { .key = "secret", .key_len = 6 };
    struct error err = { 0 };

    buf_str(&doc,
            "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\"},{\"kty\":\"RSA\",\"use\":\"enc\"},");
    add_jwk(&doc, one, "one");
    buf_str(&doc, "]}");
    CHECK_OK(jwks_new(doc.bytes, doc.len, &keys, &err), err);
    CHECK_INT(jwks_count(keys), 1);
    CHECK_INT(verify(a, rs256_token(a, one, "one"), &trust, NOON), -ENOKEY);
    trust.jwks = keys;
    CHECK_INT(verify(a, rs256_token(a, one, "one"), &trust, NOON), 0);
    CHECK_INT(verify(a, rs256_token(a, two, "one"), &trust, NOON), -EKEYREJECTED);
    CHECK_INT(verify(a, rs256_token(a, one, "two"), &trust, NOON), -ENOKEY);
    EVP_PKEY_free(one);
    EVP_PKEY_free(two);
}

TEST(jwks_says_what_is_wrong_with_it)
{
    static const struct {
        const char *text;
        int rc;
        const char *says;
    } cases[] = {
        { "nonsense", -EBADMSG, "JWKS" },
        { "[]", -EBADMSG, "\"keys\"" },
        { "{\"keys\":[]}", -ENOKEY, "no RSA key" },
        { "{\"keys\":[{\"kty\":\"EC\"}]}", -ENOKEY, "among 1" },
        { "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\"}]}", -EBADMSG, "keys[0]" },
        { "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}", -EBADMSG, "17 bits" },
        { "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"A+==\",\"e\":\"AQAB\"}]}", -EBADMSG, "base64url" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        scoped(jwks) struct jwks *keys = NULL;
        struct error err = { 0 };

        CHECK_INT(jwks_new(cases[i].text, strlen(cases[i].text), &keys, &err), cases[i].rc);
        CHECK(strstr(err.text, cases[i].says));
    }
}

static char *shown(struct arena *a, struct slurm_token *token)
{
    scoped(buf) struct buf out = { 0 };
    struct error err = { 0 };

    CHECK_OK(slurm_token_write(token, &out, &err), err);
    return arena_str(a, out.bytes);
}

TEST(token_needs_exactly_one_source)
{
    struct slurm_token_options bad[] = {
        { 0 },
        { .text = "a", .file = "b" },
        { .key = "", .key_len = 0 },
        { .text = "two words" },
        { .text = "" },
        { .text = "a\r\nX-Evil: 1" },
        { .key = "k", .key_len = 1, .lifetime = USEC_SEC },
    };

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        struct slurm_token *token;
        struct error err = { 0 };

        CHECK_INT(slurm_token_new(&bad[i], &token, &err), -EINVAL);
    }
}

TEST(token_is_minted_anew_well_before_it_expires)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(slurm_token) struct slurm_token *token = NULL;
    struct slurm_token_options options = {
        .key = "secret", .key_len = 6, .user = "root", .lifetime = 600 * USEC_SEC
    };
    struct jwt_claims claims = { 0 };
    struct error err = { 0 };
    char *first;

    CHECK_OK(slurm_token_new(&options, &token, &err), err);
    first = shown(a, token);
    CHECK_OK(jwt_verify(a, first, &hs, clock_wall(), &claims, &err), err);
    CHECK_STR(claims.user, "root");
    CHECK_INT((claims.expires - claims.issued) / USEC_SEC, 600);
    CHECK_STR(shown(a, token), first);

    clock_shift_wall(470 * USEC_SEC);
    CHECK_STR(shown(a, token), first);
    clock_shift_wall(20 * USEC_SEC); /* a fifth of its life is left */
    CHECK(strcmp(shown(a, token), first) != 0);
    clock_shift_wall(-490 * USEC_SEC);
}

TEST(token_survives_a_wall_clock_that_jumps)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(slurm_token) struct slurm_token *token = NULL;
    struct slurm_token_options options = { .key = "secret", .key_len = 6 };
    static const usec jumps[] = { 86400 * USEC_SEC, -2 * 86400 * USEC_SEC, 86400 * USEC_SEC };
    struct error err = { 0 };

    CHECK_OK(slurm_token_new(&options, &token, &err), err);
    CHECK_INT(verify(a, shown(a, token), &hs, clock_wall()), 0);
    for (size_t i = 0; i < ARRAY_SIZE(jumps); i++) {
        struct jwt_claims claims = { 0 };

        clock_shift_wall(jumps[i]);
        CHECK_OK(jwt_verify(a, shown(a, token), &hs, clock_wall(), &claims, &err), err);
        CHECK(claims.issued <= clock_wall());
    }
}

TEST(token_that_was_refused_is_dropped_once_a_new_one_can_differ)
{
    scoped(slurm_token) struct slurm_token *minted = NULL;
    scoped(slurm_token) struct slurm_token *given = NULL;
    struct slurm_token_options key = { .key = "secret", .key_len = 6 };
    struct slurm_token_options text = { .text = "abc" };
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };

    CHECK_OK(slurm_token_new(&key, &minted, &err), err);
    CHECK_OK(slurm_token_new(&text, &given, &err), err);
    CHECK_STR(shown(a, given), "abc");
    CHECK(!slurm_token_refused(given));
    shown(a, minted);
    CHECK(!slurm_token_refused(minted)); /* minted this very moment */
}

TEST(token_file_is_read_again_when_it_changes)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(slurm_token) struct slurm_token *token = NULL;
    scoped(buf) struct buf out = { 0 };
    char path[] = "/tmp/token-XXXXXX";
    struct slurm_token_options options = { .file = path };
    struct error err = { 0 };
    int fd = mkstemp(path);

    CHECK(fd >= 0);
    close(fd);
    CHECK_OK(slurm_token_new(&options, &token, &err), err);
    CHECK_INT(slurm_token_write(token, &out, &err), -EACCES);
    CHECK_OK(file_write(path, " first\n", 7, 0600, &err), err);
    CHECK_STR(shown(a, token), "first");
    CHECK(!slurm_token_refused(token));
    CHECK_OK(file_write(path, "other\n", 6, 0600, &err), err);
    CHECK(slurm_token_refused(token));
    CHECK_STR(shown(a, token), "other");
    unlink(path);
    CHECK_INT(slurm_token_write(token, &out, &err), -EACCES);
    CHECK(strstr(err.text, path));
}
