/* token.h - a user's token, kept in a Secret. */
#pragma once
#include "base/clock.h"
#include "model/parts.h"

#define TOKEN_LIFETIME_MAX (INT64_C(2147483646) * USEC_SEC)

struct model_token {
    struct model_home home;
    struct model_object secret;
    const char *key;          /* within the Secret */
    struct model_key jwt_key; /* what signs it */
    const char *user;         /* claim sun */
    const char *issuer;       /* claim iss */
    usec lifetime;
    bool refresh; /* false: made once, and the Secret is immutable */
};
