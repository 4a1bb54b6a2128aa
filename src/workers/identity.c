/* identity.c - numbers of workers: the lowest free ones are given out, and nobody shares one. */
#include "workers/identity.h"

struct ordinals identity_free(struct arena *a, const struct set_facts *set, size_t wanted)
{
    struct ordinals free = { .v = arena_make_n(a, int64_t, wanted + 1) };
    size_t room = set->count + wanted; /* among so many numbers enough are free */
    bool *used = arena_make_n(a, bool, room + 1);

    for (size_t i = 0; i < set->count; i++) {
        int64_t ordinal = set->workers[i].ordinal;

        if (ordinal >= 0 && (uint64_t)ordinal < room)
            used[ordinal] = true;
    }
    for (size_t i = 0; i < room && free.n < wanted; i++)
        if (!used[i])
            free.v[free.n++] = (int64_t)i;
    return free;
}
