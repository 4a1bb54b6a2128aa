/* cluster_lists.c - partitions, licences and shares. */
#include "slurm/call.h"
#include "slurm/lists.h"
#include "slurm/record.h"
#include "json/json.h"

struct wire_partition {
    struct slurm_partition partition;
    struct strs state;
    struct maybe_int node_count, cpus, tier;
    struct wire_number minutes;
};
static const struct field wire_partition_fields[] = {
    FIELD(wire_partition, partition.nodes, STR, "nodes.configured"),
    FIELD(wire_partition, node_count, INT, "nodes.total"),
    FIELD(wire_partition, partition.tres, STR, "tres.configured"),
    FIELD(wire_partition, cpus, INT, "cpus.total"),
    FIELD(wire_partition, minutes, OBJECT, "maximums.time", .of = &wire_number_type),
    FIELD(wire_partition, partition.name, STR, "name"),
    FIELD(wire_partition, partition.node_sets, STR, "node_sets"),
    FIELD(wire_partition, tier, INT, "priority.tier"),
    FIELD(wire_partition, partition.topology, STR, "topology"),
    FIELD(wire_partition, state, STRS, "partition.state"),
    { 0 },
};
static const struct type wire_partition_type = TYPE(wire_partition, wire_partition_fields);

static int read_partition(void *userdata, struct arena *scratch, struct arena *keep,
                          const char *item, size_t len, void *record, struct error *err)
{
    struct wire_partition wire = { 0 };
    struct slurm_partition *p = record;
    int rc = table_read(scratch, &wire_partition_type, item, len, &wire, err);

    (void)userdata;
    if (rc < 0)
        return rc;
    *p = (struct slurm_partition) {
        .name = arena_str(keep, wire.partition.name ?: ""),
        .nodes = arena_str(keep, wire.partition.nodes ?: ""),
        .node_sets = arena_str(keep, wire.partition.node_sets ?: ""),
        .tres = arena_str(keep, wire.partition.tres ?: ""),
        .topology = arena_str(keep, wire.partition.topology ?: ""),
        .state = arena_str(keep, join(scratch, wire.state)),
        .node_count = int_or(wire.node_count, 0),
        .cpus = int_or(wire.cpus, 0),
        .priority_tier = int_or(wire.tier, 0),
        .max_minutes = wire_int(&wire.minutes, -1, -1),
    };
    return 0;
}

enum answer slurm_partitions(struct slurm *slurm, struct slurm_call *call,
                             struct slurm_partitions *ret)
{
    struct question q = { .name = "partitions", .path = "/partitions/", .array = "partitions" };
    struct slurm_list list;
    enum answer answer = slurm_ask_list(slurm, call, &q, sizeof(struct slurm_partition),
                                        read_partition, NULL, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurm_partitions) { list.v, list.n };
    return answer;
}

struct wire_license {
    const char *name;
    struct maybe_int total, used, free, reserved;
    enum flag remote;
};
static const struct field wire_license_fields[] = {
    FIELD(wire_license, name, STR, "LicenseName"),
    FIELD(wire_license, total, INT, "Total"),
    FIELD(wire_license, used, INT, "Used"),
    FIELD(wire_license, free, INT, "Free"),
    FIELD(wire_license, remote, BOOL, "Remote"),
    FIELD(wire_license, reserved, INT, "Reserved"),
    { 0 },
};
static const struct type wire_license_type = TYPE(wire_license, wire_license_fields);

enum answer slurm_licenses(struct slurm *slurm, struct slurm_call *call, struct slurm_licenses *ret)
{
    struct question q = { .name = "licenses", .path = "/licenses/", .array = "licenses" };
    struct slurm_list list;
    enum answer answer = slurm_ask_table(slurm, call, &q, &wire_license_type, &list);
    const struct wire_license *wire = list.v;

    if (answer != ANSWER_YES)
        return answer;
    ret->n = list.n;
    ret->v = arena_make_n(call->arena, struct slurm_license, list.n);
    for (size_t i = 0; i < list.n; i++)
        ret->v[i] = (struct slurm_license) {
            .name = wire[i].name ?: "",
            .total = int_or(wire[i].total, 0),
            .used = int_or(wire[i].used, 0),
            .free = int_or(wire[i].free, 0),
            .reserved = int_or(wire[i].reserved, 0),
            .remote = wire[i].remote == YES,
        };
    return ANSWER_YES;
}

struct wire_share {
    const char *name, *parent;
    struct strs type;
    struct wire_number shares;
    struct maybe_real normalized, usage, effective;
    const struct json *factor; /* a number in v0.0.41, a set number later */
};
static const struct field wire_share_fields[] = {
    FIELD(wire_share, name, STR, "name"),
    FIELD(wire_share, parent, STR, "parent"),
    FIELD(wire_share, normalized, REAL, "shares_normalized.number"),
    FIELD(wire_share, shares, OBJECT, "shares", .of = &wire_number_type),
    FIELD(wire_share, effective, REAL, "effective_usage.number"),
    FIELD(wire_share, usage, REAL, "usage_normalized.number"),
    FIELD(wire_share, factor, RAW, "fairshare.factor"),
    FIELD(wire_share, type, STRS, "type"),
    { 0 },
};
static const struct type wire_share_type = TYPE(wire_share, wire_share_fields);

struct wire_shares {
    struct {
        struct wire_share *v;
        size_t n;
    } shares;
};
static const struct field wire_shares_fields[] = {
    FIELD(wire_shares, shares, LIST, "shares.shares", .of = &wire_share_type),
    { 0 },
};
static const struct type wire_shares_type = TYPE(wire_shares, wire_shares_fields);

static double real_of(const struct json *v)
{
    if (v && v->type == JSON_OBJECT)
        v = json_get(v, "number");
    if (v && v->type == JSON_INT)
        return (double)v->integer;
    return v && v->type == JSON_REAL ? v->real.number : 0;
}

enum answer slurm_shares(struct slurm *slurm, struct slurm_call *call, struct slurm_shares *ret)
{
    struct question q = { .name = "shares", .path = "/shares" };
    struct wire_shares wire = { 0 };
    enum answer answer = slurm_ask_for(slurm, call, &q, &wire_shares_type, &wire);

    if (answer != ANSWER_YES)
        return answer;
    ret->n = wire.shares.n;
    ret->v = arena_make_n(call->arena, struct slurm_share, ret->n);
    for (size_t i = 0; i < ret->n; i++) {
        const struct wire_share *w = &wire.shares.v[i];

        ret->v[i] = (struct slurm_share) {
            .name = w->name ?: "",
            .parent = w->parent ?: "",
            .is_user = strs_has(w->type, "USER"),
            .shares = (double)wire_int(&w->shares, 0, 0),
            .norm_shares = real_or(w->normalized, 0),
            .norm_usage = real_or(w->usage, 0),
            .effective_usage = real_or(w->effective, 0),
            .factor = real_of(w->factor),
        };
    }
    return ANSWER_YES;
}
