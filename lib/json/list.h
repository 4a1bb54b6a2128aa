/* list.h - a long list, cut into items as its bytes arrive.
 *
 * Feed the response body in pieces of any size. Each element of the array named by the options (for
 * Kubernetes "items", for Slurm "nodes" or "jobs") is handed to on_item as the text of one JSON
 * value, alone; what stands around the array is collected, with the array left out, and is there as
 * a small document at the end ("metadata", "last_update", "errors"). Only the member of the
 * outermost object counts, not one of the same name further down. Memory is bounded by the longest
 * item and the longest surrounding text, both with a limit, and does not depend on the list.
 *
 * The cutter finds where values end; it does not validate what is inside an item: parse it for
 * that. What it sees on the way it refuses with -EBADMSG: no object, an array that is none (null
 * counts as an empty one), the array twice. A limit passed is -EMSGSIZE. After a failure it stays
 * failed.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/scope.h"

struct list_cutter;

struct list_options {
    const char *array;   /* the member of the top-level object whose elements are wanted */
    size_t item_limit;   /* bytes of one item; 0: no limit */
    size_t around_limit; /* bytes of all that surrounds the array; 0: no limit */
    /* A non-zero return stops the cutter: list_cutter_feed returns it. item[len] is not NUL, and
     * the item is gone when on_item returns. on_item must not feed or free the cutter. */
    int (*on_item)(void *userdata, const char *item, size_t len, struct error *err);
    void *userdata;
};

/* The options are copied, the name of the array is borrowed. */
struct list_cutter *list_cutter_new(const struct list_options *options);
void list_cutter_free(struct list_cutter *cutter);
DEFINE_SCOPE(list_cutter, list_cutter_free)

int list_cutter_feed(struct list_cutter *cutter, const char *bytes, size_t n, struct error *err);
/* Ends the document: -EBADMSG if it is not complete. *ret_around is borrowed: the document with the
 * array emptied ("items":[]). Items can be counted by the caller. */
int list_cutter_end(struct list_cutter *cutter, const char **ret_around, size_t *ret_len,
                    struct error *err);
/* Whether the array (or null in its place) was there: an answer without it is not an empty list. */
bool list_cutter_found(const struct list_cutter *cutter);
