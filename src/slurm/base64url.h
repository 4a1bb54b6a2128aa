/* base64url.h - base64 for URLs, without padding (RFC 4648, section 5; RFC 7515). */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

void base64url_write(struct buf *out, const void *bytes, size_t n);
/* The bytes of the text, in the arena and followed by a NUL; false for what no encoder writes:
 * other characters, padding, a length that cannot be, spare bits that are set. */
bool base64url_read(struct arena *a, const char *text, size_t len, unsigned char **ret,
                    size_t *ret_len);
