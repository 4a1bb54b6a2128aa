/* due.c - a binary heap that knows where each of its entries is. */
#include "kube/due.h"

#include "base/arena.h"

void dues_done(struct dues *dues)
{
    free(dues->v);
    *dues = (struct dues){ 0 };
}

static void place(struct dues *dues, size_t slot, struct due *due)
{
    dues->v[slot - 1] = due;
    due->slot = slot;
}

static usec at(const struct dues *dues, size_t slot)
{
    return dues->v[slot - 1]->at;
}

static void rise(struct dues *dues, struct due *due)
{
    size_t slot = due->slot;

    for (; slot > 1 && at(dues, slot / 2) > due->at; slot /= 2)
        place(dues, slot, dues->v[slot / 2 - 1]);
    place(dues, slot, due);
}

static void sink(struct dues *dues, struct due *due)
{
    size_t slot = due->slot;

    for (;;) {
        size_t child = slot * 2;

        if (child < dues->n && at(dues, child + 1) < at(dues, child))
            child++;
        if (child > dues->n || at(dues, child) >= due->at)
            break;
        place(dues, slot, dues->v[child - 1]);
        slot = child;
    }
    place(dues, slot, due);
}

void dues_set(struct dues *dues, struct due *due, usec when)
{
    due->at = when;
    if (!due->slot) {
        if (dues->n == dues->room) {
            dues->room = dues->room ? dues->room * 2 : 16;
            dues->v = must_realloc(dues->v, dues->room * sizeof *dues->v);
        }
        place(dues, ++dues->n, due);
    }
    rise(dues, due);
    sink(dues, due);
}

void dues_drop(struct dues *dues, struct due *due)
{
    size_t slot = due->slot;
    struct due *last;

    if (!slot)
        return;
    last = dues->v[--dues->n];
    due->slot = 0;
    if (last == due)
        return;
    place(dues, slot, last);
    rise(dues, last);
    sink(dues, last);
}

struct due *dues_first(const struct dues *dues)
{
    return dues->n ? dues->v[0] : NULL;
}
