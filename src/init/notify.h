/* notify.h - systemd's notification socket, as far as Slurm's daemons use it.
 *
 * A daemon that replaces itself says MAINPID=N. The socket belongs to the user of that daemon and
 * to nobody else, so a job on the same worker cannot name another process.
 */
#pragma once
#include <sys/types.h>

#include "base/error.h"

struct notify {
    int fd;
    char path[64];
};

/* Makes the socket in /run, or in /tmp where /run cannot be written. */
int notify_open(struct notify *n, uid_t owner, struct error *err);
void notify_close(struct notify *n);
/* The process named last by what has arrived; 0 when nothing names one. */
pid_t notify_successor(struct notify *n);
/* The process that a message names; 0: none. Lines are NAME=VALUE, as sd_notify(3) has them. */
pid_t notify_main_pid(const char *message);
