/* slurm_reply_fuzz.c - answers of slurmrestd: the list, its records, what stands around them.
 *
 * The first byte says which list and how large the pieces are, the rest is the answer. Whatever it
 * is, a list is taken whole or not at all, and what was packed comes back out and differs from
 * itself in nothing.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/pack.h"
#include "slurm/record.h"
#include "slurm/reply.h"
#include "json/list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct taking {
    enum slurm_part part;
    bool database;
    struct arena *arena;
    struct pack *pack;
};

static int take_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct taking *t = userdata;
    struct slurm_node node;
    struct slurm_job job;
    int rc;

    if (t->part == SLURM_NODES)
        rc = node_decode(t->arena, item, len, &node, err) ?: pack_add_node(t->pack, &node, err);
    else
        rc = (t->database ? db_job_decode : job_decode)(t->arena, item, len, &job, err)
                 ?: pack_add_job(t->pack, &job, err);
    arena_reset(t->arena);
    return rc;
}

static void never(void *userdata, const struct slurm_change *change)
{
    (void)userdata, (void)change;
    abort();
}

static void check(const struct pack *pack, enum slurm_part part)
{
    struct slurm_node node;
    struct slurm_job job;
    size_t found;

    for (size_t i = 0; i < pack_count(pack); i++) {
        if (part == SLURM_NODES) {
            pack_node(pack, i, &node);
            if (!pack_find_node(pack, node.name, &found) || found != i)
                abort();
        } else {
            pack_job(pack, i, &job);
            if (!pack_find_job(pack, job.id, &found) || found != i)
                abort();
        }
    }
    pack_diff(part, pack, pack, never, NULL);
}

static int feed(struct list_cutter *cutter, const char *text, size_t len, size_t piece)
{
    for (size_t at = 0; at < len; at += piece) {
        int rc = list_cutter_feed(cutter, text + at, len - at < piece ? len - at : piece, NULL);

        if (rc)
            return rc;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(arena) struct arena *scratch = arena_new();
    scoped(pack) struct pack *pack = NULL;
    scoped(list_cutter) struct list_cutter *cutter = NULL;
    uint8_t how = size ? data[0] : 0;
    struct taking t = { .part = how & 1 ? SLURM_JOBS : SLURM_NODES,
                        .database = how & 2,
                        .arena = scratch };
    struct list_options options = { .array = how & 1 ? "jobs" : "nodes",
                                    .item_limit = 1 << 16,
                                    .around_limit = 1 << 16,
                                    .on_item = take_item,
                                    .userdata = &t };
    struct reply reply = { .status = how & 4 ? 500 : 200, .text = "" };
    struct slurm_fault fault;

    if (!size)
        return 0;
    pack = t.pack = pack_new(t.part, 0);
    cutter = list_cutter_new(&options);
    if (feed(cutter, (const char *)data + 1, size - 1, (size_t)(how >> 3) + 1) < 0 ||
        list_cutter_end(cutter, &reply.text, &reply.len, NULL) < 0) {
        char *text = arena_strn(a, (const char *)data + 1, size - 1);

        reply_mend(text);
        reply.text = text;
        reply.len = size - 1;
    } else if (pack_finish(pack, NULL) == 0) {
        check(pack, t.part);
    }
    if (reply_judge(a, &reply, how & 8, &fault) != ANSWER_YES && !fault.code)
        abort(); /* nothing is refused without a reason */
    return 0;
}
