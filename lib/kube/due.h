/* due.h - things that are to happen later, the earliest first.
 *
 * A heap of entries that stand in their owners' structs, so that each can be moved or dropped wherever it
 * is in the heap. No locks here.
 */
#pragma once
#include <stddef.h>

#include "base/clock.h"

struct due {
    usec at;
    size_t slot; /* in the heap, counted from 1; 0: not there */
};

struct dues {
    struct due **v;
    size_t n, room;
};

void dues_done(struct dues *dues);
/* Adds it, or moves it to another time. */
void dues_set(struct dues *dues, struct due *due, usec at);
void dues_drop(struct dues *dues, struct due *due); /* one that is not there is fine */
struct due *dues_first(const struct dues *dues);    /* NULL when there is none */
