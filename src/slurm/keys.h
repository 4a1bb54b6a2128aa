/* keys.h - secrets made here, with the kernel's random numbers.
 *
 * slurm.key and jwt.key are read by Slurm as plain bytes; both are KEY_CHARACTERS printable ones,
 * so that they survive being pasted, mounted and mailed. There are none among them that a
 * line-based reader would trim or cut.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum {
    KEY_CHARACTERS = 1024,
    MUNGE_KEY_BYTES = 1024,
    REST_KEY_BYTES = 32, /* the JWT key of the Soperator profile: raw bytes */
    PASSWORD_CHARACTERS = 16,
};

/* n printable ASCII characters without blanks, each equally likely. */
char *key_text(struct arena *a, size_t n);
/* n random bytes. */
void *key_bytes(struct arena *a, size_t n);
/* A database password: letters, four digits and two signs, in random order. */
char *key_password(struct arena *a);

/* RFC 4648 base64 with padding, as Secrets hold their values. */
char *base64_text(struct arena *a, const void *bytes, size_t n);
/* The bytes (with a NUL behind them), NULL for what is not base64. */
char *base64_bytes(struct arena *a, const char *text, size_t *ret_len);
