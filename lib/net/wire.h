/* wire.h - HTTP/1.1 requests as bytes, taken apart strictly (RFC 9112).
 *
 * Bytes arrive in a buffer in pieces of any size; wire_feed() looks at what is there and says how
 * far the request has come. It changes the buffer in place: names in lower case, strings ended by
 * NUL, a chunked body put together. A whole request is then
 *
 *     [ head | body | what came after it ]      wire.head_len, wire.body_len
 *
 * What could be read in two ways (two lengths, a length beside chunks, bare line feeds, folded
 * lines, spaces before a colon) is refused, since a proxy before us may have read it the other way.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum { WIRE_FIELDS_MAX = 64 };

enum wire_step {
    WIRE_MORE,     /* feed again when more has arrived */
    WIRE_CONTINUE, /* once: the head is there and the peer waits for "100 Continue" */
    WIRE_WHOLE,    /* the request is complete */
    WIRE_BAD,      /* .status and .why say what to answer before closing */
};

enum wire_phase {
    WIRE_HEAD,
    WIRE_LENGTH,
    WIRE_CHUNK_SIZE,
    WIRE_CHUNK,
    WIRE_CHUNK_END,
    WIRE_TRAILERS,
    WIRE_END
};

struct wire {
    size_t max_head;
    size_t max_body;

    enum wire_phase phase;
    bool continue_told;
    size_t looked;   /* bytes of the head searched for its end */
    uint64_t left;   /* bytes of the body or chunk still to come */
    size_t trailers; /* bytes of them */

    /* known once the head is there */
    size_t head_len;
    size_t body_len;         /* so far */
    uint32_t method, target; /* offsets into the buffer */
    bool http10;
    bool keep_alive;
    bool chunked;
    bool expects_continue;
    unsigned hosts;
    unsigned lengths;
    unsigned fields;
    struct {
        uint32_t name, value;
    } field[WIRE_FIELDS_MAX];

    int status; /* of WIRE_BAD */
    const char *why;
};

void wire_init(struct wire *wire, size_t max_head, size_t max_body);
enum wire_step wire_feed(struct wire *wire, struct buf *in);
/* The words of a status: "Not Found". */
const char *wire_reason(int status);
