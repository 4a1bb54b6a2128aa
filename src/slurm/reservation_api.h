/* reservation_api.h - reservations: listed, made, changed and deleted.
 *
 * Making and changing need data API v0.0.43, deleting v0.0.42; an older server answers No with
 * -EOPNOTSUPP.
 */
#pragma once
#include <stddef.h>

#include "slurm/client.h"
#include "json/table.h"

struct slurm_reservation {
    const char *name;
    const char *nodes; /* host list */
    const char *partition;
    const char *users; /* separated by commas, like the rest */
    const char *accounts;
    const char *features;
    const char *licenses;
    const char *tres;
    struct strs flags; /* "MAINT", "IGNORE_JOBS", "SPEC_NODES", ... */
    int64_t node_count, core_count;
    usec start, end; /* wall clock */
};
struct slurm_reservations {
    struct slurm_reservation *v;
    size_t n;
};

MUST_CHECK enum answer slurm_reservations(struct slurm *slurm, struct slurm_call *call,
                                          struct slurm_reservations *ret);
/* No: there is no reservation of that name. */
MUST_CHECK enum answer slurm_reservation_get(struct slurm *slurm, struct slurm_call *call,
                                             const char *name, struct slurm_reservation *ret);

/* What to make or to change; what is zero is left to Slurm, or as it is. */
struct slurm_reservation_spec {
    const char *name;
    const char *nodes; /* host list, "ALL" for every node */
    const char *partition;
    const char *comment;
    const char *features;
    struct strs users;
    struct strs accounts;
    struct strs flags;  /* "MAINT", "IGNORE_JOBS", "FORCE_START", "DAILY", ... */
    int64_t node_count; /* in place of nodes */
    usec start;         /* wall clock; 0: now, for a new one */
    usec duration;      /* rounded up to minutes */
};
/* Makes the reservation, or changes the one of that name: Slurm's call is the same for both. */
MUST_CHECK enum answer slurm_reservation_put(struct slurm *slurm, struct slurm_call *call,
                                             const struct slurm_reservation_spec *spec);
/* Yes as well when there is none of that name any more, with fault.code -ENOENT to tell. */
MUST_CHECK enum answer slurm_reservation_delete(struct slurm *slurm, struct slurm_call *call,
                                                const char *name);
