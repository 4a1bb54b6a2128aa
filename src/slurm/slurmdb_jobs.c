/* slurmdb_jobs.c - the history of jobs. */
#include <errno.h>

#include "net/url.h"
#include "slurm/call.h"
#include "slurm/lists.h"
#include "slurm/record.h"
#include "slurm/slurmdb_api.h"

static void add(struct arena *a, struct buf *query, const char *name, const char *value)
{
    if (value)
        buf_fmt(query, "&%s=%s", name, url_escape(a, value));
}

/* Times as "uts" and seconds: the one form of Slurm's that does not depend on a time zone. */
static void add_time(struct arena *a, struct buf *query, const char *name, usec when)
{
    if (when)
        add(a, query, name, fmt(a, "uts%lld", (long long)(when / USEC_SEC)));
}

static const char *path_of(struct arena *a, const struct slurmdb_job_filter *f)
{
    scoped(buf) struct buf query = { 0 };

    buf_str(&query, "/jobs/?skip_steps=true&disable_truncate_usage_time=true");
    add(a, &query, "cluster", f->cluster);
    add(a, &query, "users", f->users);
    add(a, &query, "account", f->accounts);
    add(a, &query, "partition", f->partitions);
    add(a, &query, "node", f->nodes);
    add_time(a, &query, "start_time", f->from);
    add_time(a, &query, "end_time", f->until);
    return arena_str(a, query.bytes);
}

struct each {
    struct arena *scratch;
    int (*on_job)(void *userdata, const struct slurm_job *job);
    void *userdata;
};

static int take_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct each *each = userdata;
    struct slurm_job job;
    int rc = db_job_decode(each->scratch, item, len, &job, err);

    if (rc == 0 && (rc = each->on_job(each->userdata, &job)) != 0)
        rc = fail(err, rc < 0 ? rc : -rc, "stopped by its reader");
    arena_reset(each->scratch);
    return rc;
}

enum answer slurmdb_jobs(struct slurm *slurm, struct slurm_call *call,
                         const struct slurmdb_job_filter *filter,
                         int (*on_job)(void *userdata, const struct slurm_job *job), void *userdata)
{
    scoped(arena) struct arena *scratch = arena_new();
    struct each each = { .scratch = scratch, .on_job = on_job, .userdata = userdata };
    struct question q = {
        .name = "db_jobs",
        .path = path_of(call->arena, filter ?: &(struct slurmdb_job_filter) { 0 }),
        .database = true,
        .array = "jobs",
        .on_item = take_item,
        .userdata = &each,
    };
    struct reply reply;

    return slurm_ask(slurm, call, &q, &reply);
}

static int read_job(void *userdata, struct arena *scratch, struct arena *keep, const char *item,
                    size_t len, void *record, struct error *err)
{
    int rc = db_job_decode(scratch, item, len, record, err);

    (void)userdata;
    if (rc == 0)
        job_keep(keep, record);
    return rc;
}

enum answer slurmdb_job_get(struct slurm *slurm, struct slurm_call *call, uint32_t id,
                            struct slurm_jobs *ret)
{
    struct question q = {
        .name = "db_job", .path = fmt(call->arena, "/job/%u", id), .database = true, .array = "jobs"
    };
    struct slurm_list list;
    enum answer answer =
        slurm_ask_list(slurm, call, &q, sizeof(struct slurm_job), read_job, NULL, &list);

    if (answer != ANSWER_YES)
        return answer;
    if (!list.n)
        return slurm_say(call, ANSWER_NO, -ENOENT, "slurm %s: accounting has no job %u",
                         slurm->cluster, id);
    *ret = (struct slurm_jobs) { list.v, list.n };
    return ANSWER_YES;
}
