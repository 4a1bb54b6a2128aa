/* hostlist.h - Slurm's short notation for many host names: "gpu-[00-15],login[1-2]-ib".
 *
 * Ranges, zero padding, several bracket groups in one name and text behind a bracket are
 * understood, and order is that of `scontrol show hostnames` and `scontrol show hostlist`, so that
 * a list goes through either of them and comes back unchanged. Two things are stricter than
 * scontrol: a range must be digits ("[1-]" and "[+1]" are mistakes), and a bracket that does not
 * belong to a pair is one too. A number too long for 64 bits stays text rather than being changed.
 *
 * Expanding is bounded, because eighteen characters are enough to name four thousand million hosts.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "json/table.h"

enum {
    HOSTLIST_MAX = 1 << 20,       /* what hostlist_expand() allows for a limit of 0 */
    HOSTLIST_RANGE_MAX = 1 << 16, /* Slurm's own limit on one range, kept so that it accepts ours */
};

/* Every name of the list, in order, repetitions included. Names are separated by commas or blanks.
 * -EINVAL for a malformed list, -E2BIG for one that names more than limit hosts. */
int hostlist_expand(struct arena *a, const char *list, size_t limit, struct strs *ret,
                    struct error *err);
/* How many hosts the list names, repetitions included, without naming them. */
int hostlist_count(const char *list, uint64_t *ret, struct error *err);

/* The names folded into ranges where neighbours allow it; order and repetitions are kept. The names
 * are plain: no brackets, commas or blanks (see hostlist_is_plain). */
char *hostlist_fold(struct arena *a, struct strs names);
/* The same for a set: sorted by text and number first, each name once. The shortest common form. */
char *hostlist_of_set(struct arena *a, struct strs names);

/* Whether a name means only itself in a list. */
bool hostlist_is_plain(const char *name);
/* "gpu-[0-7]" for a prefix and n numbered names from 0; "gpu-0" for one, "" for none. */
char *hostlist_of_count(struct arena *a, const char *prefix, uint64_t n);
