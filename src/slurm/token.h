/* token.h - the token that a client shows, always a good one.
 *
 * It comes from one of three places: minted here from the cluster's HS256 key, given as text, or
 * read from a file that somebody else keeps fresh. A minted token is replaced when a fifth of its
 * life is left, by either clock: the monotonic one, so that setting the wall clock back does not
 * keep an old token, and the wall clock, so that setting it forward does not leave an expired one.
 * A file is looked at again when its inode, size or time changed. A token that Slurm refused is
 * dropped with slurm_token_refused(), which is how a key that was rotated or a controller whose
 * clock disagrees is survived. Safe from any thread; the text is never logged.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/scope.h"

struct slurm_token_options {
    /* Exactly one of these three. */
    const void *key; /* HS256, minted by us */
    size_t key_len;
    const char *text; /* as it is */
    const char *file; /* holds a token, white space around it is dropped */

    /* For minted ones. */
    const char *user;   /* claim sun; NULL: "slurm" */
    const char *issuer; /* claim iss; NULL: "windlass" */
    usec lifetime;      /* 0: 15 min; at least 1 min */
};

struct slurm_token;

/* Copies what it is given. -EINVAL: not exactly one source, or a lifetime out of bounds. A file
 * that cannot be read is not an error yet: it may appear. */
int slurm_token_new(const struct slurm_token_options *options, struct slurm_token **ret,
                    struct error *err);
void slurm_token_free(struct slurm_token *token);
DEFINE_SCOPE(slurm_token, slurm_token_free)

/* Appends the token's text. -EACCES: there is none to show; the story says why and what to do. */
int slurm_token_write(struct slurm_token *token, struct buf *out, struct error *err);
/* Slurm did not take it. True when the next one will be different, so that asking again may help.
 */
bool slurm_token_refused(struct slurm_token *token);
bool slurm_token_same(const struct slurm_token_options *a, const struct slurm_token_options *b);
