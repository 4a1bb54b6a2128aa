/* logs.h - what a container printed, passed on as it arrives. */
#pragma once
#include "ops/session.h"

struct logs_options {
    const char *namespace, *pod, *container;
    bool follow;
    bool previous; /* of the container before the last restart */
    int64_t tail;  /* lines from the end; negative: all */
    usec since;    /* only what is younger; 0: all */
    int fd;        /* where to write it */
};

/* Until the end of the log, or of the container with .follow. Memory does not grow with the log:
 * what is not taken from fd is not read from the server. -EPIPE when nobody reads any more. */
int logs_copy(struct session *s, const struct logs_options *options, struct error *err);
