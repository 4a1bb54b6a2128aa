/* wire.c - the framing of requests: where the head ends, how long the body is, chunks put together;
 * the head itself is read in wire_head.c. */
#include "net/wire.h"

#include <string.h>

#include "net/wire_internal.h"

enum { SIZE_LINE_MAX = 256 };

void wire_init(struct wire *wire, size_t max_head, size_t max_body)
{
    *wire = (struct wire) { .max_head = max_head, .max_body = max_body };
}

enum wire_step wire_refuse(struct wire *wire, int status, const char *why)
{
    wire->status = status;
    wire->why = why;
    return WIRE_BAD;
}

bool wire_is_token(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c && strchr("!#$%&'*+-.^_`|~", c));
}

/* Things that will never become a request are not waited for: TLS, bare line feeds. */
static bool begins_well(const struct buf *in)
{
    const char *line_end = memchr(in->bytes, '\n', in->len);

    if (!wire_is_token((unsigned char)in->bytes[0]))
        return false;
    return !line_end || (line_end > in->bytes && line_end[-1] == '\r');
}

static enum wire_step find_head(struct wire *wire, struct buf *in)
{
    size_t from = wire->looked > 3 ? wire->looked - 3 : 0;
    const char *end;

    while (!wire->looked && in->len >= 2 && !memcmp(in->bytes, "\r\n", 2))
        buf_consume(in, 2); /* RFC 9112, 2.2: empty lines before a request are let pass */
    if (!in->len || (in->len == 1 && in->bytes[0] == '\r'))
        return WIRE_MORE;
    if (!begins_well(in))
        return wire_refuse(wire, 400, "not an HTTP request");
    end = memmem(in->bytes + from, in->len - from, "\r\n\r\n", 4);
    wire->looked = in->len;
    if ((end ? (size_t)(end - in->bytes) + 4 : in->len) > wire->max_head)
        return wire_refuse(wire, 431, "the head of the request is too long");
    if (!end)
        return WIRE_MORE;
    wire->head_len = (size_t)(end - in->bytes) + 4;
    return wire_read_head(wire, in->bytes);
}

/* The undecoded rest of the buffer. */
static size_t rest_at(const struct wire *wire)
{
    return wire->head_len + wire->body_len;
}

static void drop(struct wire *wire, struct buf *in, size_t n)
{
    size_t at = rest_at(wire);

    memmove(in->bytes + at, in->bytes + at + n, in->len - at - n + 1);
    in->len -= n;
}

/* Takes what is there of the current stretch into the body; true when all of it is. */
static bool take_body(struct wire *wire, const struct buf *in)
{
    size_t there = in->len - rest_at(wire);
    size_t n = wire->left < there ? (size_t)wire->left : there;

    wire->body_len += n;
    wire->left -= n;
    return !wire->left;
}

/* Length of the next line without its end, once that is there; -1: not yet; -2: malformed. */
static long next_line(const struct wire *wire, const struct buf *in)
{
    const char *start = in->bytes + rest_at(wire);
    size_t there = in->len - rest_at(wire);
    const char *end = memchr(start, '\n', there);

    if (!end)
        return there > SIZE_LINE_MAX ? -2 : -1;
    if (end == start || end[-1] != '\r' || end - start > SIZE_LINE_MAX)
        return -2;
    return end - start - 1;
}

static bool parse_size(const char *line, size_t len, uint64_t *ret)
{
    uint64_t size = 0;
    size_t i = 0;

    for (; i < len && i < 16; i++) {
        char c = line[i] | 0x20;
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

        if (digit < 0 || (line[i] < '0'))
            break;
        size = size << 4 | (unsigned)digit;
    }
    if (i == 0 || size >> 60 || (i < len && line[i] != ';' && line[i] != ' ' && line[i] != '\t'))
        return false;
    *ret = size; /* what follows is an extension, and none is known */
    return true;
}

static enum wire_step chunk_size(struct wire *wire, struct buf *in)
{
    long len = next_line(wire, in);
    uint64_t size;

    if (len == -1)
        return WIRE_MORE;
    if (len < 0 || !parse_size(in->bytes + rest_at(wire), (size_t)len, &size))
        return wire_refuse(wire, 400, "malformed chunk");
    if (size > wire->max_body - wire->body_len)
        return wire_refuse(wire, 413, "the body is too long");
    drop(wire, in, (size_t)len + 2);
    wire->left = size;
    wire->phase = size ? WIRE_CHUNK : WIRE_TRAILERS;
    return WIRE_WHOLE; /* of this phase */
}

static enum wire_step chunk_end(struct wire *wire, struct buf *in)
{
    const char *at = in->bytes + rest_at(wire);
    size_t there = in->len - rest_at(wire);

    if (there < 2)
        return there && at[0] != '\r' ? wire_refuse(wire, 400, "malformed chunk") : WIRE_MORE;
    if (memcmp(at, "\r\n", 2))
        return wire_refuse(wire, 400, "malformed chunk");
    drop(wire, in, 2);
    wire->phase = WIRE_CHUNK_SIZE;
    return WIRE_WHOLE;
}

/* Read over: none of them means anything to us. */
static enum wire_step trailers(struct wire *wire, struct buf *in)
{
    long len = next_line(wire, in);

    if (len == -1)
        return WIRE_MORE;
    wire->trailers += len > 0 ? (size_t)len : 0;
    if (len < 0 || wire->trailers > wire->max_head)
        return wire_refuse(wire, len < 0 ? 400 : 431, "malformed or too many trailers");
    drop(wire, in, (size_t)len + 2);
    if (!len)
        wire->phase = WIRE_END;
    return WIRE_WHOLE;
}

static enum wire_step take_chunk(struct wire *wire, const struct buf *in)
{
    if (!take_body(wire, in))
        return WIRE_MORE;
    wire->phase = WIRE_CHUNK_END;
    return WIRE_WHOLE;
}

static enum wire_step one_phase(struct wire *wire, struct buf *in)
{
    switch (wire->phase) {
    case WIRE_HEAD:
        return find_head(wire, in);
    case WIRE_LENGTH:
        if (!take_body(wire, in))
            return WIRE_MORE;
        wire->phase = WIRE_END;
        return WIRE_WHOLE;
    case WIRE_CHUNK_SIZE:
        return chunk_size(wire, in);
    case WIRE_CHUNK:
        return take_chunk(wire, in);
    case WIRE_CHUNK_END:
        return chunk_end(wire, in);
    case WIRE_TRAILERS:
        return trailers(wire, in);
    case WIRE_END:
        break;
    }
    return WIRE_WHOLE;
}

enum wire_step wire_feed(struct wire *wire, struct buf *in)
{
    if (wire->status)
        return WIRE_BAD;
    if (!in->len)
        return WIRE_MORE;
    while (wire->phase != WIRE_END) {
        enum wire_step step = one_phase(wire, in);

        if (step == WIRE_MORE && wire->expects_continue && !wire->continue_told) {
            wire->continue_told = true;
            return WIRE_CONTINUE;
        }
        if (step != WIRE_WHOLE)
            return step;
    }
    return WIRE_WHOLE;
}
