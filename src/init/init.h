/* init.h - the first process of a container.
 *
 * Starts services, reaps every process that ends, hands signals on, and ends when the first service
 * has ended, with its status. It stands in for systemd's notifications: a service that says
 * MAINPID=N on $NOTIFY_SOCKET has handed over to process N, which from then on is the service. So
 * `slurmctld --systemd` and `slurmd --systemd` can replace themselves on a reconfiguration, and go
 * on as they were when the new configuration is broken.
 *
 * A service that is kept is started again when it ends, sooner the rarer it happens; after several
 * short lives in a row of the first one we end with its status, so that the kubelet tells the
 * world. One process, one thread, no locks.
 */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"

struct service {
    const char *name;  /* for our lines in the log */
    const char **argv; /* NULL-terminated; argv[0] is looked up in $PATH */
    uid_t uid;         /* whom it runs as; ours: unchanged */
    gid_t gid;
    bool notifies; /* gets $NOTIFY_SOCKET */
    bool kept;     /* started again when it ends */

    pid_t pid;    /* 0: not running */
    usec started; /* when, by the clock that only goes forward */
    usec due;     /* when to start it again; 0: not to be started */
    unsigned short_lives;
};

struct init {
    struct service *services; /* the first one is what the container is for */
    size_t n;
    bool to_group; /* signals go to the whole process group of a service */
};

/* Runs until the first service has ended. Returns its exit status (128 + N when signal N ended it),
 * or 127 when it could not be started. */
int init_run(struct init *init);
