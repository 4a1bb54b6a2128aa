/* role.h - what each image runs: a daemon of Slurm, and what stands beside it.
 *
 *     slurmctld    $SLURMCTLD_OPTIONS ARG...   as a shell reads them, with --systemd
 *     slurmd       $SLURMD_OPTIONS ARG...      likewise; limits of the pod go into --conf
 *     slurmdbd     $SLURMDBD_OPTIONS ARG...    likewise, with -D
 *     slurmrestd   $SLURMRESTD_OPTIONS ARG...
 *     login        sackd with $SACKD_OPTIONS, as the user slurm
 *
 * Beside slurmd and login: sshd where /etc/ssh/sshd_config is mounted, sssd where
 * /etc/sssd/sssd.conf is and the program is installed. slurmd and what stands beside it are kept:
 * job steps outlive a slurmd that ends, and the next one finds them.
 */
#pragma once
#include "init/init.h"

/* Makes what the role needs (directories, host keys) and fills in its services. -ENOENT: there is
 * no such role. */
int role_prepare(struct arena *a, const char *role, char *const *args, struct init *ret_init,
                 struct error *err);
/* "slurmctld slurmd ...", for messages. */
const char *role_names(struct arena *a);
