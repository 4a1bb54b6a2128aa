/* loop.h - one thread that waits for everything: sockets, timers, signals, and work from others.
 *
 *     struct loop *loop = loop_new();
 *     loop_start(loop, &err);              a thread of its own; or loop_run() on this one
 *     loop_post(loop, refresh, cache);     from any thread: refresh(cache) runs on the loop thread
 *     loop_stop(loop);
 *     loop_free(loop);
 *
 * Callbacks run on the loop thread, one at a time, and must not block. loop_post(), loop_call(),
 * loop_stop() and loop_on_thread() are for any thread; everything else belongs to the loop thread,
 * or to whoever made the loop as long as it does not run yet. A loop with nothing to do sleeps.
 * Making a loop lets the process ignore SIGPIPE: broken connections are told by errors.
 */
#pragma once
#include <stdbool.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/scope.h"

struct loop;
struct timer;
struct event_base;

struct loop *loop_new(void);
/* Stops the loop if it still runs. Work posted but never run is dropped. */
void loop_free(struct loop *loop);
DEFINE_SCOPE(loop, loop_free)

int loop_start(struct loop *loop, struct error *err); /* on a new thread */
void loop_run(struct loop *loop);                     /* on this thread, until loop_stop() */
/* Ends the loop after the callback that runs now; waits for a thread made by loop_start(), unless
 * called on it. Work posted before it still runs. */
void loop_stop(struct loop *loop);

/* Whether the caller is on the loop's thread; false while the loop does not run. */
bool loop_on_thread(const struct loop *loop);
/* Runs fn(arg) on the loop thread, in the order posted, soon and never before returning. */
void loop_post(struct loop *loop, void (*fn)(void *arg), void *arg);
/* Runs fn(arg) on the loop thread and waits until it returned; at once when already there, or when
 * the loop does not run. */
void loop_call(struct loop *loop, void (*fn)(void *arg), void *arg);

/* Calls fn(arg) once after the given time and then, if every is not 0, again and again. */
struct timer *timer_new(struct loop *loop, usec after, usec every, void (*fn)(void *arg),
                        void *arg);
/* Starts it anew: once after the given time, keeping its period. Works on a timer that fired. */
void timer_set(struct timer *timer, usec after);
void timer_stop(struct timer *timer); /* until the next timer_set() */
void timer_free(struct timer *timer); /* also from inside fn */

/* Calls fn(arg) on the loop thread whenever the process gets the signal; until loop_free(). */
void loop_on_signal(struct loop *loop, int signal, void (*fn)(void *arg), void *arg);

/* For the modules of lib/net, which register their sockets with it. */
struct event_base *loop_base(struct loop *loop);
