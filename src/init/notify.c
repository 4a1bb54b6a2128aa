/* notify.c - systemd's notification socket, as far as Slurm's daemons use it. */
#include "init/notify.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"

enum { MESSAGE_MAX = 4096, PID_DIGITS = 10 };

static const char *const places[] = { "/run", "/tmp", NULL };

static int bind_at(struct notify *n, const char *directory, uid_t owner)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    snprintf(n->path, sizeof n->path, "%s/windlass-init.%d", directory, (int)getpid());
    snprintf(address.sun_path, sizeof address.sun_path, "%s", n->path);
    unlink(n->path);
    if (bind(n->fd, (struct sockaddr *)&address, sizeof address) < 0)
        return -errno;
    if (chmod(n->path, 0600) < 0 || (owner != getuid() && chown(n->path, owner, (gid_t)-1) < 0)) {
        int code = -errno;

        unlink(n->path);
        return code;
    }
    return 0;
}

int notify_open(struct notify *n, uid_t owner, struct error *err)
{
    int code = -ENOENT;

    n->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (n->fd < 0)
        return fail(err, -errno, "notification socket: %s", strerror(errno));
    for (const char *const *place = places; *place; place++)
        if ((code = bind_at(n, *place, owner)) == 0)
            return 0;
    close(n->fd);
    n->fd = -1;
    n->path[0] = '\0';
    return fail(err, code,
                "no notification socket in /run or /tmp: %s; mount a writable "
                "directory at one of them",
                strerror(-code));
}

void notify_close(struct notify *n)
{
    if (n->fd >= 0)
        close(n->fd);
    if (n->path[0])
        unlink(n->path);
    *n = (struct notify) { .fd = -1 };
}

pid_t notify_main_pid(const char *message)
{
    pid_t found = 0;

    for (const char *line = message; *line; line += *line == '\n') {
        size_t len = strcspn(line, "\n");
        char digits[PID_DIGITS + 1] = { 0 };
        int64_t number;

        if (str_starts(line, "MAINPID=") && len - 8 <= PID_DIGITS) {
            memcpy(digits, line + 8, len - 8);
            if (str_int(digits, &number) && number > 0 && number <= INT32_MAX)
                found = (pid_t)number;
        }
        line += len;
    }
    return found;
}

pid_t notify_successor(struct notify *n)
{
    char message[MESSAGE_MAX + 1];
    pid_t last = 0;
    ssize_t got;

    while ((got = recv(n->fd, message, MESSAGE_MAX, 0)) >= 0) {
        pid_t named;

        message[got] = '\0';
        named = notify_main_pid(message);
        if (named)
            last = named;
    }
    return last;
}
