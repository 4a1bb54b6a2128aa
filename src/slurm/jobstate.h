/* jobstate.h - the state of a Slurm job: one base state, any number of flags, and what they mean.
 *
 * Built like nodestate.h: a word that we do not know, or no state at all, is answered "unknown".
 *
 *     pending   waits for resources, time or a person
 *     running   has resources and works: RUNNING
 *     holding   has resources: RUNNING, SUSPENDED, COMPLETING, CONFIGURING, STOPPED; its nodes must
 *               not go
 *     ended     will not run any more by itself: a final base state, nothing completing, no requeue
 *     good      ended, and as it was meant to: COMPLETED
 *     failed    ended otherwise
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "slurm/answer.h"
#include "json/table.h"

enum job_base {
    JOB_PENDING,
    JOB_RUNNING,
    JOB_SUSPENDED,
    JOB_COMPLETED,
    JOB_CANCELLED,
    JOB_FAILED,
    JOB_TIMEOUT,
    JOB_NODE_FAIL,
    JOB_PREEMPTED,
    JOB_BOOT_FAIL,
    JOB_DEADLINE,
    JOB_OUT_OF_MEMORY,
};

enum job_flag {
    JOB_LAUNCH_FAILED = 1 << 0,
    JOB_REQUEUED = 1 << 1,
    JOB_REQUEUE_HOLD = 1 << 2,
    JOB_SPECIAL_EXIT = 1 << 3,
    JOB_RESIZING = 1 << 4,
    JOB_CONFIGURING = 1 << 5,
    JOB_COMPLETING = 1 << 6,
    JOB_STOPPED = 1 << 7,
    JOB_RECONFIG_FAIL = 1 << 8,
    JOB_POWER_UP_NODE = 1 << 9,
    JOB_REVOKED = 1 << 10,
    JOB_REQUEUE_FED = 1 << 11,
    JOB_RESV_DEL_HOLD = 1 << 12,
    JOB_SIGNALING = 1 << 13,
    JOB_STAGE_OUT = 1 << 14,
    JOB_EXPEDITING = 1 << 15,
    JOB_STRANGE_WORD = 1 << 30,
};

struct job_state {
    uint32_t flags; /* enum job_flag */
    uint8_t base;   /* enum job_base */
    bool known;     /* somebody told us a base state */
};

void job_state_add(struct job_state *state, const char *word, size_t len);
struct job_state job_state_of_words(struct strs words);
/* Reads "RUNNING", "COMPLETED,COMPLETING", sacct's "CANCELLED by 1000" and squeue's "PD". */
struct job_state job_state_of_text(const char *text);
char *job_state_text(struct arena *a, struct job_state state);
const char *job_base_name(enum job_base base);

enum answer job_is_pending(struct job_state state);
enum answer job_is_running(struct job_state state);
enum answer job_is_holding(struct job_state state);
enum answer job_is_ended(struct job_state state);
enum answer job_is_good(struct job_state state);
enum answer job_is_failed(struct job_state state);
