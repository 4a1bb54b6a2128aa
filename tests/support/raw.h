/* raw.h - bytes to and from a port of this machine, for tests that break the rules of HTTP. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

int raw_dial(int port);
void raw_say(int fd, const char *text);
void raw_send(int fd, const void *bytes, size_t len);
/* One whole answer, or what there is of it when the peer closes or takes too long. */
char *raw_answer(int fd);
/* What arrives until nothing did for msec, or the stream ended; *ret_closed (or NULL) tells which.
 * The text of both is overwritten by the next call. */
char *raw_hear(int fd, int msec, bool *ret_closed);
/* Says it on a connection of its own; the status of the answer, 0 for none. */
int raw_status(int port, const char *bytes, size_t len, bool *ret_closed);
void raw_check_status(int port, const char *text, int status);
/* The bytes after the head of an answer. */
const char *raw_body(const char *answer);
