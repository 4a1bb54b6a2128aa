/* shell.c - arguments that were written for a shell. */
#include "init/shell.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"

enum { OUTPUT_MAX = 1 << 20, PATIENCE = 20 };

/* Reads until the end of the pipe, the limit or the deadline. */
static int collect(int fd, struct buf *out, struct error *err)
{
    usec end = clock_now() + PATIENCE * USEC_SEC;
    char chunk[4096];

    for (;;) {
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        usec left = end - clock_now();
        ssize_t got;

        if (left <= 0 || poll(&ready, 1, (int)(left / USEC_MSEC) + 1) == 0)
            return fail(err, -ETIMEDOUT, "no end after %d s", PATIENCE);
        got = read(fd, chunk, sizeof chunk);
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return fail(err, -errno, "read: %s", strerror(errno));
        if (got > 0 && buf_add(out, chunk, (size_t)got) < 0)
            return fail(err, -EMSGSIZE, "more than %d bytes", OUTPUT_MAX);
    }
}

static int ended_well(pid_t pid, struct error *err)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return fail(err, -errno, "wait: %s", strerror(errno));
    if (WIFSIGNALED(status))
        return fail(err, -EINVAL, "ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status))
        return fail(err, -EINVAL, "ended with status %d", WEXITSTATUS(status));
    return 0;
}

int shell_output(struct arena *a, const char *const *argv, char **ret, size_t *ret_len,
                 struct error *err)
{
    scoped(buf) struct buf out = { .limit = OUTPUT_MAX };
    int ends[2];
    pid_t pid;
    int rc;

    if (pipe(ends) < 0)
        return fail(err, -errno, "pipe: %s", strerror(errno));
    pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(ends[1]);
    rc = pid < 0 ? fail(err, -errno, "fork: %s", strerror(errno)) : collect(ends[0], &out, err);
    close(ends[0]);
    if (pid > 0 && rc < 0)
        kill(pid, SIGKILL);
    if (pid > 0) /* the first story counts */
        rc = ended_well(pid, rc < 0 ? NULL : err) ?: rc;
    if (rc < 0)
        return wrap(err, "run %s", argv[0]);
    *ret_len = out.len;
    *ret = arena_copy(a, buf_text(&out), out.len + 1);
    return 0;
}

int shell_words(struct arena *a, const char *text, const char ***ret, struct error *err)
{
    const char *argv[] = {
        "/bin/sh", "-c", "eval \"set -- $1\"; [ $# = 0 ] || printf '%s\\0' \"$@\"", "sh", text, NULL
    };
    size_t len, n = 0;
    const char **words;
    char *bytes;

    if (shell_output(a, argv, &bytes, &len, err) < 0)
        return wrap(err, "arguments [%s]", text);
    for (size_t i = 0; i < len; i++)
        n += bytes[i] == '\0';
    words = arena_make_n(a, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        words[i] = bytes;
        bytes += strlen(bytes) + 1;
    }
    *ret = words;
    return 0;
}
