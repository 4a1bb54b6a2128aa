/* lists.h - lists that are kept whole: decoded item by item into an array in the call's arena. */
#pragma once
#include "slurm/call.h"

/* Reads one item into record, a zeroed struct of the list's size; its strings must outlive scratch,
 * which is emptied after each item. */
typedef int list_read_fn(void *userdata, struct arena *scratch, struct arena *keep,
                         const char *item, size_t len, void *record, struct error *err);

/* Any of the lists: { struct record *v; size_t n; }. */
struct slurm_list {
    void *v;
    size_t n;
};

enum answer slurm_ask_list(struct slurm *slurm, struct slurm_call *call,
                           const struct question *question, size_t record_size, list_read_fn *read,
                           void *userdata, struct slurm_list *ret);

/* The same for lists whose items a table reads straight into the arena: small records only. */
enum answer slurm_ask_table(struct slurm *slurm, struct slurm_call *call,
                            const struct question *question, const struct type *type,
                            struct slurm_list *ret);
