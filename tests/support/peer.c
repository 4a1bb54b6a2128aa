/* peer.c - child processes with a pipe that ends them. */
#include "support/peer.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"

enum { WORDS_MAX = 16, PATIENCE_MS = 20000 };

static void run(const char *const *argv, int in, int out)
{
    char *words[WORDS_MAX + 1] = { 0 };
    char path[512];

    for (int i = 0; argv[i] && i < WORDS_MAX; i++)
        words[i] = (char *)argv[i];
    if (strchr(words[0], '/') && words[0][0] != '/') {
        snprintf(path, sizeof path, "%s/%s", test_dir(), words[0]);
        words[0] = path;
    }
    dup2(in, 0);
    dup2(out, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* for programs that do not look at their input */
    execvp(words[0], words);
    _exit(127);
}

static int read_port(int fd)
{
    char line[32] = "";
    size_t len = 0;

    while (len < sizeof line - 1 && read(fd, line + len, 1) == 1 && line[len] != '\n')
        len++;
    return atoi(line);
}

struct peer peer_start(const char *const *argv)
{
    bool tells = strchr(argv[0], '/');
    struct peer peer;
    int in[2], out[2];

    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
        test_fail(__FILE__, __LINE__, "pipe");
    peer.pid = fork();
    if (peer.pid == 0)
        run(argv, in[0], tells ? out[1] : 2);
    close(in[0]);
    close(out[1]);
    peer.stop_fd = in[1];
    peer.port = tells ? read_port(out[0]) : 0;
    close(out[0]);
    if (peer.pid < 0 || (tells && !peer.port))
        test_fail(__FILE__, __LINE__, "%s did not start", argv[0]);
    return peer;
}

static bool listens(int port)
{
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = connect(fd, (struct sockaddr *)&at, sizeof at) == 0;

    close(fd);
    return ok;
}

void peer_wait(const struct peer *peer)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += 10) {
        if (listens(peer->port))
            return;
        if (waitpid(peer->pid, NULL, WNOHANG) == peer->pid)
            break;
        usleep(10 * 1000);
    }
    test_fail(__FILE__, __LINE__, "nothing listens on port %d", peer->port);
}

void peer_signal(const struct peer *peer, int number)
{
    kill(peer->pid, number);
}

void peer_stop(struct peer *peer)
{
    if (peer->pid <= 0)
        return;
    close(peer->stop_fd);
    kill(peer->pid, SIGKILL);
    waitpid(peer->pid, NULL, 0);
    peer->pid = 0;
}

int peer_free_port(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (bind(fd, (struct sockaddr *)&at, len) < 0 ||
        getsockname(fd, (struct sockaddr *)&at, &len) < 0)
        test_fail(__FILE__, __LINE__, "no free port");
    close(fd);
    return ntohs(at.sin_port);
}
