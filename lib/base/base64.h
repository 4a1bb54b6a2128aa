/* base64.h - RFC 4648, the plain alphabet and the one for URLs and tokens. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

char *base64_encode(struct arena *a, const void *bytes, size_t n); /* padded */
/* Reads either alphabet, with or without padding; white space is skipped. NULL when text is not
 * base64. The result has a NUL behind its *ret_len bytes; ret_len may be NULL. */
char *base64_decode(struct arena *a, const char *text, size_t *ret_len);

/* For URLs and tokens, without padding (RFC 7515). */
void base64url_write(struct buf *out, const void *bytes, size_t n);
/* The bytes of the text, in the arena and followed by a NUL; false for what no encoder writes:
 * other characters, padding, a length that cannot be, spare bits that are set. */
bool base64url_read(struct arena *a, const char *text, size_t len, unsigned char **ret,
                    size_t *ret_len);
