/* deadlines.c - when the jobs on a Slurm node will be over, at the latest. */
#include "workers/deadlines.h"

#include "base/str.h"
#include "slurm/hostlist.h"
#include "slurm/jobstate.h"

/* What a job without limit counts as: as far as signed nanoseconds reach, about 292 years. */
#define FOREVER (INT64_MAX / 1000)
#define MINUTE (60 * USEC_SEC)

void deadlines_done(struct deadlines *d)
{
    map_done(&d->by_host, NULL);
}

static usec end_of(const struct slurm_job *job)
{
    if (job->minutes == JOB_NO_LIMIT)
        return job->started + FOREVER;
    return job->started + (usec)job->minutes * MINUTE;
}

static void raise(struct arena *a, struct deadlines *d, const char *host, usec end)
{
    usec *known = map_get(&d->by_host, host);

    if (!known) {
        known = arena_make(a, usec);
        map_put(&d->by_host, host, known);
    }
    if (end > *known)
        *known = end;
}

bool deadlines_add(struct arena *a, struct deadlines *d, const struct slurm_job *job)
{
    struct strs hosts;

    if (!is_yes(job_is_running(job->state)) || str_empty(job->nodes))
        return true;
    if (hostlist_expand(a, job->nodes, 0, &hosts, NULL) < 0)
        return false;
    for_each (host, hosts)
        raise(a, d, *host, end_of(job));
    return true;
}

usec deadlines_of(const struct deadlines *d, const char *host)
{
    const usec *known = map_get(&d->by_host, host);

    return known ? *known : 0;
}
