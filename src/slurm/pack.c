/* pack.c - packing and unpacking records, sorting and finding them. */
#include "slurm/pack.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/str.h"
#include "slurm/pool.h"
#include "slurm/record.h"

enum {
    NODE_OWN_TEXTS = NODE_TEXTS - NODE_SHARED_TEXTS,
    JOB_OWN_TEXTS = JOB_TEXTS - JOB_SHARED_TEXTS
};

/* What nodes of one kind have in common. */
struct shape {
    uint32_t text[NODE_SHARED_TEXTS];
    uint32_t cpus, effective_cpus, memory, special_memory, weight;
};

struct packed_node {
    uint32_t text[NODE_OWN_TEXTS]; /* the name comes first */
    uint32_t shape;
    uint32_t state; /* flags, base and known, see pack_state() */
    uint32_t used_cpus, idle_cpus, load, used_memory, free_memory;
    uint32_t reason_time, booted, slurmd_started, last_busy, resume_after; /* seconds */
};

/* What jobs of one user have in common. */
struct kin {
    uint32_t text[JOB_SHARED_TEXTS];
    uint32_t user_id;
};

struct packed_job {
    uint32_t id; /* must come first */
    uint32_t text[JOB_OWN_TEXTS];
    uint32_t kin;
    uint32_t state;
    uint32_t array_id, array_task, cpus, node_count, memory_per_node, minutes;
    uint32_t exit; /* code and signal, 16 bits each */
    uint32_t submitted, started, ended;
};

_Static_assert(sizeof(struct packed_node) == 96, "see pack.h");
_Static_assert(sizeof(struct packed_job) == 68, "see pack.h");

struct pack {
    atomic_uint refs;
    enum slurm_part part;
    size_t count, room;
    size_t record_size;
    struct pool pool;
    char *records;
    bool unsorted;
};

struct pack *pack_new(enum slurm_part part, size_t expect)
{
    struct pack *pack = must_alloc(sizeof *pack);

    atomic_init(&pack->refs, 1);
    pack->part = part;
    pack->record_size =
        part == SLURM_NODES ? sizeof(struct packed_node) : sizeof(struct packed_job);
    pack->room = expect + expect / 16 + 16;
    pack->records = must_alloc(pack->room * pack->record_size);
    pool_init(&pack->pool);
    return pack;
}

struct pack *pack_ref(struct pack *pack)
{
    if (pack)
        atomic_fetch_add(&pack->refs, 1);
    return pack;
}

void pack_unref(struct pack *pack)
{
    if (!pack || atomic_fetch_sub(&pack->refs, 1) != 1)
        return;
    pool_done(&pack->pool);
    free(pack->records);
    free(pack);
}

size_t pack_count(const struct pack *pack)
{
    return pack ? pack->count : 0;
}

size_t pack_bytes(const struct pack *pack)
{
    return sizeof *pack - sizeof pack->pool + pool_size(&pack->pool) +
           pack->room * pack->record_size;
}

static struct packed_node *node_at(const struct pack *pack, size_t i)
{
    return (struct packed_node *)(pack->records + i * sizeof(struct packed_node));
}

static struct packed_job *job_at(const struct pack *pack, size_t i)
{
    return (struct packed_job *)(pack->records + i * sizeof(struct packed_job));
}

/* Sixteen bits of flags and more, STRANGE_WORD at 30; the base and known fit between. */
enum { STATE_BASE = 24, STATE_KNOWN = 29 };

static uint32_t pack_state(uint32_t flags, uint8_t base, bool known)
{
    return flags | (uint32_t)(base & 31) << STATE_BASE | (uint32_t)known << STATE_KNOWN;
}

static uint32_t state_flags(uint32_t state)
{
    return state & ~(63u << STATE_BASE);
}

static uint32_t small(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static uint32_t seconds(usec when)
{
    return when <= 0 ? 0 : small((uint64_t)(when / USEC_SEC));
}

/* Puts the texts of a record into the pool: its own, and those that it shares. */
static bool pack_texts(struct pool *pool, const void *record, const struct record_text *texts,
                       size_t n, uint32_t *own, uint32_t *shared)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t number = pool_str(pool, *record_text(record, &texts[i]));

        if (number == UINT32_MAX)
            return false;
        if (texts[i].shared)
            *shared++ = number;
        else
            *own++ = number;
    }
    return true;
}

static void unpack_texts(const struct pool *pool, void *record, const struct record_text *texts,
                         size_t n, const uint32_t *own, const uint32_t *shared)
{
    for (size_t i = 0; i < n; i++)
        *record_text(record, &texts[i]) = pool_at(pool, texts[i].shared ? *shared++ : *own++);
}

static void *next_record(struct pack *pack)
{
    if (pack->count == pack->room) {
        pack->room += pack->room / 2;
        pack->records = must_realloc(pack->records, pack->room * pack->record_size);
    }
    return pack->records + pack->count * pack->record_size;
}

static int full(struct error *err)
{
    return fail(err, -E2BIG, "more text than a snapshot can hold");
}

int pack_add_node(struct pack *pack, const struct slurm_node *node, struct error *err)
{
    struct packed_node *p = next_record(pack);
    struct shape shape = {
        .cpus = node->cpus,
        .effective_cpus = node->effective_cpus,
        .memory = small(node->memory),
        .special_memory = small(node->special_memory),
        .weight = node->weight,
    };

    *p = (struct packed_node) {
        .state = pack_state(node->state.flags, node->state.base, node->state.known),
        .used_cpus = node->used_cpus,
        .idle_cpus = node->idle_cpus,
        .load = node->load,
        .used_memory = small(node->used_memory),
        .free_memory = small(node->free_memory),
        .reason_time = seconds(node->reason_time),
        .booted = seconds(node->booted),
        .slurmd_started = seconds(node->slurmd_started),
        .last_busy = seconds(node->last_busy),
        .resume_after = seconds(node->resume_after),
    };
    if (!pack_texts(&pack->pool, node, node_texts, NODE_TEXTS, p->text, shape.text) ||
        (p->shape = pool_add(&pack->pool, &shape, sizeof shape)) == UINT32_MAX)
        return full(err);
    if (pack->count && strcmp(pool_at(&pack->pool, p[-1].text[0]), node->name) >= 0)
        pack->unsorted = true;
    pack->count++;
    return 0;
}

int pack_add_job(struct pack *pack, const struct slurm_job *job, struct error *err)
{
    struct packed_job *p = next_record(pack);
    struct kin kin = { .user_id = job->user_id };

    *p = (struct packed_job) {
        .id = job->id,
        .state = pack_state(job->state.flags, job->state.base, job->state.known),
        .array_id = job->array_id,
        .array_task = job->array_task,
        .cpus = job->cpus,
        .node_count = job->node_count,
        .memory_per_node = small(job->memory_per_node),
        .minutes = job->minutes,
        .exit = (uint32_t)(job->exit_code & 0xffff) << 16 | (uint32_t)(job->exit_signal & 0xffff),
        .submitted = seconds(job->submitted),
        .started = seconds(job->started),
        .ended = seconds(job->ended),
    };
    if (!pack_texts(&pack->pool, job, job_texts, JOB_TEXTS, p->text, kin.text) ||
        (p->kin = pool_add(&pack->pool, &kin, sizeof kin)) == UINT32_MAX)
        return full(err);
    if (pack->count && p[-1].id >= job->id)
        pack->unsorted = true;
    pack->count++;
    return 0;
}

static int compare_nodes(const void *x, const void *y, void *pool)
{
    const struct packed_node *a = x, *b = y;

    return strcmp(pool_at(pool, a->text[0]), pool_at(pool, b->text[0]));
}

static int compare_jobs(const void *x, const void *y, void *pool)
{
    const struct packed_job *a = x, *b = y;

    (void)pool;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Slurm names each node once. A job that stands there twice (it changed while the list was written)
 * is the same job: one of them stays. */
static int drop_twins(struct pack *pack, struct error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < pack->count; i++) {
        if (kept && pack->part == SLURM_NODES &&
            !compare_nodes(node_at(pack, kept - 1), node_at(pack, i), &pack->pool))
            return fail(err, -EBADMSG, "node %s stands there twice",
                        pool_at(&pack->pool, node_at(pack, i)->text[0]));
        if (kept && pack->part == SLURM_JOBS && job_at(pack, kept - 1)->id == job_at(pack, i)->id)
            continue;
        memmove(pack->records + kept++ * pack->record_size, pack->records + i * pack->record_size,
                pack->record_size);
    }
    pack->count = kept;
    return 0;
}

int pack_finish(struct pack *pack, struct error *err)
{
    if (pack->unsorted) {
        qsort_r(pack->records, pack->count, pack->record_size,
                pack->part == SLURM_NODES ? compare_nodes : compare_jobs, &pack->pool);
        if (drop_twins(pack, err) < 0)
            return -EBADMSG;
    }
    pack->unsorted = false;
    pack->room = pack->count;
    pack->records = must_realloc(pack->records, pack->room * pack->record_size + 1);
    pool_seal(&pack->pool);
    return 0;
}

void pack_node(const struct pack *pack, size_t i, struct slurm_node *ret)
{
    const struct packed_node *p = node_at(pack, i);
    struct shape shape;

    memcpy(&shape, pool_at(&pack->pool, p->shape), sizeof shape);
    *ret = (struct slurm_node) {
        .state = { .flags = state_flags(p->state),
                   .base = p->state >> STATE_BASE & 31,
                   .known = p->state >> STATE_KNOWN & 1 },
        .reason_time = p->reason_time * USEC_SEC,
        .cpus = shape.cpus,
        .effective_cpus = shape.effective_cpus,
        .used_cpus = p->used_cpus,
        .idle_cpus = p->idle_cpus,
        .load = p->load,
        .weight = shape.weight,
        .memory = shape.memory,
        .used_memory = p->used_memory,
        .free_memory = p->free_memory,
        .special_memory = shape.special_memory,
        .booted = p->booted * USEC_SEC,
        .slurmd_started = p->slurmd_started * USEC_SEC,
        .last_busy = p->last_busy * USEC_SEC,
        .resume_after = p->resume_after * USEC_SEC,
    };
    unpack_texts(&pack->pool, ret, node_texts, NODE_TEXTS, p->text, shape.text);
}

void pack_job(const struct pack *pack, size_t i, struct slurm_job *ret)
{
    const struct packed_job *p = job_at(pack, i);
    struct kin kin;

    memcpy(&kin, pool_at(&pack->pool, p->kin), sizeof kin);
    *ret = (struct slurm_job) {
        .id = p->id,
        .array_id = p->array_id,
        .array_task = p->array_task,
        .user_id = kin.user_id,
        .state = { .flags = state_flags(p->state),
                   .base = p->state >> STATE_BASE & 31,
                   .known = p->state >> STATE_KNOWN & 1 },
        .cpus = p->cpus,
        .node_count = p->node_count,
        .memory_per_node = p->memory_per_node,
        .minutes = p->minutes,
        .exit_code = (int)(p->exit >> 16),
        .exit_signal = (int)(p->exit & 0xffff),
        .submitted = p->submitted * USEC_SEC,
        .started = p->started * USEC_SEC,
        .ended = p->ended * USEC_SEC,
    };
    unpack_texts(&pack->pool, ret, job_texts, JOB_TEXTS, p->text, kin.text);
}

bool pack_find_node(const struct pack *pack, const char *name, size_t *ret)
{
    size_t low = 0, high = pack_count(pack);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(pool_at(&pack->pool, node_at(pack, middle)->text[0]), name);

        if (order == 0) {
            *ret = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool pack_find_job(const struct pack *pack, uint32_t id, size_t *ret)
{
    size_t low = 0, high = pack_count(pack);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (job_at(pack, middle)->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    *ret = low;
    return low < pack_count(pack) && job_at(pack, low)->id == id;
}
