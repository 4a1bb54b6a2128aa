/* client_internal.h - what client.c, call.c and watch.c share. */
#pragma once
#include <pthread.h>

#include "kube/client.h"

struct http_response;

struct client {
    struct arena *arena;
    struct loop *loop;
    struct http *http;
    struct kube_config config;
    struct kube_credentials *credentials;
    const char *manager; /* of fields */
    const char *host;    /* "10.0.0.1:6443", for metrics */
    bool closing;         /* the loop thread's own */
    unsigned certificate; /* number of the plugin's that is in use; the loop thread's own */
    usec timeout;
    _Atomic usec refreshed;
    bool (*may_write)(void *userdata); /* the loop thread's own, as is fence_data */
    void *fence_data;
    pthread_mutex_t lock; /* hurry */
    pthread_cond_t hurried;
    bool hurry; /* nothing is repeated any more */
};

/* Counts a request that ended; status 0: without an answer. */
void client_count(struct client *client, const char *method, int status);
/* How long the server asks us to stay away, 0 when it does not. */
usec client_retry_after(const struct http_response *response);
/* Waits before a repetition; false when there is no time for one any more. */
bool client_pause(struct client *client, usec span);
