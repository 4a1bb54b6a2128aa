/* raw.c - plain sockets for tests. */
#include "support/raw.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/test.h"

enum { PATIENCE_MS = 10000 };

int raw_dial(int port)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (connect(fd, (struct sockaddr *)&at, sizeof at) < 0)
        test_fail(__FILE__, __LINE__, "connect: %s", strerror(errno));
    return fd;
}

void raw_send(int fd, const void *bytes, size_t len)
{
    CHECK_INT(send(fd, bytes, len, MSG_NOSIGNAL), (int64_t)len);
}

void raw_say(int fd, const char *text)
{
    raw_send(fd, text, strlen(text));
}

static char heard[64 * 1024];

char *raw_hear(int fd, int msec, bool *ret_closed)
{
    size_t len = 0;
    ssize_t n = -1;

    errno = 0;
    while (len < sizeof heard - 1 && poll(&(struct pollfd) { fd, POLLIN, 0 }, 1, msec) == 1 &&
           (n = recv(fd, heard + len, sizeof heard - 1 - len, 0)) > 0)
        len += (size_t)n;
    heard[len] = '\0';
    if (ret_closed)
        *ret_closed = n == 0 || (n < 0 && errno == ECONNRESET);
    return heard;
}

/* Whether the text is a head, and as much of a body as it announces. */
static bool is_whole(const char *text)
{
    const char *blank = strstr(text, "\r\n\r\n");
    const char *length = strstr(text, "Content-Length: ");

    if (!blank)
        return false;
    return !length || length > blank || strlen(blank + 4) >= strtoul(length + 16, NULL, 10);
}

char *raw_answer(int fd)
{
    size_t len = 0;
    ssize_t n;

    heard[0] = '\0';
    while (!is_whole(heard) && poll(&(struct pollfd) { fd, POLLIN, 0 }, 1, PATIENCE_MS) == 1 &&
           (n = recv(fd, heard + len, sizeof heard - 1 - len, 0)) > 0)
        heard[len += (size_t)n] = '\0';
    return heard;
}

int raw_status(int port, const char *bytes, size_t len, bool *ret_closed)
{
    int fd = raw_dial(port);
    const char *answer;
    int status;

    raw_send(fd, bytes, len);
    answer = raw_answer(fd);
    status = strncmp(answer, "HTTP/1.1 ", 9) ? 0 : atoi(answer + 9);
    if (ret_closed)
        raw_hear(fd, strstr(answer, "Connection: close") ? PATIENCE_MS : 100, ret_closed);
    close(fd);
    return status;
}

void raw_check_status(int port, const char *text, int status)
{
    int had = raw_status(port, text, strlen(text), NULL);

    if (had != status)
        test_fail(__FILE__, __LINE__, "status %d, not %d, for:\n%.200s", had, status, text);
}

const char *raw_body(const char *answer)
{
    const char *blank = strstr(answer, "\r\n\r\n");

    return blank ? blank + 4 : "";
}
