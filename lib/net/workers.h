/* workers.h - a few threads for what may wait, each job run once, in the order given.
 *
 * Threads are made when the first job needs them and stay. Safe from any thread.
 */
#pragma once
#include "base/scope.h"

struct workers;

struct workers *workers_new(const char *name, unsigned threads);
/* Waits for the jobs that run; those not begun are dropped. Never from a job. */
void workers_free(struct workers *workers);
DEFINE_SCOPE(workers, workers_free)

void workers_add(struct workers *workers, void (*job)(void *arg), void *arg);
