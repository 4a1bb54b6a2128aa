/* pins.c - which number belongs on which Kubernetes node. */
#include "workers/pins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static int compare(const void *x, const void *y)
{
    return strcmp(((const struct pair *)x)->key, ((const struct pair *)y)->key);
}

static bool still_takes_it(const struct set_facts *set, const struct placement *placement,
                           const char *node)
{
    const struct machine *machine = machine_find(set->machines, node);

    return machine && placement_fit(placement, machine) != FIT_NEVER;
}

static size_t add(struct pairs *pins, struct pairs old, size_t n_old, struct pair pair)
{
    struct pair *found = old.v ? bsearch(&pair, pins->v, n_old, sizeof pair, compare) : NULL;

    if (found)
        found->value = pair.value;
    else
        pins->v[pins->n++] = pair;
    return pins->n;
}

struct pairs pins_of(struct arena *a, const struct set_facts *set,
                     const struct placement *placement, struct pairs old)
{
    struct pairs pins = { .v = arena_make_n(a, struct pair, old.n + set->count + 1) };
    size_t kept;

    for_each (pair, old) /* sorted, as maps are */
        if (still_takes_it(set, placement, pair->value))
            pins.v[pins.n++] = *pair;
    kept = pins.n;
    for (size_t i = 0; i < set->count; i++) {
        const struct worker_facts *w = &set->workers[i];

        if (w->of_this_mode && w->ordinal >= 0 && w->phase == PHASE_RUNNING && !w->deleting &&
            !str_empty(w->node))
            add(&pins, old, kept, (struct pair) { fmt(a, "%" PRId64, w->ordinal), w->node });
    }
    if (pins.n)
        qsort(pins.v, pins.n, sizeof *pins.v, compare);
    return pins.n ? pins : (struct pairs) { 0 };
}
