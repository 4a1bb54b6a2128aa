/* record_job.c - jobs, as slurmctld and as slurmdbd tell them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "slurm/record.h"
#include "slurm/reply.h"

#define TEXT(member, difference_, ...)                                                             \
    {                                                                                              \
        .offset = offsetof(struct slurm_job, member), .difference = difference_, ##__VA_ARGS__     \
    }

const struct record_text job_texts[JOB_TEXTS] = {
    TEXT(name, SLURM_TEXT),
    TEXT(nodes, SLURM_PLACE),
    TEXT(state_reason, SLURM_STATE),
    TEXT(tres, SLURM_SHAPE),
    TEXT(user, SLURM_SHAPE, .shared = true),
    TEXT(account, SLURM_SHAPE, .shared = true),
    TEXT(partition, SLURM_PLACE, .shared = true),
    TEXT(qos, SLURM_PLACE, .shared = true),
    TEXT(reservation, SLURM_PLACE, .shared = true),
    TEXT(mail_user, SLURM_TEXT, .shared = true),
    TEXT(standard_output, SLURM_TEXT, .shared = true),
    TEXT(standard_error, SLURM_TEXT, .shared = true),
};

struct wire_job {
    struct slurm_job job; /* its strings are read in place */
    struct strs state;
    const char *tres_asked;
    struct maybe_int id, user_id;
    struct wire_number array_id, array_task, cpus, node_count, memory_per_node, minutes;
    struct wire_number exit_code, exit_signal, submitted, started, ended;
};

#define NUMBER(member, json_name)                                                                  \
    FIELD(wire_job, member, OBJECT, json_name, .of = &wire_number_type)

static const struct field wire_job_fields[] = {
    FIELD(wire_job, job.account, STR, "account"),
    NUMBER(array_id, "array_job_id"),
    NUMBER(array_task, "array_task_id"),
    NUMBER(ended, "end_time"),
    NUMBER(exit_code, "exit_code.return_code"),
    NUMBER(exit_signal, "exit_code.signal.id"),
    FIELD(wire_job, id, INT, "job_id"),
    FIELD(wire_job, state, STRS, "job_state"),
    FIELD(wire_job, job.mail_user, STR, "mail_user"),
    FIELD(wire_job, job.name, STR, "name"),
    FIELD(wire_job, job.nodes, STR, "nodes"),
    NUMBER(cpus, "cpus"),
    NUMBER(node_count, "node_count"),
    FIELD(wire_job, job.partition, STR, "partition"),
    NUMBER(memory_per_node, "memory_per_node"),
    FIELD(wire_job, job.qos, STR, "qos"),
    FIELD(wire_job, job.reservation, STR, "resv_name"),
    NUMBER(started, "start_time"),
    FIELD(wire_job, job.state_reason, STR, "state_reason"),
    FIELD(wire_job, job.standard_output, STR, "standard_output"),
    FIELD(wire_job, job.standard_error, STR, "standard_error"),
    NUMBER(submitted, "submit_time"),
    NUMBER(minutes, "time_limit"),
    FIELD(wire_job, tres_asked, STR, "tres_req_str"),
    FIELD(wire_job, job.tres, STR, "tres_alloc_str"),
    FIELD(wire_job, user_id, INT, "user_id"),
    FIELD(wire_job, job.user, STR, "user_name"),
    { 0 },
};
static const struct type wire_job_type = TYPE(wire_job, wire_job_fields);

static uint32_t count_of(int64_t value)
{
    return value < 0 || value >= UINT32_MAX - 1 ? 0 : (uint32_t)value;
}

static uint32_t count(const struct wire_number *n)
{
    return count_of(wire_int(n, 0, 0));
}

static usec time_of(int64_t seconds)
{
    return count_of(seconds) * USEC_SEC;
}

static uint32_t minutes_of(const struct wire_number *n)
{
    int64_t value = wire_int(n, JOB_NO_LIMIT, JOB_NO_LIMIT);

    return value < 0 || value > JOB_NO_LIMIT ? JOB_NO_LIMIT : (uint32_t)value;
}

static void fill_texts(struct slurm_job *job)
{
    for (size_t i = 0; i < JOB_TEXTS; i++)
        *record_text(job, &job_texts[i]) = *record_text(job, &job_texts[i]) ?: "";
}

static int check_id(struct maybe_int id, uint32_t *ret, struct error *err)
{
    if (!id.set || id.value <= 0 || id.value > UINT32_MAX)
        return fail(err, -EBADMSG, "a job without a job_id");
    *ret = (uint32_t)id.value;
    return 0;
}

int job_decode(struct arena *a, const char *text, size_t len, struct slurm_job *ret,
               struct error *err)
{
    struct wire_job wire = { 0 };
    struct slurm_job *job = &wire.job;
    struct error why = { 0 };

    if (table_read(a, &wire_job_type, text, len, &wire, &why) < 0)
        return fail(err, -EBADMSG, "job %lld: %s", (long long)int_or(wire.id, 0), error_text(&why));
    if (check_id(wire.id, &job->id, err) < 0)
        return -EBADMSG;
    if (str_empty(job->tres))
        job->tres = wire.tres_asked;
    fill_texts(job);
    job->state = job_state_of_words(wire.state);
    job->array_id = count(&wire.array_id);
    job->array_task = (uint32_t)wire_int(&wire.array_task, JOB_NO_TASK, JOB_NO_TASK);
    job->user_id = count_of(int_or(wire.user_id, 0));
    job->cpus = count(&wire.cpus);
    job->node_count = count(&wire.node_count);
    job->memory_per_node = (uint64_t)wire_int(&wire.memory_per_node, 0, 0);
    job->minutes = minutes_of(&wire.minutes);
    job->exit_code = (int)count(&wire.exit_code);
    job->exit_signal = (int)count(&wire.exit_signal);
    job->submitted = time_of(wire_int(&wire.submitted, 0, 0));
    job->started = time_of(wire_int(&wire.started, 0, 0));
    job->ended = time_of(wire_int(&wire.ended, 0, 0));
    *ret = *job;
    return 0;
}

struct wire_tres {
    const char *type, *name;
    struct maybe_int count;
};
static const struct field wire_tres_fields[] = {
    FIELD(wire_tres, type, STR, "type"),
    FIELD(wire_tres, name, STR, "name"),
    FIELD(wire_tres, count, INT, "count"),
    { 0 },
};
static const struct type wire_tres_type = TYPE(wire_tres, wire_tres_fields);

struct wire_tres_list {
    struct wire_tres *v;
    size_t n;
};

struct wire_db_job {
    struct slurm_job job;
    struct strs state;
    struct maybe_int id, array_id, cpus, node_count, started, ended, submitted;
    struct wire_number array_task, minutes, memory_per_node, exit_code, exit_signal;
    struct wire_tres_list allocated, requested;
};

#define DB_NUMBER(member, json_name)                                                               \
    FIELD(wire_db_job, member, OBJECT, json_name, .of = &wire_number_type)

static const struct field wire_db_job_fields[] = {
    FIELD(wire_db_job, job.account, STR, "account"),
    FIELD(wire_db_job, node_count, INT, "allocation_nodes"),
    FIELD(wire_db_job, array_id, INT, "array.job_id"),
    DB_NUMBER(array_task, "array.task_id"),
    FIELD(wire_db_job, ended, INT, "time.end"),
    FIELD(wire_db_job, started, INT, "time.start"),
    FIELD(wire_db_job, submitted, INT, "time.submission"),
    DB_NUMBER(minutes, "time.limit"),
    DB_NUMBER(exit_code, "exit_code.return_code"),
    DB_NUMBER(exit_signal, "exit_code.signal.id"),
    FIELD(wire_db_job, id, INT, "job_id"),
    FIELD(wire_db_job, job.name, STR, "name"),
    FIELD(wire_db_job, job.nodes, STR, "nodes"),
    FIELD(wire_db_job, job.partition, STR, "partition"),
    FIELD(wire_db_job, job.qos, STR, "qos"),
    FIELD(wire_db_job, cpus, INT, "required.CPUs"),
    DB_NUMBER(memory_per_node, "required.memory_per_node"),
    FIELD(wire_db_job, job.user, STR, "user"),
    FIELD(wire_db_job, job.reservation, STR, "reservation.name"),
    FIELD(wire_db_job, state, STRS, "state.current"),
    FIELD(wire_db_job, job.state_reason, STR, "state.reason"),
    FIELD(wire_db_job, allocated, LIST, "tres.allocated", .of = &wire_tres_type),
    FIELD(wire_db_job, requested, LIST, "tres.requested", .of = &wire_tres_type),
    FIELD(wire_db_job, job.standard_output, STR, "stdout"),
    FIELD(wire_db_job, job.standard_error, STR, "stderr"),
    { 0 },
};
static const struct type wire_db_job_type = TYPE(wire_db_job, wire_db_job_fields);

/* "cpu=4,mem=1024M,gres/gpu=2", as slurmctld writes it; slurmdbd counts memory in MiB. */
static const char *tres_text(struct arena *a, const struct wire_tres_list *list)
{
    scoped(buf) struct buf out = { 0 };

    for_each (tres, *list) {
        bool memory = str_eq(tres->type, "mem");

        if (int_or(tres->count, -1) < 0)
            continue;
        buf_fmt(&out, "%s%s%s%s=%lld%s", out.len ? "," : "", tres->type ?: "",
                str_empty(tres->name) ? "" : "/", tres->name ?: "", (long long)tres->count.value,
                memory ? "M" : "");
    }
    return arena_str(a, buf_text(&out));
}

static const char *none_as_empty(const char *nodes)
{
    return str_eq(nodes, "None assigned") || str_eq(nodes, "(null)") ? "" : nodes;
}

int db_job_decode(struct arena *a, const char *text, size_t len, struct slurm_job *ret,
                  struct error *err)
{
    struct wire_db_job wire = { 0 };
    struct slurm_job *job = &wire.job;
    struct error why = { 0 };

    if (table_read(a, &wire_db_job_type, text, len, &wire, &why) < 0)
        return fail(err, -EBADMSG, "job %lld: %s", (long long)int_or(wire.id, 0), error_text(&why));
    if (check_id(wire.id, &job->id, err) < 0)
        return -EBADMSG;
    job->tres = tres_text(a, wire.allocated.n ? &wire.allocated : &wire.requested);
    job->nodes = none_as_empty(job->nodes);
    fill_texts(job);
    job->state = job_state_of_words(wire.state);
    job->array_id = count_of(int_or(wire.array_id, 0));
    job->array_task = (uint32_t)wire_int(&wire.array_task, JOB_NO_TASK, JOB_NO_TASK);
    job->cpus = count_of(int_or(wire.cpus, 0));
    job->node_count = count_of(int_or(wire.node_count, 0));
    job->memory_per_node = (uint64_t)wire_int(&wire.memory_per_node, 0, 0);
    job->minutes = minutes_of(&wire.minutes);
    job->exit_code = (int)count(&wire.exit_code);
    job->exit_signal = (int)count(&wire.exit_signal);
    job->submitted = time_of(int_or(wire.submitted, 0));
    job->started = time_of(int_or(wire.started, 0));
    job->ended = time_of(int_or(wire.ended, 0));
    *ret = *job;
    return 0;
}
