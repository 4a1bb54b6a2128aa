/* scripts.h - what runs in the helper containers and hooks.
 *
 * Each is handed to a shell with -c, so it must not depend on anything but what its image has.
 */
#pragma once
#include <stdint.h>

#include "base/arena.h"

/* POSIX sh: keeps the pipe $SOCKET in place of a log file and prints what is written to it. */
extern const char logfile_script[];
/* POSIX sh, as root: copies configuration and keys from /mnt/slurm to /mnt/etc/slurm, with the
 * owner and modes that a projected volume cannot give them. */
extern const char initconf_script[];
/* bash: has slurmctld read its configuration again whenever a file of it changes. */
extern const char reconfigure_script[];

/* POSIX sh, before a worker stops: takes its node out of service, gives jobs so many seconds to
 * end, and marks it down. A node that somebody else drained keeps its state and reason. */
const char *worker_stop_script(struct arena *a, const char *reason_prefix, int64_t patience);
