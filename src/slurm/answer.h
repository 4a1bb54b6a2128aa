/* answer.h - three answers, never two.
 *
 * A question about Slurm is answered yes, no, or not at all: the controller may be away, the token
 * refused, the list cut in the middle, a state word newer than we are. Unknown is the zero value,
 * so what nobody filled in is unknown too, and no combination of answers turns it into a yes or a
 * no that was never given. Code that acts on an answer asks is_yes() or is_no(), and so says which
 * of the two it needs to be sure of; !is_yes() is not is_no().
 */
#pragma once
#include <stdbool.h>

enum answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

static inline bool is_yes(enum answer a)
{
    return a == ANSWER_YES;
}

static inline bool is_no(enum answer a)
{
    return a == ANSWER_NO;
}

static inline enum answer answer_of(bool known_fact)
{
    return known_fact ? ANSWER_YES : ANSWER_NO;
}

static inline enum answer answer_not(enum answer a)
{
    return a == ANSWER_UNKNOWN ? a : answer_of(a == ANSWER_NO);
}

/* No if either is no, whatever the other; yes only when both are. */
static inline enum answer answer_and(enum answer a, enum answer b)
{
    return a == ANSWER_NO || b == ANSWER_NO ? ANSWER_NO : a < b ? a : b;
}

/* Yes if either is yes, whatever the other; no only when both are. */
static inline enum answer answer_or(enum answer a, enum answer b)
{
    return a == ANSWER_YES || b == ANSWER_YES ? ANSWER_YES : a < b ? a : b;
}

static inline const char *answer_text(enum answer a)
{
    return a == ANSWER_YES ? "yes" : a == ANSWER_NO ? "no" : "unknown";
}
