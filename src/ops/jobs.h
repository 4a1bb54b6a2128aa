/* jobs.h - the queue of a cluster, by way of the API server.
 *
 * slurmrestd is asked through the API server's proxy, so that it need not be reachable from here.
 * The token is minted from the cluster's own key, lives for a minute, and is shown to nobody else.
 * It takes the rights to read that Secret and to use services/proxy; without them the queue is not
 * known.
 */
#pragma once
#include "ops/session.h"
#include "slurm/job_api.h"

struct slinky_controller;

/* Jobs that have not ended, those included of which that is not known. restapi names a RestApi. */
int jobs_look(struct session *s, const struct slinky_controller *controller, const char *restapi,
              struct slurm_jobs *ret, struct error *err);
