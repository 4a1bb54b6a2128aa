/* controller.h - a controller is a table and a function.
 *
 *     const struct controller restapi_controller = {
 *         .name = "restapi-controller",
 *         .reconciles = &slinky_restapi_kind,
 *         .owns = KINDS(&k8s_deployment_kind, &k8s_service_kind),
 *         .watches = WATCHES({ &slinky_controller_kind, .by = "spec.controllerRef.name" }),
 *         .reconcile = reconcile,
 *     };
 *
 * The table is all the wiring there is: from it come the watches, the indexes and the RBAC. The
 * runtime loads the object or quietly ends when it is gone, opens an arena and a view before
 * reconcile() and closes them after it, sets owners, skips writes that change nothing, takes every
 * answer of the server into the cache before the next step, and records the outcome as a condition,
 * an event, a metric and one log line. It retries with back-off, except for -EINVAL, which waits for
 * an edit.
 *
 * reconcile() is straight-line code on a worker thread; no key is ever with two workers.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "json/kind.h"
#include "kube/cache.h"
#include "kube/client.h"

/* On objects that we applied: what we asked for last, so that a field we no longer ask for is
 * noticed, although what is there still covers what we want. */
#define APPLIED_HASH "windlass.dev/applied"

struct manager;
struct k8s_meta;

struct reconcile {
    struct arena *arena; /* of this pass */
    const void *object;  /* what is reconciled; immutable */
    const char *namespace, *name;
    const struct log *log; /* carries controller and object */
    usec deadline;         /* of this pass, monotonic */
    void *context;         /* the product's own, from the manager's options */
    struct client *client;
    struct error err; /* the story, when a step fails */
    struct pass *pass; /* the runtime's own */
};

/* Which of our objects a change elsewhere concerns. */
struct mapping;
void mapping_add(struct mapping *m, const char *namespace, const char *name);
/* Everything of the controller's kind whose field at path (indexed by a row's .by) has that value. */
void mapping_add_by(struct mapping *m, const char *namespace, const char *path, const char *value);
/* Every object of the controller's kind (namespace NULL: in all of them). */
void mapping_add_all(struct mapping *m, const char *namespace);

struct watch_row {
    const struct kind *kind;
    /* The field of our own kind that holds the name of the changed object, in its namespace... */
    const char *by;
    /* ...or a function that finds out whom it concerns; old or now may be NULL. */
    void (*map)(struct mapping *m, void *context, const void *old, const void *now);
};

struct index_row {
    const struct kind *kind;
    const char *path;
};

struct controller {
    const char *name; /* as events, logs and metrics call it */
    const struct kind *reconciles;
    const struct kind *const *owns;  /* KINDS(...): a change wakes the owner */
    const struct watch_row *watches; /* WATCHES(...) */
    const struct kind *const *reads; /* cached for reconcile(), but a change wakes nobody */
    const struct kind *const *follows; /* read by name with reconcile_follow() */
    const struct kind *const *writes;  /* written without being owned; only for the permissions */
    const struct kind *const *tells;   /* likewise: kinds whose status it writes */
    const struct index_row *indexes; /* INDEXES(...): for reconcile_find() */
    int (*reconcile)(struct reconcile *r);
    /* Cleans up what is outside the cluster when the object is being deleted; the finalizer is put
     * on before the first reconcile and taken off after finalize() returned 0. */
    const char *finalizer;
    int (*finalize)(struct reconcile *r);
    /* The object is gone: r has its namespace and name, and no object. Repeated until it returns 0. */
    int (*gone)(struct reconcile *r);
    bool silent; /* writes neither status nor conditions: another controller of the kind does */
};

#define KINDS(...) (const struct kind *const[]){ __VA_ARGS__, NULL }
#define WATCHES(...) (const struct watch_row[]){ __VA_ARGS__, { 0 } }
#define INDEXES(...) (const struct index_row[]){ __VA_ARGS__, { 0 } }

/* ------------------------------------------------------------------ reading, from the caches */

const void *reconcile_get(struct reconcile *r, const struct kind *kind, const char *namespace,
                          const char *name);
#define GET(r, type, name_)                                                                        \
    ((const struct type *)reconcile_get(r, &type##_kind, (r)->namespace, name_))
struct objects reconcile_list(struct reconcile *r, const struct kind *kind, const char *namespace);
/* Those that we control. */
struct objects reconcile_owned(struct reconcile *r, const struct kind *kind);
struct objects reconcile_find(struct reconcile *r, const struct kind *kind, const char *index,
                              const char *value);
/* One object by name, wherever and whatever it is (a user's Secret): from now on this key is woken by
 * its changes, until a pass ends without following it. *ret is NULL when there is none; -EAGAIN when
 * the server has not answered yet, which is not the same. */
int reconcile_follow(struct reconcile *r, const struct kind *kind, const char *namespace,
                     const char *name, const void **ret);

/* ------------------------------------------------------------------ writing */

/* Makes the server's object say what this one says; the owner is set unless there is one. Nothing
 * is sent when it says so already. */
int reconcile_apply(struct reconcile *r, const struct kind *kind, const void *object);
#define APPLY(r, object_)                                                                          \
    ({                                                                                             \
        const typeof(*(object_)) *apply_object = (object_);                                        \
        reconcile_apply(r, KIND_OF(apply_object), apply_object);                                   \
    })
/* Deletes it if it is there and ours; 0 when it is gone already. */
int reconcile_delete(struct reconcile *r, const struct kind *kind, const char *name);
/* Any calls, all at once; each answer is in the cache when this returns. Returns how many failed. */
size_t reconcile_batch(struct reconcile *r, const struct call *calls, size_t n,
                       struct outcome *outcomes);
int reconcile_call(struct reconcile *r, const struct call *call, struct outcome *ret);
/* A copy of meta with us as controlling owner, for objects made with reconcile_batch(). */
void reconcile_own(struct reconcile *r, struct k8s_meta *meta);

/* ------------------------------------------------------------------ what to tell */

/* The whole status as it is to be; object is a struct of the reconciled kind, of which only .status
 * counts. Conditions set below are merged into it. Written once, after reconcile(), if it differs. */
void reconcile_status(struct reconcile *r, const void *object);
enum condition_status { CONDITION_FALSE, CONDITION_TRUE, CONDITION_UNKNOWN };
void reconcile_condition(struct reconcile *r, const char *type, enum condition_status status,
                         const char *reason, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* An event about the reconciled object; repeated ones become a series. */
void reconcile_event(struct reconcile *r, bool warning, const char *reason, const char *action,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ------------------------------------------------------------------ how a pass ends */

/* Nothing to do until something else changes, which will wake us: Ready is False with reason
 * Waiting and these words. Returns 0. */
int waiting(struct reconcile *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Comes back by itself after this long, at the latest; the shortest wish of a pass counts. */
void again_after(struct reconcile *r, usec delay);
/* Too early: the pass has looked at nothing, so what it follows, its conditions and its status stay
 * as they are, and it begins again after this long. Follow nothing before. Returns 0. */
int postpone(struct reconcile *r, usec delay);

/* Independent steps: each is tried, all errors are reported, the first code is returned. */
struct step {
    const char *name;
    int (*run)(struct reconcile *r);
};
int reconcile_steps(struct reconcile *r, const struct step *steps);
#define STEPS(r, ...) reconcile_steps(r, (const struct step[]){ __VA_ARGS__, { 0 } })
