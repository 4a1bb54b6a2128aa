/* docs.h - a stream of JSON objects, cut where one ends and the next begins.
 *
 * Kubernetes sends one object per line on a watch, but nothing here depends on lines: objects may
 * follow each other with any white space or none, in pieces of any size. Each is handed out whole,
 * without copying when it came in one piece. Nothing is validated beyond where an object ends.
 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "base/scope.h"

struct doc_cutter;

struct doc_options {
    size_t limit; /* bytes of one document; 0: no limit */
    /* A non-zero return stops the cutter: doc_cutter_feed returns it. text[len] is not NUL, and the
     * text is gone when on_document returns. on_document must not feed or free the cutter. */
    int (*on_document)(void *userdata, const char *text, size_t len, struct error *err);
    void *userdata;
};

struct doc_cutter *doc_cutter_new(const struct doc_options *options);
void doc_cutter_free(struct doc_cutter *cutter);
DEFINE_SCOPE(doc_cutter, doc_cutter_free)

/* -EBADMSG: something that is no object; -EMSGSIZE: the limit passed. It stays failed after that.
 */
int doc_cutter_feed(struct doc_cutter *cutter, const char *bytes, size_t n, struct error *err);
/* -EBADMSG when the stream ended in the middle of a document. */
int doc_cutter_end(struct doc_cutter *cutter, struct error *err);
