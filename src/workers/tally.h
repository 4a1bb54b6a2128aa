/* tally.h - the set in numbers, for its status. */
#pragma once
#include "workers/facts.h"

struct tally {
    int64_t pods; /* terminating ones included */
    int64_t updated, ready, available, unavailable;
    bool slurm_known; /* the numbers below were counted; else they are to stay as they were */
    int64_t registered, idle, allocated, down, drain;
    int64_t leaving; /* pods that are being deleted or drain for it */
};

/* made: workers that were made just now and are not among the facts. */
struct tally tally_of(const struct set_facts *set, int64_t desired, int64_t made);
