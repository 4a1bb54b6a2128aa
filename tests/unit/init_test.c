/* init_test.c - the first process of a container: with real processes, shells and sockets. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "init/init.h"
#include "init/node.h"
#include "init/notify.h"
#include "init/role.h"
#include "init/shell.h"
#include "support/test.h"

enum { PATIENCE = 20 };

static const char hardware[] =
    "NodeName=n0 CPUs=16 Boards=1 SocketsPerBoard=2 CoresPerSocket=4 ThreadsPerCore=2 "
    "RealMemory=32000\nUpTime=0-01:12:38\n";

/* ------------------------------------------------------------------ what a worker says of itself
 */

static const char *conf_with(struct arena *a, const char *conf, int64_t cpus, int64_t memory,
                             const char *topology)
{
    struct node_limits limits = { cpus, memory, topology };

    return node_conf(a, conf, hardware, &limits);
}

TEST(init_reserves_what_the_pod_may_not_use)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(conf_with(a, "Features=gpu", 4, 8000, NULL),
              "Features=gpu CoreSpecCount=6 MemSpecLimit=24000");
    CHECK_STR(conf_with(a, "Features=gpu", 3, 0, NULL), "Features=gpu CoreSpecCount=6");
    CHECK_STR(conf_with(a, "Features=gpu", 1, 0, ""), "Features=gpu CoreSpecCount=7");
}

TEST(init_reserves_nothing_when_all_may_be_used)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(conf_with(a, "Features=gpu", 16, 32000, NULL), "Features=gpu");
    CHECK_STR(conf_with(a, "Features=gpu", 15, 40000, NULL), "Features=gpu");
    CHECK_STR(conf_with(a, "Features=gpu", 0, 0, NULL), "Features=gpu");
}

TEST(init_leaves_what_the_user_set)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(conf_with(a, "corespeccount=1 memspeclimit=5 topology=a:b", 4, 8000, "x:y"),
              "corespeccount=1 memspeclimit=5 topology=a:b");
    CHECK_STR(conf_with(a, "CpuSpecList=0", 4, 0, NULL), "CpuSpecList=0");
    CHECK_STR(conf_with(a, "Features=a", 0, 0, "topo-switch:s1"),
              "Features=a Topology=topo-switch:s1");
}

TEST(init_guesses_no_hardware)
{
    scoped(arena) struct arena *a = arena_new();
    struct node_limits limits = { 4, 8000, NULL };

    CHECK_STR(node_conf(a, "Features=a", "", &limits), "Features=a");
    CHECK_STR(node_conf(a, "Features=a", "Boards=1 CoresPerSocket=many RealMemory=", &limits),
              "Features=a");
}

/* ------------------------------------------------------------------ arguments and messages */

TEST(init_reads_arguments_as_a_shell_does)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    const char **words;

    setenv("INIT_TEST", "s1 s2", 1);
    CHECK_OK(shell_words(a, "-Z --conf 'Features=a Topology='\"$INIT_TEST\"' Weight=1' ''", &words,
                         &err),
             err);
    CHECK_STR(words[0], "-Z");
    CHECK_STR(words[1], "--conf");
    CHECK_STR(words[2], "Features=a Topology=s1 s2 Weight=1");
    CHECK_STR(words[3], "");
    CHECK(words[4] == NULL);
    CHECK_OK(shell_words(a, "  ", &words, &err), err);
    CHECK(words[0] == NULL);
}

TEST(init_says_which_arguments_a_shell_refuses)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    const char **words;

    CHECK(shell_words(a, "--conf 'open", &words, &err) < 0);
    CHECK(strstr(error_text(&err), "--conf 'open") != NULL);
}

TEST(init_reads_who_takes_over)
{
    CHECK_INT(notify_main_pid("MAINPID=42"), 42);
    CHECK_INT(notify_main_pid("READY=1\nMAINPID=42\nSTATUS=x"), 42);
    CHECK_INT(notify_main_pid("MAINPID=1\nMAINPID=7\n"), 7);
    CHECK_INT(notify_main_pid("MAINPID="), 0);
    CHECK_INT(notify_main_pid("MAINPID=-5"), 0);
    CHECK_INT(notify_main_pid("MAINPID=99999999999999"), 0);
    CHECK_INT(notify_main_pid("MAINPID=4294967297"), 0);
    CHECK_INT(notify_main_pid("XMAINPID=5"), 0);
    CHECK_INT(notify_main_pid(""), 0);
}

TEST(init_names_the_roles_it_has)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    char *none[] = { NULL };
    struct init init;

    CHECK_INT(role_prepare(a, "slurmx", none, &init, &err), -ENOENT);
    CHECK(strstr(error_text(&err), "slurmctld slurmd slurmdbd slurmrestd login") != NULL);
}

/* ------------------------------------------------------------------ processes */

static struct service script(const char **argv, const char *text)
{
    argv[0] = "/bin/sh";
    argv[1] = "-c";
    argv[2] = text;
    argv[3] = NULL;
    return (struct service) {
        .name = "test", .argv = argv, .uid = getuid(), .gid = getgid(), .notifies = true
    };
}

/* Runs the services in a process of their own, as in a container; its pid. */
static pid_t begin(struct service *services, size_t n)
{
    struct init init = { .services = services, .n = n };
    pid_t pid = fork();

    if (pid == 0) {
        alarm(PATIENCE);
        _exit(init_run(&init));
    }
    return pid;
}

static int end_of(pid_t pid)
{
    int status = 0;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int run_script(const char *text, bool kept)
{
    const char *argv[4];
    struct service service = script(argv, text);

    service.kept = kept;
    return end_of(begin(&service, 1));
}

TEST(init_ends_with_the_status_of_its_service)
{
    CHECK_INT(run_script("exit 7", false), 7);
    CHECK_INT(run_script("kill -KILL $$", false), 128 + SIGKILL);
}

TEST(init_says_when_there_is_no_program)
{
    const char *argv[] = { "/nonexistent/slurmd", NULL };
    struct service service = { .name = "slurmd", .argv = argv, .uid = getuid(), .gid = getgid() };

    CHECK_INT(end_of(begin(&service, 1)), 127);
}

/* Says who takes over, as slurmctld --systemd does, and ends; the successor's end counts. */
TEST(init_follows_a_service_that_hands_over)
{
    CHECK_INT(run_script("python3 - <<'X'\n"
                         "import os, socket, time\n"
                         "if os.fork() == 0:\n"
                         "    time.sleep(0.3)\n"
                         "    os._exit(9)\n"
                         "pid = os.fork()\n"
                         "if pid == 0:\n"
                         "    time.sleep(0.6)\n"
                         "    os._exit(5)\n"
                         "s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
                         "s.sendto(b'READY=1\\nMAINPID=%d' % pid, os.environ['NOTIFY_SOCKET'])\n"
                         "X\n"
                         "exit 3",
                         false),
              5);
}

TEST(init_believes_no_successor_that_does_not_live)
{
    CHECK_INT(run_script("python3 -c \"import os, socket\n"
                         "s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
                         "s.sendto(b'MAINPID=2147483000', os.environ['NOTIFY_SOCKET'])\"\n"
                         "exit 3",
                         false),
              3);
}

TEST(init_starts_a_kept_service_again_and_gives_up_in_the_end)
{
    char path[] = "/tmp/init-test-XXXXXX";
    scoped(arena) struct arena *a = arena_new();
    scoped(fd) int fd = mkstemp(path);
    scoped(free) char *text = NULL;
    struct error err = { 0 };
    size_t len;

    CHECK(fd >= 0);
    CHECK_INT(run_script(fmt(a, "echo life >> %s; exit 4", path), true), 4);
    CHECK_OK(file_read(path, 4096, &text, &len, &err), err);
    unlink(path);
    CHECK_INT(len, 5 * strlen("life\n"));
}

TEST(init_hands_on_signals_and_ends_with_its_service)
{
    char path[] = "/tmp/init-test-XXXXXX";
    scoped(arena) struct arena *a = arena_new();
    scoped(fd) int fd = mkstemp(path);
    const char *main_argv[4], *side_argv[4];
    struct service services[] = {
        script(main_argv, fmt(a,
                              "trap 'echo hup >> %s' HUP; trap 'exit 6' TERM; echo up >> %s; "
                              "while :; do sleep 0.05; done",
                              path, path)),
        script(side_argv, "exec sleep 100"),
    };
    char seen[16] = { 0 };
    pid_t pid;

    CHECK(fd >= 0);
    services[0].kept = services[1].kept = true;
    pid = begin(services, 2);
    for (int i = 0; i < PATIENCE * 100 && pread(fd, seen, sizeof seen - 1, 0) < 3; i++)
        usleep(10000);
    kill(pid, SIGHUP);
    for (int i = 0; i < PATIENCE * 100 && pread(fd, seen, sizeof seen - 1, 0) < 7; i++)
        usleep(10000);
    CHECK_STR(seen, "up\nhup\n");
    kill(pid, SIGTERM);
    CHECK_INT(end_of(pid), 6);
    unlink(path);
}
