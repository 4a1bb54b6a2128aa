/* token.c - Token of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "slinky/token.h"

static const struct field slinky_token_spec_fields[] = {
    FIELD(slinky_token_spec, jwt_key_ref, POINTER, "jwtKeyRef", .of = &slinky_secret_key_type,
          .doc = "HS256 key that signs the token, the cluster's auth/jwt key."),
    FIELD(slinky_token_spec, jwt_hs256_key_ref, POINTER, "jwtHs256KeyRef",
          .of = &slinky_secret_key_type,
          .doc = "Older name of jwtKeyRef, used when that is absent."),
    FIELD(slinky_token_spec, username, STR, "username", .flags = REQUIRED,
          .doc = "Slurm user the token speaks for; empty means nobody."),
    FIELD(slinky_token_spec, lifetime, STR, "lifetime",
          .doc = "How long a token is valid, such as 15m (the default) or 12h."),
    FIELD(slinky_token_spec, refresh, BOOL, "refresh", .default_text = "true",
          .doc = "Renew the token before it expires; false mints it once, for good."),
    FIELD(slinky_token_spec, secret_ref, POINTER, "secretRef", .of = &slinky_secret_key_type,
          .doc = "Secret to write the token to; absent means NAME-jwt-USERNAME, key SLURM_JWT."),
    { 0 },
};
const struct type slinky_token_spec_type = TYPE(slinky_token_spec, slinky_token_spec_fields);

static const struct field slinky_token_status_fields[] = {
    FIELD(slinky_token_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(slinky_token_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "What is known about the object now; Ready sums it up."),
    FIELD(slinky_token_status, issued_at, TIME, "issuedAt",
          .doc = "When the present token was issued."),
    { 0 },
};
const struct type slinky_token_status_type = TYPE(slinky_token_status, slinky_token_status_fields);

static const struct field slinky_token_fields[] = {
    FIELD(slinky_token, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(slinky_token, spec, OBJECT, "spec", .of = &slinky_token_spec_type,
          .doc = "The token as it should be."),
    FIELD(slinky_token, status, OBJECT, "status", .of = &slinky_token_status_type,
          .doc = "The token as last seen."),
    { 0 },
};
const struct type slinky_token_type = TYPE(slinky_token, slinky_token_fields);

const struct kind slinky_token_kind = {
    .group = "slinky.slurm.net",
    .version = "v1beta1",
    .kind = "Token",
    .plural = "tokens",
    .namespaced = true,
    .has_status = true,
    .type = &slinky_token_type,
    .status = &slinky_token_fields[2],
};

struct slinky_token *slinky_token_keep(struct arena *a, const struct slinky_token *from)
{
    return table_copy(a, &slinky_token_type, from);
}
