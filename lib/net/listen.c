/* listen.c - turns ":8081" into a socket that listens. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "net/listen.h"

enum { BACKLOG = 1024 };

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* "host:port" cut in two; the host without brackets, "" for all. */
static int split(struct arena *a, const char *text, const char **ret_host, int *ret_port,
                 struct error *err)
{
    const char *colon = text ? strrchr(text, ':') : NULL;
    char *host = colon ? arena_strn(a, text, (size_t)(colon - text)) : NULL;
    size_t len = host ? strlen(host) : 0;
    int64_t port;

    if (!colon || !str_int(colon + 1, &port) || port < 0 || port > 65535)
        return fail(err, -EINVAL, "address '%s' is not HOST:PORT or :PORT", text ?: "");
    if (len >= 2 && host[0] == '[' && host[len - 1] == ']') {
        host[len - 1] = '\0';
        host++;
    } else if (strchr(host, ':')) {
        return fail(err, -EINVAL, "address '%s': put the IPv6 address in brackets", text);
    }
    *ret_host = host;
    *ret_port = (int)port;
    return 0;
}

static socklen_t resolve(const char *host, int port, union address *ret)
{
    *ret = (union address) { 0 };
    if (inet_pton(AF_INET, host, &ret->v4.sin_addr) == 1) {
        ret->v4.sin_family = AF_INET;
        ret->v4.sin_port = htons((uint16_t)port);
        return sizeof ret->v4;
    }
    *ret = (union address) { 0 };
    if (!*host || inet_pton(AF_INET6, host, &ret->v6.sin6_addr) == 1) {
        ret->v6.sin6_family = AF_INET6; /* no host: the address of zeroes */
        ret->v6.sin6_port = htons((uint16_t)port);
        return sizeof ret->v6;
    }
    return 0;
}

/* The socket, or a negative errno. */
static int open_at(const union address *address, socklen_t len, bool both)
{
    int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int off = 0, on = 1;
    int rc;

    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (both)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(fd, &address->any, len) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    rc = -errno;
    close(fd);
    return rc;
}

int listen_open(const char *text, struct error *err)
{
    scoped(arena) struct arena *a = arena_new();
    union address address;
    const char *host = "";
    socklen_t len;
    int port = 0, fd;

    if (split(a, text, &host, &port, err) < 0)
        return err ? err->code : -EINVAL;
    len = resolve(str_eq(host, "localhost") ? "127.0.0.1" : host, port, &address);
    if (!len)
        return fail(err, -EINVAL, "address '%s': '%s' is not an IP address", text, host);
    fd = open_at(&address, len, !*host);
    if (fd == -EAFNOSUPPORT && !*host) { /* a machine without IPv6 */
        len = resolve("0.0.0.0", port, &address);
        fd = open_at(&address, len, false);
    }
    if (fd < 0)
        return fail(err, fd, "listen on %s: %s", text, strerror(-fd));
    return fd;
}

int listen_port(int fd)
{
    union address address = { 0 };
    socklen_t len = sizeof address;

    if (getsockname(fd, &address.any, &len) < 0)
        return 0;
    return ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
}

int listen_accept(int fd, char *peer, size_t size)
{
    union address address = { 0 };
    socklen_t len = sizeof address;
    int conn = accept4(fd, &address.any, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
    char host[INET6_ADDRSTRLEN] = "";
    bool is_v4 = address.any.sa_family == AF_INET;

    if (conn < 0)
        return -errno;
    if (is_v4)
        inet_ntop(AF_INET, &address.v4.sin_addr, host, sizeof host);
    else if (IN6_IS_ADDR_V4MAPPED(&address.v6.sin6_addr))
        inet_ntop(AF_INET, &address.v6.sin6_addr.s6_addr[12], host, sizeof host);
    else
        inet_ntop(AF_INET6, &address.v6.sin6_addr, host, sizeof host);
    snprintf(peer, size, strchr(host, ':') ? "[%s]:%d" : "%s:%d", host,
             ntohs(is_v4 ? address.v4.sin_port : address.v6.sin6_port));
    return conn;
}
