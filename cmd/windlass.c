/* windlass.c - the table of verbs. */
#include <malloc.h>
#include <signal.h>

#include "cli/verbs.h"

int main(int argc, char **argv)
{
    const struct verb verbs[] = {
        install_verb, uninstall_verb, check_verb, status_verb, logs_verb, drain_verb,
        undrain_verb, scale_verb, restart_verb, render_verb, convert_verb, slurm_verb,
        manager_verb, webhook_verb, rbac_verb, version_verb, man_verb, completion_verb, { 0 },
    };
    const struct verb windlass = {
        .name = "windlass",
        .summary = "Slurm on Kubernetes, from bare metal to a queue",
        .description = "Raises Slurm clusters on Kubernetes and keeps them healthy.",
        .verbs = verbs,
    };

    mallopt(M_ARENA_MAX, 2); /* threads share heaps: a little slower, a lot smaller */
    mallopt(M_TRIM_THRESHOLD, 256 * 1024);
    signal(SIGPIPE, SIG_IGN);
    return cli_main(&windlass, argc, argv);
}
