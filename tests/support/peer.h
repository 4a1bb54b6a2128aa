/* peer.h - a program that a test talks to: started, waited for, and gone when the test is.
 *
 * The program prints its port on the first line and serves until its standard input ends, so that
 * it never outlives the test, however that ends.
 */
#pragma once
#include <sys/types.h>

struct peer {
    pid_t pid;
    int stop_fd; /* its standard input */
    int port;
};

/* argv ends with NULL; a first word with a "/" and no leading one is a file in tests/. */
struct peer peer_start(const char *const *argv);
#define PEER(...) peer_start((const char *const[]) { __VA_ARGS__, NULL })
/* Waits until something listens on the peer's port, for programs that do not tell. */
void peer_wait(const struct peer *peer);
void peer_signal(const struct peer *peer, int signal);
void peer_stop(struct peer *peer);
/* A port that was free a moment ago. */
int peer_free_port(void);
