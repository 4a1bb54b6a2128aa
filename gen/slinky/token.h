/* token.h - Token of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "slinky/types.h"

/* The token as it should be. */
struct slinky_token_spec {
    /* HS256 key that signs the token, the cluster's auth/jwt key. */
    struct slinky_secret_key *jwt_key_ref;
    /* Older name of jwtKeyRef, used when that is absent. */
    struct slinky_secret_key *jwt_hs256_key_ref;
    const char *username; /* Slurm user the token speaks for; empty means nobody. */
    const char *lifetime; /* How long a token is valid, such as 15m (the default) or 12h. */
    enum flag refresh; /* Renew the token before it expires; false mints it once, for good. */
    /* Secret to write the token to; absent means NAME-jwt-USERNAME, key SLURM_JWT. */
    struct slinky_secret_key *secret_ref;
};

/* The token as last seen. */
struct slinky_token_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    /* What is known about the object now; Ready sums it up. */
    struct k8s_condition_list conditions;
    usec issued_at; /* When the present token was issued. */
};

/* A JSON Web Token of one Slurm user, kept fresh in a Secret. */
struct slinky_token {
    struct k8s_meta meta; /* Metadata of an object. */
    struct slinky_token_spec spec; /* The token as it should be. */
    struct slinky_token_status status; /* The token as last seen. */
};

extern const struct type slinky_token_spec_type;
extern const struct type slinky_token_status_type;
extern const struct type slinky_token_type;
extern const struct kind slinky_token_kind;

/* Deep copies that live as long as the arena. */
struct slinky_token *slinky_token_keep(struct arena *a, const struct slinky_token *from);
