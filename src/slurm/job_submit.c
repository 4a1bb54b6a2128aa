/* job_submit.c - a job for slurmctld to run. */
#include <errno.h>

#include "slurm/call.h"
#include "slurm/job_api.h"
#include "slurm/snapshot.h"
#include "json/json.h"

static void set_text(struct arena *a, struct json *job, const char *name, const char *text)
{
    if (text)
        json_set_str(a, job, name, text);
}

static void set_number(struct arena *a, struct json *job, const char *name, uint32_t value)
{
    struct json *number;

    if (!value)
        return;
    number = json_object(a);
    json_set(a, number, "set", json_bool(a, true));
    json_set(a, number, "infinite", json_bool(a, false));
    json_set(a, number, "number", json_int(a, value));
    json_set(a, job, name, number);
}

static void set_words(struct arena *a, struct json *job, const char *name, struct strs words)
{
    struct json *array = json_array(a);

    for_each (word, words)
        json_add(a, array, json_str(a, *word));
    json_set(a, job, name, array);
}

static const char *body_of(struct arena *a, const struct slurm_job_spec *spec)
{
    struct json *job = json_object(a);
    struct json *body = json_object(a);
    struct strs path = STRS("PATH=/usr/local/bin:/usr/bin:/bin");
    struct strs nodes = STRS(spec->nodes);
    struct strs exclusive = STRS("none"); /* shared with nobody */

    set_text(a, job, "script", spec->script);
    set_text(a, job, "name", spec->name);
    set_text(a, job, "partition", spec->partition);
    set_text(a, job, "reservation", spec->reservation);
    set_text(a, job, "account", spec->account);
    set_text(a, job, "comment", spec->comment);
    set_text(a, job, "standard_output", spec->output);
    set_text(a, job, "tres_per_node", spec->tres_per_node);
    json_set_str(a, job, "current_working_directory", spec->directory ?: "/tmp");
    set_words(a, job, "environment", spec->environment.n ? spec->environment : path);
    if (spec->nodes)
        set_words(a, job, "required_nodes", nodes);
    if (spec->exclusive)
        set_words(a, job, "shared", exclusive);
    if (spec->node_count)
        json_set_str(a, job, "nodes", fmt(a, "%u", spec->node_count));
    if (spec->tasks)
        json_set(a, job, "tasks", json_int(a, spec->tasks));
    set_number(a, job, "time_limit", spec->minutes);
    json_set(a, body, "job", job);
    return json_text(a, body);
}

struct wire_submitted {
    struct maybe_int id;
};
static const struct field wire_submitted_fields[] = {
    FIELD(wire_submitted, id, INT, "job_id"),
    { 0 },
};
static const struct type wire_submitted_type = TYPE(wire_submitted, wire_submitted_fields);

enum answer slurm_job_submit(struct slurm *slurm, struct slurm_call *call,
                             const struct slurm_job_spec *spec, uint32_t *ret_id)
{
    struct question q = { .name = "job_submit",
                          .method = "POST",
                          .path = "/job/submit",
                          .body = body_of(call->arena, spec),
                          .changes = true };
    struct wire_submitted wire = { 0 };
    enum answer answer = slurm_ask_for(slurm, call, &q, &wire_submitted_type, &wire);

    slurm_wrote(slurm, SLURM_JOBS | SLURM_NODES);
    if (answer != ANSWER_YES)
        return answer;
    if (int_or(wire.id, 0) <= 0 || wire.id.value > UINT32_MAX)
        return slurm_say(call, ANSWER_UNKNOWN, -EBADMSG,
                         "slurm %s: job_submit: an answer without a job_id", slurm->cluster);
    *ret_id = (uint32_t)wire.id.value;
    return ANSWER_YES;
}
