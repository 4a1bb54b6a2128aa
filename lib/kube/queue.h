/* queue.h - keys waiting to be reconciled.
 *
 * Each controller has a lane of its own, with a bound on how many of its keys are with workers at
 * once; workers serve the lanes in turn, so that a busy controller cannot starve another. Within a
 * lane, what a person waits for (URGENT) goes first, but every fifth key is one of the others.
 *
 * A key is queued at most once and is with at most one worker. Adding a key that a worker holds makes
 * it come back after queue_done(). A key that failed comes back after its own exponential back-off.
 * Safe to call from any thread.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/scope.h"

enum priority { ROUTINE, URGENT };

struct queue;
struct lane;

struct queue *queue_new(void);
void queue_free(struct queue *q);
DEFINE_SCOPE(queue, queue_free)

/* A lane lives as long as its queue. workers bounds how many of its keys are handed out at once. */
struct lane *queue_lane(struct queue *q, const char *name, unsigned workers);

void queue_add(struct lane *lane, const char *key, enum priority priority);
/* Adds the key once the time has come; an earlier wish for the same key wins. */
void queue_add_after(struct lane *lane, const char *key, usec delay);
/* Adds the key after its back-off: 5 ms doubling with each call until queue_forget(), 5 min at most. */
void queue_retry(struct lane *lane, const char *key);
void queue_forget(struct lane *lane, const char *key);
/* How often the key was retried since it was forgotten. */
unsigned queue_retries(struct lane *lane, const char *key);

/* Waits for a key; false once the queue stops. The key is yours until queue_done(). */
bool queue_get(struct queue *q, struct lane **ret_lane, const char **ret_key);
void queue_done(struct lane *lane, const char *key);

/* Wakes every waiting worker; keys that are still queued stay there. */
void queue_stop(struct queue *q);
size_t queue_len(struct lane *lane);  /* waiting now, not those of a later time */
bool queue_idle(struct queue *q);     /* nothing waiting, nothing with a worker */
/* Sets the gauges that only the moment of asking can tell. */
void queue_measure(struct queue *q);
const char *lane_name(const struct lane *lane);
