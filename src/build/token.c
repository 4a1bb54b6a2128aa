/* token.c - the Secret of a user's token. */
#include "build/token.h"

#include <string.h>

#include "base/base64.h"
#include "build/parts.h"

struct k8s_secret *token_secret(struct arena *a, const struct model_token *m, const char *text)
{
    struct k8s_secret secret = {
        .meta = meta_of(a, &m->home, &m->secret),
        .immutable = m->refresh ? NO : YES,
    };

    secret.data = pairs_with(a, secret.data, m->key, base64_encode(a, text, strlen(text)));
    return k8s_secret_keep(a, &secret);
}
