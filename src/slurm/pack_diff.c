/* pack_diff.c - what changed between two packs. */
#include <string.h>

#include "slurm/pack.h"
#include "slurm/record.h"

static unsigned texts_differ(const void *x, const void *y, const struct record_text *texts,
                             size_t n)
{
    unsigned differences = 0;

    for (size_t i = 0; i < n; i++)
        if (strcmp(*record_text(x, &texts[i]), *record_text(y, &texts[i])) != 0)
            differences |= texts[i].difference;
    return differences;
}

static unsigned when(bool differs, unsigned difference)
{
    return differs ? difference : 0;
}

static unsigned nodes_differ(const struct slurm_node *x, const struct slurm_node *y)
{
    bool state = x->state.flags != y->state.flags || x->state.base != y->state.base ||
                 x->state.known != y->state.known;
    bool shape = x->cpus != y->cpus || x->effective_cpus != y->effective_cpus ||
                 x->memory != y->memory || x->special_memory != y->special_memory ||
                 x->weight != y->weight || x->booted != y->booted ||
                 x->slurmd_started != y->slurmd_started;
    bool use = x->used_cpus != y->used_cpus || x->idle_cpus != y->idle_cpus ||
               x->used_memory != y->used_memory;

    return texts_differ(x, y, node_texts, NODE_TEXTS) | when(state, SLURM_STATE) |
           when(shape, SLURM_SHAPE) | when(use, SLURM_USE) |
           when(x->reason_time != y->reason_time, SLURM_REASON) |
           when(x->load != y->load || x->free_memory != y->free_memory, SLURM_LOAD) |
           when(x->last_busy != y->last_busy || x->resume_after != y->resume_after, SLURM_TIMES);
}

static unsigned jobs_differ(const struct slurm_job *x, const struct slurm_job *y)
{
    bool state = x->state.flags != y->state.flags || x->state.base != y->state.base ||
                 x->state.known != y->state.known || x->exit_code != y->exit_code ||
                 x->exit_signal != y->exit_signal;
    bool shape = x->cpus != y->cpus || x->node_count != y->node_count ||
                 x->memory_per_node != y->memory_per_node || x->minutes != y->minutes ||
                 x->user_id != y->user_id || x->array_id != y->array_id ||
                 x->array_task != y->array_task;
    bool times = x->submitted != y->submitted || x->started != y->started || x->ended != y->ended;

    return texts_differ(x, y, job_texts, JOB_TEXTS) | when(state, SLURM_STATE) |
           when(shape, SLURM_SHAPE) | when(times, SLURM_TIMES);
}

/* Walks the old and the fresh list side by side. */
struct walk {
    const struct pack *old, *fresh;
    size_t i, j, count;
    void (*on_change)(void *userdata, const struct slurm_change *change);
    void *userdata;
};

static void tell(struct walk *w, struct slurm_change change)
{
    if (!change.differences)
        return;
    w->count++;
    w->on_change(w->userdata, &change);
}

static void step_nodes(struct walk *w)
{
    struct slurm_node x = { 0 }, y = { 0 };
    bool old_left = w->i < pack_count(w->old), fresh_left = w->j < pack_count(w->fresh);
    int order;

    if (old_left)
        pack_node(w->old, w->i, &x);
    if (fresh_left)
        pack_node(w->fresh, w->j, &y);
    order = !old_left ? 1 : !fresh_left ? -1 : strcmp(x.name, y.name);
    w->i += order <= 0;
    w->j += order >= 0;
    tell(w, (struct slurm_change) { .part = SLURM_NODES,
                                    .node = order < 0 ? x.name : y.name,
                                    .differences = order < 0   ? SLURM_REMOVED
                                                   : order > 0 ? SLURM_ADDED
                                                               : nodes_differ(&x, &y) });
}

static void step_jobs(struct walk *w)
{
    struct slurm_job x = { 0 }, y = { 0 };
    bool old_left = w->i < pack_count(w->old), fresh_left = w->j < pack_count(w->fresh);
    int order;

    if (old_left)
        pack_job(w->old, w->i, &x);
    if (fresh_left)
        pack_job(w->fresh, w->j, &y);
    order = !old_left ? 1 : !fresh_left ? -1 : x.id < y.id ? -1 : x.id > y.id;
    w->i += order <= 0;
    w->j += order >= 0;
    tell(w, (struct slurm_change) { .part = SLURM_JOBS,
                                    .job = order < 0 ? x.id : y.id,
                                    .differences = order < 0   ? SLURM_REMOVED
                                                   : order > 0 ? SLURM_ADDED
                                                               : jobs_differ(&x, &y) });
}

size_t pack_diff(enum slurm_part part, const struct pack *old, const struct pack *fresh,
                 void (*on_change)(void *userdata, const struct slurm_change *change),
                 void *userdata)
{
    struct walk w = { .old = old, .fresh = fresh, .on_change = on_change, .userdata = userdata };

    while (w.i < pack_count(old) || w.j < pack_count(fresh))
        (part == SLURM_NODES ? step_nodes : step_jobs)(&w);
    return w.count;
}
