/* init.c - start, reap, hand on signals, follow those who hand over. */
#include "init/init.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "init/notify.h"

enum {
    SHORT_LIFE = 10,     /* seconds */
    SHORT_LIVES_MAX = 5, /* of the first service, in a row */
    NOT_STARTED = 127,   /* as shells have it */
};

/* One run: the fixed part, and what happens meanwhile. */
struct run {
    struct init *init;
    struct notify notify;
    int signals;
    sigset_t old_mask;
    bool stopping;
    bool ended;
    int status;
};

static struct service *first(struct run *run)
{
    return &run->init->services[0];
}

/* ------------------------------------------------------------------ start */

static void become(const struct service *service)
{
    if (service->gid != getgid() && (setgroups(0, NULL) < 0 || setgid(service->gid) < 0))
        _exit(NOT_STARTED);
    if (service->uid != getuid() && setuid(service->uid) < 0)
        _exit(NOT_STARTED);
}

static _Noreturn void exec_service(const struct run *run, const struct service *service)
{
    if (service->notifies)
        setenv("NOTIFY_SOCKET", run->notify.path, 1);
    else
        unsetenv("NOTIFY_SOCKET");
    sigprocmask(SIG_SETMASK, &run->old_mask, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    become(service);
    execvp(service->argv[0], (char *const *)service->argv);
    log_error(NULL, "cannot run", KV("program", service->argv[0]), KV("error", strerror(errno)));
    _exit(NOT_STARTED);
}

static void start(struct run *run, struct service *service)
{
    pid_t pid = fork();

    if (pid == 0)
        exec_service(run, service);
    service->due = 0;
    service->started = clock_now();
    if (pid < 0) {
        log_error(NULL, "cannot fork", KV("service", service->name), KV("error", strerror(errno)));
        service->due = clock_now() + USEC_SEC;
        return;
    }
    service->pid = pid;
}

static void start_due(struct run *run)
{
    for (size_t i = 0; i < run->init->n; i++) {
        struct service *service = &run->init->services[i];

        if (!run->stopping && service->due && service->due <= clock_now())
            start(run, service);
    }
}

/* ------------------------------------------------------------------ end */

static int exit_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void finish(struct run *run, int status)
{
    run->ended = true;
    run->status = status;
}

static void service_ended(struct run *run, struct service *service, int status)
{
    bool is_first = service == first(run);

    service->pid = 0;
    if (run->stopping || !service->kept) {
        if (is_first)
            finish(run, status);
        return;
    }
    if (clock_now() - service->started >= SHORT_LIFE * USEC_SEC)
        service->short_lives = 0;
    if (is_first && ++service->short_lives >= SHORT_LIVES_MAX) {
        log_error(NULL, "ends again and again", KV("service", service->name),
                  KV_INT("status", status));
        finish(run, status);
        return;
    }
    service->short_lives += !is_first;
    service->due = clock_now() + backoff(service->short_lives, USEC_SEC / 4, 30 * USEC_SEC);
    log_error(NULL, "ended, starting it again", KV("service", service->name),
              KV_INT("status", status));
}

/* Follows announcements; they are sent before the one who handed over ends. */
static void follow(struct run *run)
{
    pid_t successor = notify_successor(&run->notify);

    if (successor <= 0 || successor == first(run)->pid || kill(successor, 0) < 0)
        return;
    log_info(NULL, "handed over", KV("service", first(run)->name), KV_INT("pid", successor));
    first(run)->pid = successor;
}

static void reap(struct run *run)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        follow(run);
        for (size_t i = 0; i < run->init->n; i++)
            if (run->init->services[i].pid == pid)
                service_ended(run, &run->init->services[i], exit_status(status));
    }
}

/* ------------------------------------------------------------------ signals */

static void send_to(const struct run *run, const struct service *service, int number)
{
    if (service->pid > 0)
        kill(run->init->to_group ? -service->pid : service->pid, number);
}

static bool is_farewell(int number)
{
    return number == SIGTERM || number == SIGINT || number == SIGQUIT;
}

static void handle_signal(struct run *run, int number)
{
    if (number == SIGCHLD)
        return;
    if (!is_farewell(number)) {
        send_to(run, first(run), number);
        return;
    }
    run->stopping = true;
    for (size_t i = 0; i < run->init->n; i++)
        send_to(run, &run->init->services[i], number);
    if (!first(run)->pid)
        finish(run, 128 + number);
}

static void read_signals(struct run *run)
{
    struct signalfd_siginfo info;

    while (read(run->signals, &info, sizeof info) == sizeof info)
        handle_signal(run, (int)info.ssi_signo);
}

static int watch_signals(struct run *run)
{
    sigset_t all;

    sigfillset(&all);
    /* what the terminal sends to stop us, and what our own faults raise, stay as they are */
    for (const int *n = (const int[]) { SIGTTIN, SIGTTOU, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
                                        SIGTRAP, 0 };
         *n; n++)
        sigdelset(&all, *n);
    sigprocmask(SIG_SETMASK, &all, &run->old_mask);
    run->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    return run->signals < 0 ? -errno : 0;
}

/* ------------------------------------------------------------------ the loop */

/* Milliseconds until the next service is due; -1: none is. */
static int wait_ms(const struct run *run)
{
    usec next = USEC_NEVER;
    usec left;

    for (size_t i = 0; i < run->init->n; i++)
        if (run->init->services[i].due && run->init->services[i].due < next)
            next = run->init->services[i].due;
    if (next == USEC_NEVER || run->stopping)
        return -1;
    left = next - clock_now();
    return left > 0 ? (int)(left / USEC_MSEC) + 1 : 0;
}

static void loop(struct run *run)
{
    struct pollfd fds[] = {
        { .fd = run->signals, .events = POLLIN },
        { .fd = run->notify.fd, .events = POLLIN },
    };

    while (!run->ended) {
        start_due(run);
        poll(fds, ARRAY_SIZE(fds), wait_ms(run));
        read_signals(run);
        follow(run);
        reap(run);
    }
}

/* Others that are still there when the first has ended: asked to go too. As process 1 this is all
 * there is to do, since the kernel ends what is left. */
static void dismiss(struct run *run)
{
    for (size_t i = 1; i < run->init->n; i++)
        send_to(run, &run->init->services[i], SIGTERM);
}

int init_run(struct init *init)
{
    struct run run = { .init = init };
    struct error err = { 0 };

    prctl(PR_SET_CHILD_SUBREAPER, 1); /* where a pod shares its processes, we are not process 1 */
    if (watch_signals(&run) < 0 || notify_open(&run.notify, init->services[0].uid, &err) < 0) {
        log_error(NULL, "cannot begin", KV("error", error_text(&err)));
        return NOT_STARTED;
    }
    for (size_t i = 0; i < init->n; i++)
        start(&run, &init->services[i]);
    loop(&run);
    dismiss(&run);
    notify_close(&run.notify);
    close(run.signals);
    sigprocmask(SIG_SETMASK, &run.old_mask, NULL);
    return run.status;
}
