/* client_internal.h - what client.c and call.c share. */
#pragma once
#include "kube/client.h"

struct client {
    struct arena *arena;
    struct loop *loop;
    struct http *http;
    struct kube_config config;
    struct kube_credentials *credentials;
    const char *manager; /* of fields */
    usec timeout;
    _Atomic usec refreshed;
    bool (*may_write)(void *userdata);
    void *fence_data;
};
