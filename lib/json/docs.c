/* docs.c - one object after the other, by scan.c. */
#include "json/docs.h"

#include <errno.h>

#include "base/arena.h"
#include "base/buf.h"
#include "json/scan.h"

struct doc_cutter {
    struct doc_options options;
    struct scan scan;
    struct buf partial; /* the part of a document that came with earlier pieces */
    bool inside;
    int failed;
};

struct doc_cutter *doc_cutter_new(const struct doc_options *options)
{
    struct doc_cutter *cutter = must_alloc(sizeof *cutter);

    cutter->options = *options;
    cutter->partial.limit = options->limit;
    return cutter;
}

void doc_cutter_free(struct doc_cutter *cutter)
{
    if (!cutter)
        return;
    buf_done(&cutter->partial);
    free(cutter);
}

static int begin(struct doc_cutter *cutter, char c, struct error *err)
{
    if (c != '{')
        return fail(err, -EBADMSG, "not a stream of objects: '{' expected, got '%c' (0x%02x)",
                    c >= 0x20 && c < 0x7f ? c : '?', (unsigned char)c);
    scan_begin(&cutter->scan, c);
    cutter->inside = true;
    return 0;
}

static int hand_out(struct doc_cutter *cutter, const char *text, size_t len, struct error *err)
{
    int rc = cutter->options.on_document(cutter->options.userdata, text, len, err);

    cutter->inside = false;
    buf_clear(&cutter->partial);
    return rc;
}

static int take_piece(struct doc_cutter *cutter, const char *bytes, size_t n, size_t *ret_used,
                      struct error *err)
{
    bool whole = cutter->partial.len == 0;
    bool done;

    *ret_used = scan_feed(&cutter->scan, bytes, n, &done);
    if (done && whole && (!cutter->partial.limit || *ret_used <= cutter->partial.limit))
        return hand_out(cutter, bytes, *ret_used, err);
    if (buf_add(&cutter->partial, bytes, *ret_used) < 0)
        return fail(err, -EMSGSIZE, "a document of the stream is longer than %zu bytes",
                    cutter->partial.limit);
    return done ? hand_out(cutter, cutter->partial.bytes, cutter->partial.len, err) : 0;
}

static int feed(struct doc_cutter *cutter, const char *bytes, size_t n, struct error *err)
{
    size_t at = 0;
    int rc = 0;

    while (at < n && !rc) {
        size_t used = 0;

        if (cutter->inside)
            rc = take_piece(cutter, bytes + at, n - at, &used, err);
        else if (scan_is_space(bytes[at]))
            used = 1;
        else
            rc = begin(cutter, bytes[at], err);
        at += used;
    }
    return rc;
}

int doc_cutter_feed(struct doc_cutter *cutter, const char *bytes, size_t n, struct error *err)
{
    if (cutter->failed)
        return fail(err, cutter->failed, "the stream was given up before");
    cutter->failed = feed(cutter, bytes, n, err);
    return cutter->failed;
}

int doc_cutter_end(struct doc_cutter *cutter, struct error *err)
{
    if (cutter->failed)
        return fail(err, cutter->failed, "the stream was given up before");
    if (cutter->inside)
        return fail(err, -EBADMSG, "the stream ends in the middle of a document, after %zu bytes",
                    cutter->partial.len);
    return 0;
}
