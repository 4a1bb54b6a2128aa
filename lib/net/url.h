/* url.h - the little of URLs that we need: taking them apart, and escaping what goes into them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct url {
    const char *scheme; /* "http" or "https" */
    const char *host;   /* without brackets */
    int port;           /* the scheme's own when the URL names none */
    const char *path;   /* without a trailing slash; "" for none */
};

/* -EINVAL says what is wrong with the text. User names, queries and fragments are refused. */
int url_parse(struct arena *a, const char *text, struct url *ret, struct error *err);
/* Everything but letters, digits and "-._~" as %XX: for one path segment or query value. */
char *url_escape(struct arena *a, const char *text);
/* %XX back to bytes, '+' to a space when it is from a query; NULL when malformed or holding a NUL.
 */
char *url_unescape(struct arena *a, const char *text, size_t len, bool query);
