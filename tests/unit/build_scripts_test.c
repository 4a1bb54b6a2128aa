/* build_scripts_test.c - the helper scripts, run by a real shell in a directory of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scope.h"
#include "base/str.h"
#include "build/scripts.h"
#include "support/test.h"

static char *new_dir(struct arena *a)
{
    char *dir = arena_str(a, "/tmp/windlass-scripts-XXXXXX");

    CHECK(mkdtemp(dir));
    return dir;
}

static void remove_dir(struct arena *a, const char *dir)
{
    CHECK(str_starts(dir, "/tmp/windlass-scripts-"));
    CHECK_INT(system(fmt(a, "rm -rf %s", dir)), 0);
}

static char *replaced(struct arena *a, const char *text, const char *old, const char *now)
{
    scoped(buf) struct buf out = { 0 };
    const char *at;

    while ((at = strstr(text, old))) {
        buf_add(&out, text, (size_t)(at - text));
        buf_str(&out, now);
        text = at + strlen(old);
    }
    buf_str(&out, text);
    return arena_str(a, buf_text(&out));
}

static void write_file(struct arena *a, const char *dir, const char *name, const char *text,
                       int mode)
{
    struct error err = { 0 };

    CHECK_OK(file_write(fmt(a, "%s/%s", dir, name), text, strlen(text), mode, &err), err);
}

static const char *read_file(struct arena *a, const char *dir, const char *name)
{
    scoped(free) char *text = NULL;

    if (file_read(fmt(a, "%s/%s", dir, name), 1 << 16, &text, NULL, NULL) < 0)
        return NULL;
    return arena_str(a, text);
}

static int run(struct arena *a, const char *dir, const char *shell, const char *script)
{
    write_file(a, dir, "script", script, 0700);
    return system(
        fmt(a, "cd %s && PATH=%s:$PATH %s %s/script >%s/out 2>&1", dir, dir, shell, dir, dir));
}

/* ------------------------------------------------------------------ logfile */

TEST(the_log_is_a_pipe_that_loses_no_line_between_two_writers)
{
    scoped(arena) struct arena *a = arena_new();
    const char *dir = new_dir(a);

    write_file(a, dir, "log", "an ordinary file in the way", 0600);
    write_file(a, dir, "logfile.sh", logfile_script, 0700);
    CHECK_INT(
        run(a, dir, "sh",
            "SOCKET=$PWD/log timeout 20 sh logfile.sh >printed &\n"
            "reader=$!\n"
            "n=0; until [ -p log ]; do n=$((n+1)); [ $n -lt 100 ] || exit 9; sleep 0.1; done\n"
            "echo one >log; echo two >log\n"
            "n=0; until grep -q two printed; do n=$((n+1)); [ $n -lt 100 ] || exit 8; "
            "sleep 0.1; done\n"
            "kill $reader; wait $reader 2>/dev/null; exit 0\n"),
        0);
    CHECK_STR(read_file(a, dir, "printed"), "one\ntwo\n");
    remove_dir(a, dir);
}

/* ------------------------------------------------------------------ initconf */

TEST(configuration_and_keys_are_copied_with_their_modes)
{
    scoped(arena) struct arena *a = arena_new();
    const char *dir = new_dir(a);
    char *script = replaced(a, initconf_script, "/mnt/etc/slurm", fmt(a, "%s/to", dir));
    struct stat status;

    script = replaced(a, script, "/mnt/slurm", fmt(a, "%s/from", dir));
    script = replaced(a, script, "401:401", fmt(a, "%d:%d", getuid(), getgid()));
    CHECK_INT(system(fmt(a,
                         "cd %s && mkdir -p from/..2026 && echo k >from/..2026/slurm.key && "
                         "echo c >from/..2026/slurm.conf && echo x >from/..2026/other && "
                         "ln -s ..2026 from/..data && for f in slurm.key slurm.conf other; do "
                         "ln -s ..data/$f from/$f; done",
                         dir)),
              0);
    CHECK_INT(run(a, dir, "sh", script), 0);
    CHECK_STR(read_file(a, dir, "to/slurm.key"), "k\n");
    CHECK_STR(read_file(a, dir, "to/slurm.conf"), "c\n");
    CHECK(!read_file(a, dir, "to/other"));
    CHECK_INT(stat(fmt(a, "%s/to/slurm.key", dir), &status), 0);
    CHECK_INT(status.st_mode & 0777, 0600);
    CHECK_INT(stat(fmt(a, "%s/to/slurm.conf", dir), &status), 0);
    CHECK_INT(status.st_mode & 0777, 0644);
    remove_dir(a, dir);
}

/* ------------------------------------------------------------------ reconfigure */

TEST(a_changed_file_is_read_again_and_a_refusal_is_retried)
{
    scoped(arena) struct arena *a = arena_new();
    const char *dir = new_dir(a);
    char *script = replaced(a, reconfigure_script, "/etc/slurm", fmt(a, "%s/etc", dir));

    script = replaced(a, script, "sleep 5", "sleep 0.1");
    script = replaced(a, script, "sleep 2", "sleep 0.1");
    write_file(a, dir, "reconfigure.sh", script, 0700);
    write_file(a, dir, "scontrol", "#!/bin/sh\necho \"$@\" >>calls\n[ $(wc -l <calls) -gt 2 ]\n",
               0700);
    CHECK_INT(run(a, dir, "bash",
                  "mkdir -p etc/..1 && echo a >etc/..1/slurm.conf && ln -s ..1 etc/..data && "
                  "ln -s ..data/slurm.conf etc/slurm.conf\n"
                  "timeout 20 bash reconfigure.sh >printed 2>&1 &\n"
                  "loop=$!\nsleep 0.5\n[ ! -e calls ] || exit 7\n"
                  "mkdir etc/..2 && echo b >etc/..2/slurm.conf && ln -sfn ..2 etc/..data\n"
                  "n=0; until grep -q 'has the new' printed; do n=$((n+1)); [ $n -lt 100 ] || "
                  "exit 8; sleep 0.1; done\n"
                  "sleep 0.5; kill $loop; wait $loop 2>/dev/null; exit 0\n"),
              0);
    CHECK_STR(read_file(a, dir, "calls"), "reconfigure\nreconfigure\nreconfigure\n");
    remove_dir(a, dir);
}

/* ------------------------------------------------------------------ stopping a worker */

/* Runs the hook beside a scontrol that notes what it is told, for a node with this reason and jobs
 * that are gone when squeue was asked so often. */
static const char *stop(struct arena *a, const char *reason, int busy, int patience)
{
    const char *dir = new_dir(a);
    const char *calls;

    write_file(a, dir, "hostname", "#!/bin/sh\necho gpu-0\n", 0700);
    write_file(a, dir, "scontrol",
               fmt(a,
                   "#!/bin/sh\ncase $1 in\nshow) printf '%%s\\n' 'NodeName=gpu-0' '%s' ;;\n"
                   "*) echo \"$3 $4\" >>calls ;;\nesac\n",
                   *reason ? fmt(a, "   Reason=%s", reason) : ""),
               0700);
    write_file(a, dir, "squeue",
               fmt(a, "#!/bin/sh\necho x >>asked\n[ $(wc -l <asked) -gt %d ] || echo 17\n", busy),
               0700);
    CHECK_INT(run(a, dir, "sh", worker_stop_script(a, "slurm-operator: ", patience)) & 0xff, 0);
    calls = read_file(a, dir, "calls") ?: "";
    remove_dir(a, dir);
    return calls;
}

TEST(a_worker_drains_and_waits_for_its_jobs_before_it_is_down)
{
    scoped(arena) struct arena *a = arena_new();
    const char *both = "state=drain reason=slurm-operator: Pod is terminating\n"
                       "state=down reason=slurm-operator: Pod is terminating\n";

    CHECK_STR(stop(a, "", 2, 20), both);
    CHECK_STR(stop(a, "slurm-operator: scale in [slurm@2026-01-01T00:00:00]", 0, 20), both);
    CHECK_STR(stop(a, "", 1000, 0), both);
}

TEST(a_node_that_somebody_else_drained_is_left_as_it_is)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(stop(a, "bad fan [admin@2026-01-01T00:00:00]", 1, 20), "");
}
