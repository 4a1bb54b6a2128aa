/* podstate.h - the state of a Slurm node as conditions of its worker's pod.
 *
 * One condition for the base state and one for each flag worth showing; those that no longer hold
 * are taken away, not set to False. Two more sum up what people wait for and are always there, True
 * or False: whether the node is drained, and whether it is busy.
 */
#pragma once
#include "workers/facts.h"

/* What the conditions' types begin with, and the two that sum up. */
struct podstate_words {
    const char *prefix;  /* "SlurmNodeState" */
    const char *drained; /* "SlurmNodeDrained" */
    const char *busy;    /* "SlurmNodeBusy" */
};

struct podstate_condition {
    const char *type;
    bool yes;
    const char *message;
};

enum { PODSTATE_MAX = 16 };

/* Fills in at most PODSTATE_MAX conditions; returns how many, 0 when the state is not known. */
size_t podstate_of(struct arena *a, const struct podstate_words *words,
                   const struct slurm_facts *slurm, struct podstate_condition *ret);
/* Whether a condition of that type is one of these. */
bool podstate_is_ours(const struct podstate_words *words, const char *type);

/* Whether the worker is to be protected from eviction: as it is while that is not known. */
bool podstate_protects(const struct set_facts *set, const struct worker_facts *w);
