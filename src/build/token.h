/* build/token.h - the Secret of a user's token. */
#pragma once
#include "k8s/secret.h"
#include "model/token.h"

/* The text is minted by the caller, which knows the time. */
struct k8s_secret *token_secret(struct arena *a, const struct model_token *m, const char *text);
