/* job_api.c - jobs of slurmctld. */
#include "slurm/job_api.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "slurm/call.h"
#include "slurm/hostlist.h"
#include "slurm/lists.h"
#include "slurm/record.h"
#include "slurm/snapshot.h"

/* Without its details (who has which core of which node) a job's record is a fraction as long, and
 * none of what is left out is wanted. */
#define ALL_JOBS "/jobs/?flags=ALL"

static bool has_node(struct arena *a, const char *hosts, const char *node)
{
    struct strs names;

    if (str_eq(hosts, node))
        return true;
    return *hosts && hostlist_expand(a, hosts, 0, &names, NULL) == 0 && strs_has(names, node);
}

static bool is_wanted(struct arena *a, const struct slurm_job_filter *f,
                      const struct slurm_job *job)
{
    if (!f)
        return true;
    if (f->user && !str_eq(f->user, job->user))
        return false;
    if (f->state) {
        struct job_state want = job_state_of_text(f->state);

        if (job->state.base != want.base || !job->state.known ||
            (job->state.flags & want.flags) != want.flags)
            return false;
    }
    /* A job that ended still names the nodes it had. */
    return !f->node || (!is_yes(job_is_ended(job->state)) && has_node(a, job->nodes, f->node));
}

static int read_job(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                    size_t len, void *record, struct error *err)
{
    struct slurm_job *job = record;
    int rc = job_decode(scratch, item, len, job, err);

    if (rc < 0)
        return rc;
    if (!is_wanted(scratch, userdata, job))
        return 1;
    job_keep(keep, job);
    return 0;
}

enum answer slurm_jobs(struct slurm *slurm, struct slurm_call *call,
                       const struct slurm_job_filter *filter, struct slurm_jobs *ret)
{
    struct question q = { .name = "jobs", .path = ALL_JOBS, .array = "jobs" };
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, &q, sizeof(struct slurm_job), read_job, (void *)filter, &list);

    if (answer == ANSWER_YES)
        *ret = (struct slurm_jobs) { list.v, list.n };
    return answer;
}

struct each {
    struct arena *scratch;
    const struct slurm_job_filter *filter;
    int (*on_job)(void *userdata, const struct slurm_job *job);
    void *userdata;
};

static int hand_out(void *userdata, const char *item, size_t len, struct error *err)
{
    struct each *each = userdata;
    struct slurm_job job;
    int rc = job_decode(each->scratch, item, len, &job, err);

    if (rc == 0 && is_wanted(each->scratch, each->filter, &job) &&
        (rc = each->on_job(each->userdata, &job)) != 0)
        rc = fail(err, rc < 0 ? rc : -rc, "stopped by its reader");
    arena_reset(each->scratch);
    return rc;
}

enum answer slurm_jobs_each(struct slurm *slurm, struct slurm_call *call,
                            const struct slurm_job_filter *filter,
                            int (*on_job)(void *userdata, const struct slurm_job *job),
                            void *userdata)
{
    scoped(arena) struct arena *scratch = arena_new();
    struct each each = {
        .scratch = scratch, .filter = filter, .on_job = on_job, .userdata = userdata
    };
    struct question q = {
        .name = "jobs", .path = ALL_JOBS, .array = "jobs", .on_item = hand_out, .userdata = &each
    };
    struct reply reply;

    return slurm_ask(slurm, call, &q, &reply);
}

enum answer slurm_job_get(struct slurm *slurm, struct slurm_call *call, uint32_t id,
                          struct slurm_job *ret)
{
    struct question q = { .name = "job",
                          .path = fmt(call->arena, "/job/%u?flags=ALL", id),
                          .array = "jobs" };
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, &q, sizeof(struct slurm_job), read_job, NULL, &list);
    struct slurm_jobs jobs = { list.v, list.n };

    if (answer != ANSWER_YES)
        return answer;
    for_each (job, jobs) {
        if (job->id != id)
            continue; /* another task of an array asked for by its own id */
        *ret = *job;
        return ANSWER_YES;
    }
    return slurm_say(call, ANSWER_NO, -ENOENT, "slurm %s: no job %u", slurm->cluster, id);
}

/* Slurm reports what it thinks of each job in the body of a 200. */
struct wire_status {
    struct maybe_int code;
    const char *text;
};
static const struct field wire_status_fields[] = {
    FIELD(wire_status, text, STR, "error.string"),
    FIELD(wire_status, code, INT, "error.code"),
    { 0 },
};
static const struct type wire_status_type = TYPE(wire_status, wire_status_fields);

struct wire_statuses {
    struct {
        struct wire_status *v;
        size_t n;
    } status;
};
static const struct field wire_statuses_fields[] = {
    FIELD(wire_statuses, status, LIST, "status", .of = &wire_status_type),
    { 0 },
};
static const struct type wire_statuses_type = TYPE(wire_statuses, wire_statuses_fields);

enum answer slurm_job_cancel(struct slurm *slurm, struct slurm_call *call, uint32_t id)
{
    struct question q = { .name = "job_cancel",
                          .method = "DELETE",
                          .path = fmt(call->arena, "/job/%u", id),
                          .changes = true };
    struct wire_statuses wire = { 0 };
    enum answer answer = slurm_ask_for(slurm, call, &q, &wire_statuses_type, &wire);

    if (answer == ANSWER_YES)
        for_each (status, wire.status) {
            int64_t number = int_or(status->code, 0);
            int code;

            if (!number)
                continue;
            answer = slurm_error_verdict(number, 200, &code);
            slurm_say(call, answer, code, "slurm %s: cancel job %u: %s", slurm->cluster, id,
                      status->text ?: "");
            call->fault.number = (int)number;
        }
    slurm_wrote(slurm, SLURM_JOBS);
    return answer;
}

enum answer slurm_job_requeue(struct slurm *slurm, struct slurm_call *call, uint32_t id, bool hold)
{
    struct question q = { .name = "job_requeue",
                          .changes = true,
                          .since = 45,
                          .path =
                              fmt(call->arena, "/job/%u/requeue%s", id, hold ? "?Hold=true" : "") };
    struct reply reply;
    enum answer answer = slurm_ask(slurm, call, &q, &reply);

    slurm_wrote(slurm, SLURM_JOBS | SLURM_NODES);
    return answer;
}

enum answer slurm_job_hold(struct slurm *slurm, struct slurm_call *call, uint32_t id, bool hold)
{
    struct question q = { .name = "job_hold",
                          .method = "POST",
                          .path = fmt(call->arena, "/job/%u", id),
                          .changes = true,
                          .body = hold ? "{\"hold\":true}" : "{\"hold\":false}" };
    struct reply reply;
    enum answer answer = slurm_ask(slurm, call, &q, &reply);

    slurm_wrote(slurm, SLURM_JOBS);
    return answer;
}
