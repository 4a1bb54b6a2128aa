/* file.c - reading with a ceiling, writing by rename. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"

int read_all(int fd, size_t limit, char **ret, size_t *ret_len, struct error *err)
{
    scoped(buf) struct buf text = { .limit = limit };
    char chunk[16384];
    ssize_t got;

    while ((got = read(fd, chunk, sizeof chunk)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(err, -errno, "read: %s", strerror(errno));
        if (buf_add(&text, chunk, (size_t)got) < 0)
            return fail(err, -EMSGSIZE, "longer than the limit of %zu bytes", limit);
    }
    if (ret_len)
        *ret_len = text.len;
    *ret = buf_take(&text);
    return 0;
}

int file_read(const char *path, size_t limit, char **ret, size_t *ret_len, struct error *err)
{
    scoped(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return fail(err, -errno, "open %s: %s", path, strerror(errno));
    if (read_all(fd, limit, ret, ret_len, err) < 0)
        return wrap(err, "read %s", path);
    return 0;
}

int write_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n) {
        ssize_t put = write(fd, at, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return -errno;
        at += put;
        n -= (size_t)put;
    }
    return 0;
}

static int write_new(const char *path, const void *bytes, size_t n, int mode, struct error *err)
{
    scoped(fd) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    int rc;

    if (fd < 0)
        return fail(err, -errno, "create %s: %s", path, strerror(errno));
    if ((rc = write_all(fd, bytes, n)) < 0)
        return fail(err, rc, "write %s: %s", path, strerror(-rc));
    if (fchmod(fd, (mode_t)mode) < 0 || fsync(fd) < 0)
        return fail(err, -errno, "write %s: %s", path, strerror(errno));
    return 0;
}

int file_write(const char *path, const void *bytes, size_t n, int mode, struct error *err)
{
    scoped(free) char *temporary = NULL;
    int rc;

    if (asprintf(&temporary, "%s.%d.tmp", path, (int)getpid()) < 0)
        abort();
    rc = write_new(temporary, bytes, n, mode, err);
    if (!rc && rename(temporary, path) < 0)
        rc = fail(err, -errno, "rename %s to %s: %s", temporary, path, strerror(errno));
    if (rc < 0)
        unlink(temporary);
    return rc;
}
