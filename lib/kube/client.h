/* client.h - calls to an API server.
 *
 * Every call has a deadline, obeys 429 and Retry-After, repeats only what is safe to repeat, and
 * ends as 0 or one errno with the server's own reason and message:
 *
 *     -ENOENT     not found                       -EEXIST   already exists
 *     -ESTALE     conflict: the object moved on   -EINVAL   invalid (the message names the field)
 *     -EACCES     not authenticated or allowed    -EAGAIN   busy, overloaded, not ready
 *     -EKEYEXPIRED  the resourceVersion is too old (410)
 *     -EBADMSG    the object is there but does not fit its table
 *     -EMSGSIZE   larger than its limit           -ETIMEDOUT, -ECONNREFUSED, ...: no answer
 *     -EPERM      not sent: the fence is down (we may no longer be the leader)
 *     -ECANCELED  we are shutting down
 *
 * All calls and watches share one HTTP/2 connection on the loop thread. The blocking calls below are
 * for worker threads. Objects are passed and returned as the structs that their kind describes; results live in
 * the caller's arena.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "json/kind.h"
#include "kube/config.h"

struct client;
struct http;
struct loop;

enum { OBJECT_MAX = 4 * 1024 * 1024 }; /* bytes of one object; etcd's own limit is 1.5 MiB */

struct client_options {
    const char *field_manager; /* owner of the fields we apply */
    const char *user_agent;
    usec timeout;        /* of one call, when it names no deadline; 0: 30 s */
    unsigned max_in_flight; /* calls at once, watches not counted; 0: 32 */
};

int client_new(struct loop *loop, const struct kube_config *config,
               const struct client_options *options, struct client **ret, struct error *err);
/* Ends every call with -ECANCELED. */
void client_free(struct client *client);

/* We are about to end: calls under way may finish, but none that fails is repeated. */
void client_hurry(struct client *client);

/* Asked on the loop thread before each write is sent; false answers the call with -EPERM. */
void client_set_fence(struct client *client, bool (*may_write)(void *userdata), void *userdata);

enum call_verb { VERB_GET, VERB_CREATE, VERB_APPLY, VERB_MERGE_PATCH, VERB_JSON_PATCH,
                 VERB_STRATEGIC_PATCH, /* built-in kinds only: lists are merged by their keys */
                 VERB_UPDATE, VERB_DELETE };

struct call {
    enum call_verb verb;
    const struct kind *kind;
    const char *namespace; /* NULL for cluster-scoped kinds */
    const char *name;
    const char *subresource; /* "status", "scale", "eviction", "binding", ... */
    const void *object;      /* CREATE, APPLY, UPDATE: a struct of the kind */
    const char *body;        /* patches: the JSON text; or instead of object (Scale, Eviction) */
    bool force;              /* APPLY: take fields from other managers */
    bool dry_run;
    /* DELETE */
    const char *uid, *resource_version; /* preconditions */
    const char *propagation; /* "Background", "Foreground", "Orphan"; NULL: the server's default */
    struct maybe_int grace_seconds; /* absent: the server's default */
    usec deadline;                  /* monotonic; 0: now + the client's timeout */
};

struct outcome {
    int code;     /* 0 or the errno, with its story in err */
    int status;   /* HTTP, 0 when there was none */
    void *object; /* what the server sent back, a struct of kind->type; NULL when it sent none */
    struct error err;
};

int client_call(struct client *client, struct arena *a, const struct call *call,
                struct outcome *ret, struct error *err);
/* Starts all of them at once and waits for all; returns how many failed. outcomes has n elements. */
size_t client_batch(struct client *client, struct arena *a, const struct call *calls, size_t n,
                    struct outcome *outcomes);

/* The everyday forms. */
int client_get(struct client *client, struct arena *a, const struct kind *kind,
               const char *namespace, const char *name, void **ret, struct error *err);
int client_create(struct client *client, struct arena *a, const struct kind *kind,
                  const void *object, void **ret, struct error *err);
int client_apply(struct client *client, struct arena *a, const struct kind *kind,
                 const void *object, void **ret, struct error *err);
int client_delete(struct client *client, struct arena *a, const struct kind *kind,
                  const char *namespace, const char *name, const char *uid, struct error *err);
/* Calls on_item for each object, in pages; the object lives until on_item returns. */
int client_list(struct client *client, const struct kind *kind, const char *namespace,
                const char *label_selector,
                int (*on_item)(void *userdata, const void *object, struct error *err),
                void *userdata, struct error *err);
/* Anything else: a path below the server, the body as it comes. */
int client_raw(struct client *client, const char *method, const char *path, const char *body,
               struct buf *ret, struct error *err);

/* For watches: the loop, the connection, and the path of a kind's collection or object. */
struct loop *client_loop(struct client *client);
usec client_timeout(const struct client *client); /* of a call that names no deadline */
struct http *client_http(struct client *client);
/* The server refused our credential or we refused its certificate: read both again before the next
 * attempt. Any thread; does not wait. */
void client_refresh(struct client *client);
char *client_path(struct arena *a, const struct kind *kind, const char *namespace,
                  const char *name, const char *subresource);
/* An HTTP answer as an errno with the server's words; body is a metav1 Status or anything. */
int client_status_error(int status, const char *body, size_t len, struct error *err);
