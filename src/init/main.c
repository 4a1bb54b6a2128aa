/* main.c - windlass-init: the first process of our images, alone in a program that needs no
 * library.
 *
 *     windlass-init ROLE [ARG...]             a daemon of Slurm: see role.h
 *     windlass-init [-g] -- PROGRAM [ARG...]  any program; -g: signals go to its process group
 *
 * Called as tini it takes the same options, so a command line written for tini works.
 */
#include "init/entry.h"

int main(int argc, char **argv)
{
    (void)argc;
    return init_entry(argv + 1);
}
