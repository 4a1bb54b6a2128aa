/* facts.c - the plain questions about facts. */
#include "workers/facts.h"

#include <stdlib.h>
#include <string.h>

static int compare_name(const void *name, const void *machine)
{
    return strcmp(name, ((const struct machine *)machine)->name);
}

const struct machine *machine_find(struct machines machines, const char *name)
{
    if (!name || !machines.n)
        return NULL;
    return bsearch(name, machines.v, machines.n, sizeof *machines.v, compare_name);
}

bool worker_is_healthy(const struct worker_facts *w)
{
    return w->phase == PHASE_RUNNING && w->ready;
}

bool worker_is_available(const struct worker_facts *w, usec now, usec min_ready)
{
    if (!worker_is_healthy(w) || w->deleting)
        return false;
    return min_ready <= 0 || (w->ready_since && w->ready_since + min_ready <= now);
}

bool worker_has_ended(const struct worker_facts *w)
{
    return w->phase == PHASE_FAILED || w->phase == PHASE_SUCCEEDED;
}
