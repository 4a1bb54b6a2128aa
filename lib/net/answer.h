/* answer.h - HTTP/1.1 answers as bytes, taken apart as they arrive (RFC 9112).
 *
 * What a server says is trusted less than a client would like: lines and lengths are bounded, and
 * anything that is not HTTP ends it. Bare line feeds are let pass, two lengths are not.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum answer_step { ANSWER_MORE, ANSWER_WHOLE, ANSWER_BAD };
enum answer_phase {
    ANSWER_STATUS,
    ANSWER_FIELDS,
    ANSWER_LENGTH,
    ANSWER_CLOSE,
    ANSWER_CHUNK_SIZE,
    ANSWER_CHUNK,
    ANSWER_CHUNK_END,
    ANSWER_TRAILERS,
    ANSWER_END
};

/* Each returns 0, or negative to stop; the names and values are not NUL-terminated. */
struct answer_events {
    int (*on_status)(void *userdata, int status);
    int (*on_field)(void *userdata, const char *name, size_t name_len, const char *value,
                    size_t value_len);
    int (*on_head)(void *userdata); /* after the fields, of interim answers too */
    int (*on_data)(void *userdata, const char *bytes, size_t len);
};

struct answer {
    const struct answer_events *events;
    void *userdata;
    bool to_head; /* the request was HEAD: no body whatever the fields say */

    enum answer_phase phase;
    struct buf line;
    uint64_t left;
    int status;
    bool keep_alive; /* once whole: the connection can carry another */
    bool chunked;
    bool has_length;
    const char *why; /* of ANSWER_BAD; NULL when a callback stopped it */
};

void answer_init(struct answer *answer, const struct answer_events *events, void *userdata,
                 bool to_head);
void answer_done(struct answer *answer);
/* Takes the next bytes; *ret_used is less than len only when the answer ended before them. */
enum answer_step answer_feed(struct answer *answer, const char *bytes, size_t len,
                             size_t *ret_used);
/* The connection was closed: WHOLE if that is how the body ends, BAD otherwise. */
enum answer_step answer_end(struct answer *answer);
