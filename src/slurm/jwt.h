/* jwt.h - the tokens Slurm believes: made, read and verified.
 *
 * Slurm's auth/jwt takes HS256 tokens signed with the bytes of its jwt_key file, and RS256 tokens
 * signed by whoever holds a key of its jwks file. Who the bearer is stands in the claim "sun". We
 * make the first kind and verify both. A token's algorithm must fit its key: an RS256 public key is
 * never tried as an HS256 secret, and "none" is no algorithm.
 *
 * Functions are pure: they keep nothing, and the time is a parameter.
 */
#pragma once
#include <stddef.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"

enum { JWT_MAX = 16384 }; /* bytes of a token we look at, and of a header line that carries one */

struct jwt_claims {
    const char *user;    /* sun: the Slurm user the bearer acts as */
    const char *issuer;  /* iss; NULL: none, like the rest */
    const char *subject; /* sub */
    const char *id;      /* jti */
    usec issued;         /* iat, wall clock; whole seconds; 0: none, like the rest */
    usec not_before;     /* nbf */
    usec expires;        /* exp: Slurm refuses a token without one */
};

/* The compact form, signed with HS256. */
char *jwt_sign(struct arena *a, const void *key, size_t key_len, const struct jwt_claims *claims);

/* What the token says of itself, believed or not. -EBADMSG says what is wrong with it. A user is
 * looked for in "sun" and then, as Slurm does, in "username". */
int jwt_read(struct arena *a, const char *token, struct jwt_claims *ret, struct error *err);

/* The public keys of a JWKS document (RFC 7517): the RSA signing keys in it; others are skipped. */
struct jwks;
/* -EBADMSG names the broken key; -ENOKEY: the document is fine and holds no key that we can use. */
int jwks_new(const char *text, size_t len, struct jwks **ret, struct error *err);
void jwks_free(struct jwks *keys);
DEFINE_SCOPE(jwks, jwks_free)
size_t jwks_count(const struct jwks *keys);

/* What a token may be signed with; either part may be missing. */
struct jwt_trust {
    const void *key; /* HS256 */
    size_t key_len;
    const struct jwks *jwks; /* RS256 */
};

/* Reads a token and verifies it as of `now` on the wall clock:
 *     -EBADMSG       not a token
 *     -ENOKEY        signed with an algorithm or key id that trust has no key for
 *     -EKEYREJECTED  the signature does not fit
 *     -EKEYEXPIRED   expired, or carrying no expiry
 *     -EAGAIN        not valid yet
 * *ret is filled for the last two as well, because the signature held. */
int jwt_verify(struct arena *a, const char *token, const struct jwt_trust *trust, usec now,
               struct jwt_claims *ret, struct error *err);
