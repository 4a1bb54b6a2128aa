/* commands_job.c - jobs, those of slurmctld and those that slurmdbd remembers. */
#include <string.h>

#include "base/str.h"
#include "driver.h"

struct json *job_json(struct driver *d, const struct slurm_job *job)
{
    struct json *o = json_object(d->arena);

    set_int(d, o, "id", job->id);
    set_str(d, o, "state", job_state_text(d->arena, job->state));
    set_str(d, o, "state_reason", job->state_reason);
    set_str(d, o, "name", job->name);
    set_str(d, o, "user", job->user);
    set_str(d, o, "partition", job->partition);
    set_str(d, o, "nodes", job->nodes);
    set_str(d, o, "tres", job->tres);
    set_int(d, o, "cpus", job->cpus);
    set_int(d, o, "node_count", job->node_count);
    set_int(d, o, "minutes", job->minutes);
    set_int(d, o, "exit_code", job->exit_code);
    set_int(d, o, "started", job->started / USEC_SEC);
    set_int(d, o, "ended", job->ended / USEC_SEC);
    return o;
}

static struct json *jobs_json(struct driver *d, struct slurm_jobs jobs)
{
    struct json *list = json_array(d->arena);

    for_each (job, jobs)
        json_add(d->arena, list, job_json(d, job));
    return list;
}

static struct json *run_jobs(struct driver *d, int n, char **words)
{
    struct slurm_job_filter filter = { 0 };
    struct slurm_jobs jobs = { 0 };
    struct json *reply;
    enum answer answer;

    for (int i = 0; i < n; i++) {
        const char *value = strchr(words[i], '=') ?: "=";

        if (str_starts(words[i], "node="))
            filter.node = value + 1;
        else if (str_starts(words[i], "user="))
            filter.user = value + 1;
        else if (str_starts(words[i], "state="))
            filter.state = value + 1;
    }
    answer = slurm_jobs(d->slurm, &d->call, &filter, &jobs);
    reply = yes_no(d, &d->call, answer);
    json_set(d->arena, reply, "jobs", jobs_json(d, jobs));
    return reply;
}

static uint32_t number(const char *word)
{
    return (uint32_t)strtoul(word, NULL, 10);
}

static struct json *run_job(struct driver *d, int n, char **words)
{
    struct slurm_job job;
    enum answer answer = slurm_job_get(d->slurm, &d->call, number(words[0]), &job);
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n;
    if (is_yes(answer))
        json_set(d->arena, reply, "job", job_json(d, &job));
    return reply;
}

static struct json *run_submit(struct driver *d, int n, char **words)
{
    struct slurm_job_spec spec = { .script = fmt(d->arena, "#!/bin/sh\n%s\n", words[0]),
                                   .name = "driver",
                                   .directory = "/tmp",
                                   .output = "/dev/null",
                                   .nodes = n > 1 && *words[1] ? words[1] : NULL,
                                   .minutes = 5 };
    uint32_t id = 0;
    enum answer answer = slurm_job_submit(d->slurm, &d->call, &spec, &id);
    struct json *reply = yes_no(d, &d->call, answer);

    set_int(d, reply, "id", id);
    return reply;
}

static struct json *run_cancel(struct driver *d, int n, char **words)
{
    (void)n;
    return yes_no(d, &d->call, slurm_job_cancel(d->slurm, &d->call, number(words[0])));
}

static struct json *run_requeue(struct driver *d, int n, char **words)
{
    return yes_no(d, &d->call, slurm_job_requeue(d->slurm, &d->call, number(words[0]), n > 1));
}

static struct json *run_hold(struct driver *d, int n, char **words)
{
    (void)n;
    return yes_no(d, &d->call, slurm_job_hold(d->slurm, &d->call, number(words[0]), true));
}

static struct json *run_release(struct driver *d, int n, char **words)
{
    (void)n;
    return yes_no(d, &d->call, slurm_job_hold(d->slurm, &d->call, number(words[0]), false));
}
static struct json *run_db_job(struct driver *d, int n, char **words)
{
    struct slurm_jobs jobs = { 0 };
    enum answer answer = slurmdb_job_get(d->slurm, &d->call, number(words[0]), &jobs);
    struct json *reply = yes_no(d, &d->call, answer);

    (void)n;
    json_set(d->arena, reply, "jobs", jobs_json(d, jobs));
    return reply;
}

struct seen {
    struct driver *d;
    struct json *list;
};

static int see(void *userdata, const struct slurm_job *job)
{
    struct seen *seen = userdata;

    json_add(seen->d->arena, seen->list, job_json(seen->d, job));
    return 0;
}

static struct json *run_db_jobs(struct driver *d, int n, char **words)
{
    struct slurmdb_job_filter filter = { .users = n > 0 ? words[0] : NULL,
                                         .from = clock_wall() - 3600 * USEC_SEC,
                                         .until = clock_wall() + 60 * USEC_SEC };
    struct seen seen = { d, json_array(d->arena) };
    enum answer answer = slurmdb_jobs(d->slurm, &d->call, &filter, see, &seen);
    struct json *reply = yes_no(d, &d->call, answer);

    json_set(d->arena, reply, "jobs", seen.list);
    return reply;
}

const struct command job_commands[] = {
    { "jobs", 0, run_jobs },       { "job", 1, run_job },
    { "submit", 1, run_submit },   { "cancel", 1, run_cancel },
    { "requeue", 1, run_requeue }, { "hold", 1, run_hold },
    { "release", 1, run_release }, { "db_job", 1, run_db_job },
    { "db_jobs", 0, run_db_jobs }, { 0 },
};
