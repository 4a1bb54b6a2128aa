/* entry.h - the command line of windlass-init and of `windlass init`. */
#pragma once

/* args: ROLE [ARG...], or [-g] -- PROGRAM [ARG...]; NULL-terminated. Returns an exit code; 2 is
 * misuse. */
int init_entry(char **args);
