/* base64.h - RFC 4648, the plain alphabet and the one for URLs and tokens. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

char *base64_encode(struct arena *a, const void *bytes, size_t n); /* padded */
char *base64url_encode(struct arena *a, const void *bytes, size_t n); /* not padded */
/* Reads either alphabet, with or without padding; white space is skipped. NULL when text is not
 * base64. The result has a NUL behind its *ret_len bytes; ret_len may be NULL. */
char *base64_decode(struct arena *a, const char *text, size_t *ret_len);
