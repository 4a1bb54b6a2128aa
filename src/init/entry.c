/* entry.c - the command line of windlass-init and of `windlass init`. */
#include "init/entry.h"

#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "init/init.h"
#include "init/role.h"

enum { MISUSED = 2, FAILED = 1 };

static int misuse(void)
{
    scoped(arena) struct arena *a = arena_new();

    fprintf(stderr,
            "usage: windlass-init ROLE [ARG...]\n"
            "       windlass-init [-g] -- PROGRAM [ARG...]\n"
            "roles: %s\n",
            role_names(a));
    return MISUSED;
}

static int run_program(char **argv, bool to_group)
{
    struct service service = {
        .name = argv[0], .argv = (const char **)argv, .uid = getuid(), .gid = getgid()
    };
    struct init init = { .services = &service, .n = 1, .to_group = to_group };

    return init_run(&init);
}

static int run_role(const char *role, char **args)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct init init;

    if (role_prepare(a, role, args, &init, &err) < 0) {
        fprintf(stderr, "windlass-init: %s\n", error_text(&err));
        return FAILED;
    }
    return init_run(&init);
}

int init_entry(char **args)
{
    bool to_group = str_eq(args[0], "-g");
    bool program;

    log_configure(LOG_INFO, LOG_TEXT);
    args += to_group;
    program = str_eq(args[0], "--");
    args += program;
    if (!args[0])
        return misuse();
    if (program)
        return run_program(args, to_group);
    return to_group || args[0][0] == '-' ? misuse() : run_role(args[0], args + 1);
}
