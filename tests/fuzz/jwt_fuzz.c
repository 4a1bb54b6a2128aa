/* jwt_fuzz.c - tokens and JWKS documents of strangers.
 *
 * The first byte says what the rest is: a token, the claims of a token that is well formed and well
 * signed, or a JWKS document.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "slurm/jwt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NOW (INT64_C(1800000000) * USEC_SEC)

static void try_token(struct arena *a, const char *token)
{
    struct jwt_trust trust = { .key = "secret", .key_len = 6 };
    struct jwt_claims claims = { 0 }, read = { 0 };

    if (jwt_verify(a, token, &trust, NOW, &claims, NULL) == 0 &&
        (jwt_read(a, token, &read, NULL) < 0 || claims.expires <= NOW || claims.not_before > NOW))
        abort();
}

static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false; /* what is not UTF-8 does not come back as it was */
    return true;
}

/* What we sign ourselves verifies, and says what we said. */
static void try_claims(struct arena *a, const char *text)
{
    struct jwt_trust trust = { .key = "secret", .key_len = 6 };
    struct jwt_claims claims = { .user = text, .issuer = text, .expires = NOW + USEC_SEC };
    struct jwt_claims back = { 0 };
    char *token = jwt_sign(a, "secret", 6, &claims);

    if (strlen(token) > JWT_MAX || !is_plain(text))
        return;
    if (jwt_verify(a, token, &trust, NOW, &back, NULL) < 0 || strcmp(back.user, text) != 0)
        abort();
}

static void try_body(struct arena *a, const char *text, size_t len)
{
    scoped(buf) struct buf token = { 0 };

    buf_str(&token, "eyJhbGciOiJIUzI1NiJ9.");
    base64url_write(&token, text, len);
    buf_str(&token, ".AAAA");
    try_token(a, token.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(jwks) struct jwks *keys = NULL;
    unsigned char *bytes;
    size_t len;
    char *text;

    if (!size)
        return 0;
    text = arena_strn(a, (const char *)data + 1, size - 1);
    switch (data[0] % 4) {
    case 0:
        try_token(a, text);
        break;
    case 1:
        try_claims(a, text);
        break;
    case 2:
        try_body(a, text, size - 1);
        break;
    default:
        if (jwks_new(text, size - 1, &keys, NULL) == 0 && !jwks_count(keys))
            abort();
        base64url_read(a, text, size - 1, &bytes, &len);
    }
    return 0;
}
