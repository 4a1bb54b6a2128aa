/* slurm.h - windlass slurm: looking at Slurm's files and words without a cluster. */
#pragma once
#include "cli/cli.h"

extern const struct verb slurm_verb;
