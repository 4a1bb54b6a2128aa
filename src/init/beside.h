/* beside.h - what stands beside slurmd and sackd where it is asked for: sshd and sssd. */
#pragma once
#include "init/init.h"

/* Fills in up to two services and returns how many. Makes host keys that are missing; those that
 * are mounted stay. adopts: sessions go into a job of their user on this node (pam_slurm_adopt with
 * $PAM_SLURM_ADOPT_OPTIONS), and who has none is turned away. */
size_t beside_prepare(struct arena *a, bool adopts, struct service *ret_services);
