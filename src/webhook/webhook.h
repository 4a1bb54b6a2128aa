/* webhook.h - what API servers ask before they store an object, answered over HTTPS.
 *
 * A table of hooks says which path judges which kind of objects; what the rules are is the
 * business of whoever makes the table. Requests that are not reviews are refused with a 4xx status,
 * everything else is answered with 200 and a review. Nothing is kept between requests, so any
 * number of replicas may serve.
 *
 * webhook_stop() leaves politely: every answer is the last of its connection while others learn
 * that we are going, then requests under way are finished.
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "webhook/review.h"
#include "json/json.h"

struct client;
struct loop;
struct webhook;
struct tls_pair;

struct hook {
    const char *name; /* in metrics and logs */
    const char *path;
    const struct type *type; /* of the objects it judges */
    bool waits;              /* it asks others, so it runs on a worker thread */
    /* Operations CREATE and UPDATE, with objects that could be read (old_object may be NULL). The
     * verdict comes allowed. Texts live in the arena. */
    void (*judge)(struct arena *a, const struct review *review, struct verdict *ret, void *context);
    /* Of a hook that waits: whether this review needs none of it; then the verdict is said, on the
     * loop thread. NULL: all of them wait. */
    bool (*quick)(struct arena *a, const struct review *review, struct verdict *ret, void *context);
};

/* Turns an object of any kind that we know into another version ("slinky.slurm.net/v1beta1"). */
typedef int converter(struct arena *a, const struct json *object, const char *to, struct json **ret,
                      struct error *err);

struct webhook_options {
    const char *address;
    const char *cert_dir;        /* tls.crt and tls.key, taken up again when they change */
    const struct tls_pair *pair; /* instead of the directory */
    const struct hook *hooks;    /* ended by a NULL path; borrowed */
    converter *convert;          /* served at /convert; NULL: not at all */
    void *context;               /* for the hooks */
    usec linger;                 /* how long to go on serving after being asked to leave */
};

struct webhook *webhook_start(struct loop *loop, const struct webhook_options *options,
                              struct error *err);
/* Waits for linger and for requests under way, 10 s at most for these; not on the loop thread. */
void webhook_stop(struct webhook *webhook);

int webhook_port(const struct webhook *webhook);
/* Serves this certificate to new connections; any thread. */
int webhook_set_pair(struct webhook *webhook, const struct tls_pair *pair, struct error *err);
