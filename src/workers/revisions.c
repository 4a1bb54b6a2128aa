/* revisions.c - the history of a set's template. */
#include "workers/revisions.h"

#include <stdlib.h>

#include "base/str.h"

static int compare(const void *x, const void *y)
{
    const struct revision *one = x, *other = y;
    int by_number = (one->number > other->number) - (one->number < other->number);
    int by_time = (one->created > other->created) - (one->created < other->created);

    return by_number ?: by_time ?: str_cmp(one->name, other->name);
}

struct revision_choice revision_choose(struct revision *revisions, size_t n,
                                       const char *status_hash)
{
    struct revision_choice choice = { .what = REVISION_CREATE, .number = 1 };

    if (!n)
        return choice;
    qsort(revisions, n, sizeof *revisions, compare);
    choice.number = revisions[n - 1].number + 1;
    for (size_t i = n; i-- > 0;) {
        if (!revisions[i].same)
            continue;
        if (choice.what == REVISION_CREATE || str_eq(revisions[i].hash, status_hash)) {
            choice.chosen = i;
            choice.what =
                revisions[i].number == revisions[n - 1].number ? REVISION_USE : REVISION_BUMP;
        }
    }
    return choice;
}

static bool has_workers(const struct set_facts *set, const char *hash)
{
    for (size_t i = 0; i < set->count; i++)
        if (str_eq(set->workers[i].hash, hash))
            return true;
    return false;
}

void revision_truncate(const struct revision *revisions, size_t n, const struct set_facts *set,
                       int64_t limit, bool *drop)
{
    int64_t history = 0;

    for (size_t i = n; i-- > 0;) {
        drop[i] = false;
        if (str_eq(revisions[i].hash, set->hash) || has_workers(set, revisions[i].hash))
            continue;
        drop[i] = history++ >= limit;
    }
}
