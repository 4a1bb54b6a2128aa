/* front_world.h - models out of a few lines of YAML, for tests of builders. */
#pragma once
#include "slinky/front.h"

/* One document. */
const struct json *parsed(struct arena *a, const char *yaml);
/* A world of these manifests, in namespace hpc. */
struct slinky_world world_with(struct arena *a, const char *manifests);
/* The workers of a NodeSet "set" with this spec, whose cluster is "ctl"; its keys are in the Secret
 * "slurm-keys". */
struct model_workers workers_of(struct arena *a, const char *spec);
/* slurmctld of a Controller "ctl" with this spec beside its keys. */
struct model_controller controller_of(struct arena *a, const char *spec);
