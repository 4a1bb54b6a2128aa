/* jwks.h - the RSA keys of a JWKS document, for jwt.c; everyone else includes jwt.h. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct jwks;

/* Whether some key of that id (NULL: any key) made the RS256 signature over the text.
 * -ENOKEY: no key of that id; -EKEYREJECTED: none of them fits. */
int jwks_verify(const struct jwks *keys, const char *id, const char *text, size_t len,
                const unsigned char *signature, size_t signature_len, struct error *err);
