/* worker_parts.h - what the files that build workers share; of no interest to anybody else. */
#pragma once
#include "model/workers.h"

#define SLURMD_PORT_NAME "slurmd"

/* sshd_config, NULL without ssh. */
const char *workers_sshd_config(struct arena *a, const struct model_workers *m);

/* What the user lets a worker have, in whole units, rounded up: the limit of the slurmd container,
 * else that of the pod; 0: none. */
int64_t worker_limit(struct arena *a, const struct model_workers *m, const char *resource);
/* Whether the user's extra configuration sets a key of the node record. */
bool worker_conf_sets(struct arena *a, const struct model_workers *m, const char *key);
