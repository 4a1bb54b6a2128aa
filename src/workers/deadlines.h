/* deadlines.h - when the jobs on a Slurm node will be over, at the latest. */
#pragma once
#include "base/map.h"
#include "slurm/job_api.h"
#include "workers/facts.h"

/* The latest end of a running job per node; the map is empty while nothing runs. */
struct deadlines {
    struct map by_host; /* values live in the arena */
};

void deadlines_done(struct deadlines *d);
/* One job more. A node list that cannot be read concerns that job alone and returns false. */
bool deadlines_add(struct arena *a, struct deadlines *d, const struct slurm_job *job);
/* 0: nothing runs there. */
usec deadlines_of(const struct deadlines *d, const char *host);
