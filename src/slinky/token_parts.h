/* token_parts.h - whether a token is still good; pure, so that time can be played with. */
#pragma once
#include "model/token.h"
#include "slurm/jwt.h"

/* When a token is replaced: with a fifth of its life left for those who use it. */
usec token_renew_at(const struct jwt_claims *claims);

/* Why the text must be replaced as of now, NULL when it is as the model wants it. NULL is no text.
 * ret: what it says; filled in when the signature holds. */
const char *token_flaw(struct arena *a, const struct model_token *m, const char *text,
                       const struct jwt_trust *trust, usec now, struct jwt_claims *ret);
