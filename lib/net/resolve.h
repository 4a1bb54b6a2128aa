/* resolve.h - the addresses of a host, without keeping the loop waiting.
 *
 * The system's resolver blocks, so names are looked up on a thread of their own; IP addresses are
 * answered at once. Loop thread only.
 */
#pragma once
#include <sys/socket.h>

#include "base/error.h"

enum { ADDRESSES_MAX = 8 };

struct addresses {
    unsigned count;
    struct {
        socklen_t len;
        struct sockaddr_storage at;
    } list[ADDRESSES_MAX];
};

struct loop;
struct resolve;

/* Calls on_done once, never before it returned; found is NULL when there is no address. */
struct resolve *resolve_new(struct loop *loop, const char *host, int port,
                            void (*on_done)(void *userdata, const struct addresses *found,
                                            const struct error *err),
                            void *userdata);
void resolve_free(struct resolve *resolve); /* also before it is done; on_done is not called then */
