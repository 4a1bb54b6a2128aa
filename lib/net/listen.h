/* listen.h - listening sockets and who comes in by them. */
#pragma once
#include <stddef.h>

#include "base/error.h"

/* Listens on ":8081" (all addresses, IPv4 and IPv6), "127.0.0.1:0" (any free port) or "[::1]:80";
 * the socket does not block. Negative errno on failure. */
int listen_open(const char *text, struct error *err);
int listen_port(int fd);
/* Takes one connection, which does not block either, and writes who it is; negative errno: none. */
int listen_accept(int fd, char *peer, size_t size);
