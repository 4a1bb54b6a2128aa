/* breaker.h - stops asking who does not answer, and tries again by and by.
 *
 * Closed as long as calls get answers. After BREAKER_LIMIT calls in a row that got none it opens,
 * and calls are refused without being made; then one call at a time is let through to try, and what
 * becomes of it closes the circuit or keeps it open for longer. Not thread-safe: its owner locks.
 */
#pragma once
#include <stdbool.h>

#include "base/clock.h"

enum { BREAKER_LIMIT = 3 };

struct breaker {
    unsigned failures; /* in a row */
    usec next;         /* while open: when the next try is due */
    bool trying;
    char last[200]; /* why the last one got no answer */
};

/* Whether a call may be made now; each Yes is followed by exactly one breaker_end(). */
bool breaker_begin(struct breaker *b);
void breaker_end(struct breaker *b, bool answered, const char *why);
/* Ends a call that was made but says nothing about the peer (cancelled by us). */
void breaker_cancel(struct breaker *b);
bool breaker_is_open(const struct breaker *b);
/* How long until the next try is due; 0: now. */
usec breaker_wait(const struct breaker *b);
