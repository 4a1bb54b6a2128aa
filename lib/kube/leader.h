/* leader.h - one of several replicas leads, by a Lease.
 *
 * Lease of 15 s, renewed every 2 s, given up when renewing failed for 10 s, released on exit so that
 * the next one starts at once. leader_may_write() is the fence: it answers yes only while nobody else
 * can have taken the lease, judged by a clock that also counts while the process or the machine
 * sleeps, from the moment the last good renewal was sent. A process that was frozen and wakes up
 * therefore sends nothing.
 */
#pragma once
#include <stdbool.h>

#include "base/error.h"

struct client;
struct leader;

struct leader_options {
    const char *namespace;
    const char *name;     /* of the Lease */
    const char *identity; /* unique among the replicas */
    void (*on_lead)(void *userdata); /* on the leader's own thread, once */
    void (*on_lost)(void *userdata); /* it was ours and no longer is; the process should end */
    void *userdata;
};

struct leader *leader_start(struct client *client, const struct leader_options *options,
                            struct error *err);
/* Ends the thread; the lease, if it is ours, is released or left to run out. No write is sent after
 * this, whoever holds it. */
void leader_stop(struct leader *leader, bool release);
bool leader_may_write(void *leader); /* shaped for client_set_fence() */
