/* jwt.c - JSON Web Tokens in their compact form (RFC 7515, RFC 7519). */
#include "slurm/jwt.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/str.h"
#include "slurm/jwks.h"
#include "json/json.h"

enum { SHA256_SIZE = 32 };

/* Dates beyond this (year 36812) are nonsense, and would overflow in microseconds sooner or later.
 */
#define SECONDS_MAX (INT64_C(1) << 40)

static void hs256(const void *key, size_t key_len, const char *text, size_t len,
                  unsigned char out[SHA256_SIZE])
{
    /* OpenSSL takes a NULL key for "the same as before". */
    HMAC(EVP_sha256(), key ?: "", (int)key_len, (const unsigned char *)text, len, out, NULL);
}

static void set_seconds(struct arena *a, struct json *claims, const char *name, usec when)
{
    if (when)
        json_set(a, claims, name, json_int(a, when / USEC_SEC));
}

static void set_text(struct arena *a, struct json *claims, const char *name, const char *text)
{
    if (text)
        json_set_str(a, claims, name, text);
}

static void write_part(struct arena *a, struct buf *out, const struct json *part)
{
    const char *text = json_text(a, part);

    base64url_write(out, text, strlen(text));
}

char *jwt_sign(struct arena *a, const void *key, size_t key_len, const struct jwt_claims *claims)
{
    scoped(buf) struct buf out = { 0 };
    struct json *head = json_object(a);
    struct json *body = json_object(a);
    unsigned char mac[SHA256_SIZE];

    set_text(a, head, "alg", "HS256");
    set_text(a, head, "typ", "JWT");
    set_seconds(a, body, "iat", claims->issued);
    set_seconds(a, body, "nbf", claims->not_before);
    set_seconds(a, body, "exp", claims->expires);
    set_text(a, body, "iss", claims->issuer);
    set_text(a, body, "sub", claims->subject);
    set_text(a, body, "sun", claims->user);
    set_text(a, body, "jti", claims->id);

    write_part(a, &out, head);
    buf_char(&out, '.');
    write_part(a, &out, body);
    hs256(key, key_len, out.bytes, out.len, mac);
    buf_char(&out, '.');
    base64url_write(&out, mac, sizeof mac);
    return arena_strn(a, out.bytes, out.len);
}

struct parsed {
    const char *alg;
    const char *key_id;
    const char *text; /* what is signed */
    size_t len;
    unsigned char *signature;
    size_t signature_len;
    struct jwt_claims claims;
};

static int read_part(struct arena *a, const char *what, const char *text, size_t len,
                     struct json **ret, struct error *err)
{
    unsigned char *bytes;
    size_t n;

    if (!base64url_read(a, text, len, &bytes, &n))
        return fail(err, -EBADMSG, "%s is not base64url", what);
    if (json_parse(a, (char *)bytes, n, ret, NULL) < 0 || (*ret)->type != JSON_OBJECT)
        return fail(err, -EBADMSG, "%s is not a JSON object", what);
    return 0;
}

static int read_seconds(const struct json *claims, const char *name, usec *ret, struct error *err)
{
    const struct json *v = json_get(claims, name);
    double seconds;

    if (!v || v->type == JSON_NULL)
        return 0;
    if (v->type != JSON_INT && v->type != JSON_REAL)
        return fail(err, -EBADMSG, "claim %s: want seconds since 1970, got a %s", name,
                    json_type_name(v->type));
    seconds = v->type == JSON_INT ? (double)v->integer : v->real.number;
    if (!(seconds >= 0 && seconds <= (double)SECONDS_MAX))
        return fail(err, -EBADMSG, "claim %s: %g is no date", name, seconds);
    *ret = (usec)seconds * USEC_SEC;
    return 0;
}

static int read_claims(const struct json *body, struct jwt_claims *ret, struct error *err)
{
    ret->user = json_str_or(json_get(body, "sun"), json_str_or(json_get(body, "username"), NULL));
    ret->issuer = json_str_or(json_get(body, "iss"), NULL);
    ret->subject = json_str_or(json_get(body, "sub"), NULL);
    ret->id = json_str_or(json_get(body, "jti"), NULL);
    return read_seconds(body, "iat", &ret->issued, err)
        ?: read_seconds(body, "nbf", &ret->not_before, err)
        ?: read_seconds(body, "exp", &ret->expires, err);
}

static int parse(struct arena *a, const char *token, struct parsed *ret, struct error *err)
{
    const char *dot = token ? strchr(token, '.') : NULL;
    const char *dot2 = dot ? strchr(dot + 1, '.') : NULL;
    struct json *head;
    struct json *body;
    int rc;

    if (!dot2 || strchr(dot2 + 1, '.') || strnlen(token, JWT_MAX + 1) > JWT_MAX)
        return fail(err, -EBADMSG, "not a token: want three parts joined by dots, %d bytes at most",
                    JWT_MAX);
    if ((rc = read_part(a, "its header", token, (size_t)(dot - token), &head, err)) < 0 ||
        (rc = read_part(a, "its body", dot + 1, (size_t)(dot2 - dot - 1), &body, err)) < 0)
        return rc;
    ret->text = token;
    ret->len = (size_t)(dot2 - token);
    ret->alg = json_str_or(json_get(head, "alg"), "");
    ret->key_id = json_str_or(json_get(head, "kid"), NULL);
    /* RFC 7515, 4.1.11: what "crit" names must be understood, and we understand nothing of it. */
    if (json_get(head, "crit"))
        return fail(err, -EBADMSG, "its header asks for extensions (crit)");
    if (!base64url_read(a, dot2 + 1, strlen(dot2 + 1), &ret->signature, &ret->signature_len))
        return fail(err, -EBADMSG, "its signature is not base64url");
    return read_claims(body, &ret->claims, err);
}

int jwt_read(struct arena *a, const char *token, struct jwt_claims *ret, struct error *err)
{
    struct parsed parsed = { 0 };
    int rc = parse(a, token, &parsed, err);

    if (rc < 0)
        wrap(err, "token");
    else
        *ret = parsed.claims;
    return rc;
}

static int check_signature(const struct parsed *token, const struct jwt_trust *trust,
                           struct error *err)
{
    unsigned char mac[SHA256_SIZE];

    if (str_eq(token->alg, "RS256") && trust->jwks)
        return jwks_verify(trust->jwks, token->key_id, token->text, token->len, token->signature,
                           token->signature_len, err);
    if (!str_eq(token->alg, "HS256") || !trust->key || !trust->key_len)
        return fail(err, -ENOKEY, "signed with \"%s\", for which there is no key here", token->alg);
    hs256(trust->key, trust->key_len, token->text, token->len, mac);
    if (token->signature_len != sizeof mac || CRYPTO_memcmp(token->signature, mac, sizeof mac))
        return fail(err, -EKEYREJECTED, "the HS256 signature does not fit the key");
    return 0;
}

static int check_dates(struct arena *a, const struct jwt_claims *claims, usec now,
                       struct error *err)
{
    if (!claims->expires)
        return fail(err, -EKEYEXPIRED, "carries no expiry (exp), which Slurm demands");
    if (claims->expires <= now)
        return fail(err, -EKEYEXPIRED, "expired at %s", time_text(a, claims->expires, false));
    if (claims->not_before > now)
        return fail(err, -EAGAIN, "not valid before %s", time_text(a, claims->not_before, false));
    return 0;
}

int jwt_verify(struct arena *a, const char *token, const struct jwt_trust *trust, usec now,
               struct jwt_claims *ret, struct error *err)
{
    struct parsed parsed = { 0 };
    int rc = parse(a, token, &parsed, err) ?: check_signature(&parsed, trust, err);

    if (!rc) {
        *ret = parsed.claims;
        rc = check_dates(a, ret, now, err);
    }
    if (rc < 0)
        wrap(err, "token");
    return rc;
}
