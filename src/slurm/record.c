/* record.c - what records have in common, and nodes. */
#include "slurm/record.h"

#include <errno.h>
#include <string.h>

#include "slurm/reply.h"

#define TEXT(member, difference_, ...)                                                             \
    {                                                                                              \
        .offset = offsetof(struct slurm_node, member), .difference = difference_, ##__VA_ARGS__    \
    }

const struct record_text node_texts[NODE_TEXTS] = {
    TEXT(name, 0),
    TEXT(hostname, SLURM_SHAPE),
    TEXT(address, SLURM_SHAPE),
    TEXT(reason, SLURM_REASON),
    TEXT(reason_user, SLURM_REASON),
    TEXT(comment, SLURM_TEXT),
    TEXT(extra, SLURM_TEXT),
    TEXT(gres_used, SLURM_USE),
    TEXT(tres_used, SLURM_USE),
    TEXT(reservation, SLURM_PLACE),
    TEXT(topology, SLURM_PLACE),
    TEXT(instance_id, SLURM_SHAPE),
    TEXT(partitions, SLURM_PLACE, .shared = true),
    TEXT(features, SLURM_PLACE, .shared = true),
    TEXT(active_features, SLURM_PLACE, .shared = true),
    TEXT(gres, SLURM_SHAPE, .shared = true),
    TEXT(tres, SLURM_SHAPE, .shared = true),
    TEXT(instance_type, SLURM_SHAPE, .shared = true),
    TEXT(version, SLURM_SHAPE, .shared = true),
};

const char *join(struct arena *a, struct strs words)
{
    size_t room = 1;
    char *text, *end;

    if (words.n == 0)
        return "";
    if (words.n == 1)
        return words.v[0];
    for_each (word, words)
        room += strlen(*word) + 1;
    end = text = arena_alloc(a, room);
    for_each (word, words) {
        if (end > text)
            *end++ = ',';
        end = stpcpy(end, *word);
    }
    return text;
}

static void keep_texts(struct arena *a, void *record, const struct record_text *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char **text = record_text(record, &texts[i]);

        *text = **text ? arena_str(a, *text) : "";
    }
}

void node_keep(struct arena *a, struct slurm_node *node)
{
    keep_texts(a, node, node_texts, NODE_TEXTS);
}

void job_keep(struct arena *a, struct slurm_job *job)
{
    keep_texts(a, job, job_texts, JOB_TEXTS);
}

struct wire_node {
    struct slurm_node node; /* its strings are read in place */
    struct strs state, partitions, features, active_features;
    struct wire_number booted, free_memory, last_busy, reason_time, slurmd_started, resume_after;
    struct maybe_int cpus, effective_cpus, used_cpus, idle_cpus, load, weight;
    struct maybe_int memory, used_memory, special_memory;
};

#define NUMBER(member, json_name)                                                                  \
    FIELD(wire_node, member, OBJECT, json_name, .of = &wire_number_type)

/* In the order in which slurmrestd writes them, which makes reading faster. */
static const struct field wire_node_fields[] = {
    NUMBER(booted, "boot_time"),
    FIELD(wire_node, load, INT, "cpu_load"),
    NUMBER(free_memory, "free_mem"),
    FIELD(wire_node, cpus, INT, "cpus"),
    FIELD(wire_node, effective_cpus, INT, "effective_cpus"),
    FIELD(wire_node, node.extra, STR, "extra"),
    FIELD(wire_node, features, STRS, "features"),
    FIELD(wire_node, active_features, STRS, "active_features"),
    FIELD(wire_node, node.gres, STR, "gres"),
    FIELD(wire_node, node.gres_used, STR, "gres_used"),
    FIELD(wire_node, node.instance_id, STR, "instance_id"),
    FIELD(wire_node, node.instance_type, STR, "instance_type"),
    NUMBER(last_busy, "last_busy"),
    FIELD(wire_node, special_memory, INT, "specialized_memory"),
    FIELD(wire_node, node.name, STR, "name"),
    FIELD(wire_node, node.address, STR, "address"),
    FIELD(wire_node, node.hostname, STR, "hostname"),
    FIELD(wire_node, state, STRS, "state"),
    FIELD(wire_node, partitions, STRS, "partitions"),
    FIELD(wire_node, memory, INT, "real_memory"),
    FIELD(wire_node, node.comment, STR, "comment"),
    FIELD(wire_node, node.reason, STR, "reason"),
    NUMBER(reason_time, "reason_changed_at"),
    FIELD(wire_node, node.reason_user, STR, "reason_set_by_user"),
    NUMBER(resume_after, "resume_after"),
    FIELD(wire_node, node.reservation, STR, "reservation"),
    FIELD(wire_node, used_memory, INT, "alloc_memory"),
    FIELD(wire_node, used_cpus, INT, "alloc_cpus"),
    FIELD(wire_node, idle_cpus, INT, "alloc_idle_cpus"),
    FIELD(wire_node, node.tres_used, STR, "tres_used"),
    NUMBER(slurmd_started, "slurmd_start_time"),
    FIELD(wire_node, weight, INT, "weight"),
    FIELD(wire_node, node.topology, STR, "topology"),
    FIELD(wire_node, node.tres, STR, "tres"),
    FIELD(wire_node, node.version, STR, "version"),
    { 0 },
};
static const struct type wire_node_type = TYPE(wire_node, wire_node_fields);

/* Slurm counts in 32 bits; what does not fit is one of its marks for "no value". */
static uint32_t count_of(struct maybe_int n)
{
    int64_t value = int_or(n, 0);

    return value < 0 || value >= UINT32_MAX - 1 ? 0 : (uint32_t)value;
}

static uint64_t mib_of(int64_t value)
{
    return value < 0 || value >= INT64_MAX - 1 ? 0 : (uint64_t)value;
}

static usec time_of(const struct wire_number *n)
{
    int64_t seconds = wire_int(n, 0, 0);

    return seconds < 0 || seconds >= UINT32_MAX - 1 ? 0 : seconds * USEC_SEC;
}

int node_decode(struct arena *a, const char *text, size_t len, struct slurm_node *ret,
                struct error *err)
{
    struct wire_node wire = { 0 };
    struct slurm_node *node = &wire.node;
    struct error why = { 0 };

    if (table_read(a, &wire_node_type, text, len, &wire, &why) < 0)
        return fail(err, -EBADMSG, "node %s: %s", node->name ?: "", error_text(&why));
    if (!node->name || !*node->name)
        return fail(err, -EBADMSG, "a node without a name");
    for (size_t i = 0; i < NODE_TEXTS; i++)
        *record_text(node, &node_texts[i]) = *record_text(node, &node_texts[i]) ?: "";
    node->state = node_state_of_words(wire.state);
    node->partitions = join(a, wire.partitions);
    node->features = join(a, wire.features);
    node->active_features = join(a, wire.active_features);
    node->reason_time = time_of(&wire.reason_time);
    node->booted = time_of(&wire.booted);
    node->slurmd_started = time_of(&wire.slurmd_started);
    node->last_busy = time_of(&wire.last_busy);
    node->resume_after = time_of(&wire.resume_after);
    node->cpus = count_of(wire.cpus);
    node->effective_cpus = count_of(wire.effective_cpus);
    node->used_cpus = count_of(wire.used_cpus);
    node->idle_cpus = count_of(wire.idle_cpus);
    node->load = count_of(wire.load);
    node->weight = count_of(wire.weight);
    node->memory = mib_of(int_or(wire.memory, 0));
    node->used_memory = mib_of(int_or(wire.used_memory, 0));
    node->special_memory = mib_of(int_or(wire.special_memory, 0));
    node->free_memory = mib_of(wire_int(&wire.free_memory, 0, 0));
    *ret = *node;
    return 0;
}
