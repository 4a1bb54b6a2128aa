/* watch_read.h - the bytes of a list or a watch, as calls of a sink.
 *
 * The half of watch.c that knows no connection: it cuts what arrives into objects, reads each by its
 * kind's table and keeps the place to go on from. What a server sends can make an object bad or end
 * the stream with an error; it can do no more than that. On the loop thread only.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "kube/watch.h"

struct doc_cutter;
struct list_cutter;

struct watch_reader {
    const struct kind *kind;
    struct watch_sink sink;
    struct arena *scratch; /* of one object */
    struct doc_cutter *docs;
    struct list_cutter *list;
    char *version; /* resourceVersion to go on from, NULL for none */
    char *more;    /* where the next page begins, NULL after the last */
    bool listing;  /* on_begin was told, on_end was not */
    bool progress; /* something was understood since the answer began */
    int ended;     /* why the stream is to end: an errno, with its story in err */
    struct error err;
};

void watch_reader_init(struct watch_reader *r, const struct kind *kind,
                       const struct watch_sink *sink);
void watch_reader_done(struct watch_reader *r);

/* A list begins, perhaps anew: what was told of an unfinished one does not count. */
void watch_reader_begin(struct watch_reader *r);
/* An answer is to come: one page of a list, or the events of a watch. */
void watch_reader_expect(struct watch_reader *r, bool page);
int watch_reader_feed(struct watch_reader *r, const char *bytes, size_t len);
/* The page is complete; after the last one the list is. */
int watch_reader_end_page(struct watch_reader *r);
/* The answer is over, whole or not. */
void watch_reader_drop(struct watch_reader *r);
/* The list is complete: also by the bookmark that ends a streaming list. */
void watch_reader_end(struct watch_reader *r);
/* The place is lost: the next list begins from nothing. */
void watch_reader_forget(struct watch_reader *r);
