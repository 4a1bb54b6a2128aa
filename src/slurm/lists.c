/* lists.c - gathers decoded items; a list that breaks off is no list. */
#include "slurm/lists.h"

#include <string.h>

struct gather {
    struct slurm_call *call;
    struct arena *scratch;
    size_t record_size;
    list_read_fn *read;
    void *userdata;
    struct buf records;
};

static int take_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct gather *g = userdata;
    void *record = arena_alloc(g->scratch, g->record_size);
    int rc = g->read(g->userdata, g->scratch, g->call->arena, item, len, record, err);

    if (rc == 0)
        buf_add(&g->records, record, g->record_size);
    arena_reset(g->scratch);
    return rc < 0 ? rc : 0; /* above 0: not wanted */
}

static void forget(void *userdata)
{
    struct gather *g = userdata;

    buf_clear(&g->records);
}

enum answer slurm_ask_list(struct slurm *slurm, struct slurm_call *call,
                           const struct question *question, size_t record_size, list_read_fn *read,
                           void *userdata, struct slurm_list *ret)
{
    scoped(arena) struct arena *scratch = arena_new();
    struct gather g = { .call = call,
                        .scratch = scratch,
                        .record_size = record_size,
                        .read = read,
                        .userdata = userdata };
    struct question q = *question;
    struct reply reply;
    enum answer answer;

    q.on_item = take_item;
    q.on_restart = forget;
    q.userdata = &g;
    answer = slurm_ask(slurm, call, &q, &reply);
    if (answer == ANSWER_YES)
        *ret = (struct slurm_list) {
            .v = arena_copy(call->arena, g.records.bytes ?: "", g.records.len),
            .n = g.records.len / record_size,
        };
    buf_done(&g.records);
    return answer;
}

static int read_table(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                      size_t len, void *record, struct error *err)
{
    const struct type *type = userdata;

    (void)scratch;
    return table_read(keep, type, item, len, record, err);
}

enum answer slurm_ask_table(struct slurm *slurm, struct slurm_call *call,
                            const struct question *question, const struct type *type,
                            struct slurm_list *ret)
{
    return slurm_ask_list(slurm, call, question, type->size, read_table, (void *)type, ret);
}
