/* revisions.h - the history of a set's template: which stored revision is the one wanted now, and
 * which are no longer needed.
 *
 * Whether a stored revision says the same as the set wants now is decided by meaning, not by bytes,
 * so that revisions that another program wrote go on to count and no worker is restarted for a
 * change of hands.
 */
#pragma once
#include "workers/facts.h"

struct revision {
    const char *name, *hash;
    int64_t number;
    usec created;
    bool same; /* it says what the set wants now */
};

struct revision_choice {
    enum {
        REVISION_USE,   /* .chosen, as it is */
        REVISION_BUMP,  /* .chosen, an older one: it becomes the newest again */
        REVISION_CREATE /* none says the same */
    } what;
    size_t chosen;
    int64_t number; /* for BUMP and CREATE */
};

/* Sorts the revisions, oldest first, and chooses. status_hash is the one in force; of several that
 * say the same it is preferred. */
struct revision_choice revision_choose(struct revision *revisions, size_t n,
                                       const char *status_hash);
/* Marks in drop[i] the oldest that neither are in force nor have workers, beyond the limit. */
void revision_truncate(const struct revision *revisions, size_t n, const struct set_facts *set,
                       int64_t limit, bool *drop);
