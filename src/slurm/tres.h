/* tres.h - what Slurm counts: "cpu=4,mem=16G,gres/gpu:h100=2", and "gpu:h100:8(S:0-1)" on a node.
 *
 * Counts are whole numbers; memory is in bytes. A suffix K M G T P (either case, perhaps with an
 * "iB" or "B" behind it) multiplies by powers of 1024. Memory without a suffix is in mebibytes, as
 * everywhere in Slurm. Fractions with a suffix are understood ("mem=62.50G", as scontrol prints).
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct tres {
    const char *name; /* "cpu", "mem", "gres/gpu:h100" */
    uint64_t count;   /* bytes for "mem" and what ends in "mem" */
};

struct tres_list {
    struct tres *v;
    size_t n;
};

/* NULL, "" and "(null)" are the empty list. -EINVAL names the item that is wrong. */
int tres_parse(struct arena *a, const char *text, struct tres_list *ret, struct error *err);
/* The way back: memory in the largest unit that divides it, so that nothing is rounded. */
char *tres_text(struct arena *a, struct tres_list list);
bool tres_has(struct tres_list list, const char *name);     /* names ignore case */
uint64_t tres_get(struct tres_list list, const char *name); /* 0 when absent */

struct gres {
    const char *name;   /* "gpu" */
    const char *type;   /* "h100", NULL for none */
    uint64_t count;     /* 1 when none is given */
    const char *detail; /* what stands in parentheses: "S:0-1", "IDX:0-3"; NULL for none */
    bool no_consume;
};

struct gres_list {
    struct gres *v;
    size_t n;
};

int gres_parse(struct arena *a, const char *text, struct gres_list *ret, struct error *err);
char *gres_text(struct arena *a, struct gres_list list);
/* How many of a name, of one type or (NULL) of all types together. */
uint64_t gres_count(struct gres_list list, const char *name, const char *type);

/* The whole of text as an amount, in units of 1 (unit 0) or of `unit` when no suffix says
 * otherwise: 'M' for memory. False for anything else, and for what passes 64 bits. */
bool amount_parse(const char *text, size_t len, char unit, uint64_t *ret);
/* "16G", "1500M", "1000" (bytes that are no whole kibibyte get no suffix). */
char *amount_text(struct arena *a, uint64_t amount);
