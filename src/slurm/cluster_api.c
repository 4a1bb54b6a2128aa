/* cluster_api.c - questions about the cluster itself: ping, diag, partitions, licences, shares. */
#include <errno.h>

#include "base/str.h"
#include "slurm/call.h"
#include "slurm/record.h"
#include "slurm/slurmdb_api.h"

struct wire_ping {
    const char *hostname, *pinged;
    enum flag responding;
};
static const struct field wire_ping_fields[] = {
    FIELD(wire_ping, hostname, STR, "hostname"),
    FIELD(wire_ping, pinged, STR, "pinged"),
    FIELD(wire_ping, responding, BOOL, "responding"),
    { 0 },
};
static const struct type wire_ping_type = TYPE(wire_ping, wire_ping_fields);

struct wire_pings {
    struct {
        struct wire_ping *v;
        size_t n;
    } pings;
};
static const struct field wire_pings_fields[] = {
    FIELD(wire_pings, pings, LIST, "pings", .of = &wire_ping_type),
    { 0 },
};
static const struct type wire_pings_type = TYPE(wire_pings, wire_pings_fields);

static bool is_up(const struct wire_ping *ping)
{
    return ping->responding == YES || (!ping->responding && str_eq(ping->pinged, "UP"));
}

static enum answer ping(struct slurm *slurm, struct slurm_call *call, const struct question *q,
                        const char *daemon)
{
    struct wire_pings wire = { 0 };
    enum answer answer = slurm_ask_for(slurm, call, q, &wire_pings_type, &wire);

    if (answer != ANSWER_YES)
        return ANSWER_UNKNOWN;
    for_each (one, wire.pings)
        if (is_up(one))
            return ANSWER_YES;
    if (!wire.pings.n)
        return slurm_say(call, ANSWER_UNKNOWN, -EBADMSG, "slurm %s: %s: an answer without pings",
                         slurm->cluster, q->name);
    return slurm_say(call, ANSWER_NO, -EHOSTDOWN,
                     "slurm %s: %s: none of %zu %s answers slurmrestd, first %s", slurm->cluster,
                     q->name, wire.pings.n, daemon, wire.pings.v[0].hostname ?: "?");
}

enum answer slurm_ping(struct slurm *slurm, struct slurm_call *call)
{
    struct question q = { .name = "ping", .path = "/ping/" };

    return ping(slurm, call, &q, "slurmctld");
}

enum answer slurmdb_ping(struct slurm *slurm, struct slurm_call *call)
{
    struct question q = { .name = "db_ping", .path = "/ping/", .database = true };
    struct question diag = { .name = "db_ping", .path = "/diag/", .database = true };
    struct reply reply;
    int version;

    if (slurm_version(slurm, call, &version) != ANSWER_YES)
        return ANSWER_UNKNOWN;
    /* v0.0.41 has no ping of slurmdbd; asking it for anything at all shows that it answers. */
    return version > 41 ? ping(slurm, call, &q, "slurmdbd") : slurm_ask(slurm, call, &diag, &reply);
}

enum answer slurm_reconfigure(struct slurm *slurm, struct slurm_call *call)
{
    struct question q = { .name = "reconfigure", .path = "/reconfigure/", .changes = true };
    struct reply reply;
    enum answer answer = slurm_ask(slurm, call, &q, &reply);

    /* Slurm says no more than this when a controller refuses its new configuration. */
    if (answer == ANSWER_UNKNOWN && call->fault.number == -1) {
        call->fault.code = -EINVAL;
        return ANSWER_NO;
    }
    return answer;
}

struct wire_rpc {
    const char *type, *user;
    struct maybe_int type_id, user_id, count, total;
};
static const struct field wire_rpc_fields[] = {
    FIELD(wire_rpc, type_id, INT, "type_id"),
    FIELD(wire_rpc, type, STR, "message_type"),
    FIELD(wire_rpc, user_id, INT, "user_id"),
    FIELD(wire_rpc, user, STR, "user"),
    FIELD(wire_rpc, count, INT, "count"),
    FIELD(wire_rpc, total, INT, "total_time"),
    { 0 },
};
static const struct type wire_rpc_type = TYPE(wire_rpc, wire_rpc_fields);

struct wire_rpcs {
    struct wire_rpc *v;
    size_t n;
};

struct wire_diag {
    struct maybe_int server_threads, agents, agent_queue, dbd_queue;
    struct maybe_int submitted, started, completed, canceled, failed, pending, running;
    struct maybe_int last, mean, max, cycles, bf_last, bf_mean, bf_depth, bf_jobs;
    enum flag bf_active;
    struct wire_number since;
    struct wire_rpcs by_type, by_user;
};
#define STAT(member, json_name) FIELD(wire_diag, member, INT, "statistics." json_name)
static const struct field wire_diag_fields[] = {
    FIELD(wire_diag, since, OBJECT, "statistics.req_time_start", .of = &wire_number_type),
    STAT(server_threads, "server_thread_count"),
    STAT(agent_queue, "agent_queue_size"),
    STAT(agents, "agent_count"),
    STAT(dbd_queue, "dbd_agent_queue_size"),
    STAT(max, "schedule_cycle_max"),
    STAT(last, "schedule_cycle_last"),
    STAT(cycles, "schedule_cycle_total"),
    STAT(mean, "schedule_cycle_mean"),
    STAT(submitted, "jobs_submitted"),
    STAT(started, "jobs_started"),
    STAT(completed, "jobs_completed"),
    STAT(canceled, "jobs_canceled"),
    STAT(failed, "jobs_failed"),
    STAT(pending, "jobs_pending"),
    STAT(running, "jobs_running"),
    STAT(bf_jobs, "bf_backfilled_jobs"),
    STAT(bf_mean, "bf_cycle_mean"),
    STAT(bf_depth, "bf_depth_mean"),
    STAT(bf_last, "bf_cycle_last"),
    FIELD(wire_diag, bf_active, BOOL, "statistics.bf_active"),
    FIELD(wire_diag, by_type, LIST, "statistics.rpcs_by_message_type", .of = &wire_rpc_type),
    FIELD(wire_diag, by_user, LIST, "statistics.rpcs_by_user", .of = &wire_rpc_type),
    { 0 },
};
static const struct type wire_diag_type = TYPE(wire_diag, wire_diag_fields);

static struct slurm_rpc *rpcs_of(struct arena *a, const struct wire_rpcs *wire)
{
    struct slurm_rpc *rpcs = arena_make_n(a, struct slurm_rpc, wire->n);

    for (size_t i = 0; i < wire->n; i++)
        rpcs[i] = (struct slurm_rpc){
            .name = wire->v[i].type ?: wire->v[i].user ?: "",
            .id = int_or(wire->v[i].type_id, int_or(wire->v[i].user_id, 0)),
            .count = int_or(wire->v[i].count, 0),
            .total_usec = int_or(wire->v[i].total, 0),
        };
    return rpcs;
}

enum answer slurm_diag(struct slurm *slurm, struct slurm_call *call, struct slurm_diag *ret)
{
    struct question q = { .name = "diag", .path = "/diag/" };
    struct wire_diag w = { 0 };
    enum answer answer = slurm_ask_for(slurm, call, &q, &wire_diag_type, &w);

    if (answer != ANSWER_YES)
        return answer;
    if (!w.server_threads.set)
        return slurm_say(call, ANSWER_UNKNOWN, -EBADMSG,
                         "slurm %s: diag: an answer without statistics", slurm->cluster);
    *ret = (struct slurm_diag) {
        .server_threads = int_or(w.server_threads, 0),
        .agents = int_or(w.agents, 0),
        .agent_queue = int_or(w.agent_queue, 0),
        .dbd_queue = int_or(w.dbd_queue, 0),
        .jobs_submitted = int_or(w.submitted, 0),
        .jobs_started = int_or(w.started, 0),
        .jobs_completed = int_or(w.completed, 0),
        .jobs_canceled = int_or(w.canceled, 0),
        .jobs_failed = int_or(w.failed, 0),
        .jobs_pending = int_or(w.pending, 0),
        .jobs_running = int_or(w.running, 0),
        .cycle_last_usec = int_or(w.last, 0),
        .cycle_mean_usec = int_or(w.mean, 0),
        .cycle_max_usec = int_or(w.max, 0),
        .cycle_count = int_or(w.cycles, 0),
        .backfill_cycle_last_usec = int_or(w.bf_last, 0),
        .backfill_cycle_mean_usec = int_or(w.bf_mean, 0),
        .backfill_depth_mean = int_or(w.bf_depth, 0),
        .backfill_jobs = int_or(w.bf_jobs, 0),
        .backfill_active = w.bf_active == YES,
        .since = wire_int(&w.since, 0, 0) * USEC_SEC,
        .by_type = rpcs_of(call->arena, &w.by_type),
        .by_type_count = w.by_type.n,
        .by_user = rpcs_of(call->arena, &w.by_user),
        .by_user_count = w.by_user.n,
    };
    return ANSWER_YES;
}
