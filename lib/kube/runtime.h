/* runtime.h - what the files of the controller runtime share; controllers do not include it. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "base/map.h"
#include "kube/cache.h"
#include "kube/controller.h"
#include "kube/manager.h"
#include "kube/queue.h"

struct leader;
struct loop;
struct recorder;
struct server;

/* One kind's caches: of all that the rules let through, and of what is followed by name. */
struct informer {
    struct informer *next;
    const struct kind *kind;
    struct cache *all;    /* NULL when no controller asks for it */
    struct cache *named;  /* NULL when no controller follows any */
    const char *indexes[16];
    size_t index_count;
    const struct cache_rule *rule;
};

/* One controller at work. */
struct runner {
    struct manager *manager;
    const struct controller *controller;
    struct lane *lane;
    struct informer *primary;
    pthread_mutex_t lock;  /* follows */
    struct map follows;    /* key -> struct follow_set */
    struct metric *done, *failed, *requeued, *again, *seconds, *errors, *active;
};

struct manager {
    struct manager_options options;
    struct arena *arena; /* of the wiring */
    struct loop *loop;
    struct client *client;
    struct queue *queue;
    struct recorder *recorder;
    struct leader *leader;
    struct server *health, *metrics;
    struct informer *informers;
    struct runner *runners;
    size_t runner_count;
    pthread_t *workers;
    size_t worker_count, ended; /* ended: under lock */
    void *context;
    pthread_mutex_t lock; /* applied, and the three below */
    pthread_cond_t changed;
    struct map applied; /* "kind/namespace/name" -> what we applied last, and what came of it */
    bool leading, stopping, lost;
    _Atomic bool ready;
};

/* The runtime's side of a struct reconcile. */
struct pass {
    struct runner *runner;
    struct view *view;
    const char *key;
    const struct k8s_meta *meta; /* of the object */
    usec again;                  /* the shortest wish, USEC_NEVER for none */
    bool is_waiting;
    bool postponed; /* it looked at nothing */
    const struct json *status;   /* what reconcile_status() asked for, NULL: leave it */
    struct json *conditions;     /* set in this pass */
    struct follow_set *follows;  /* of this pass */
};

/* informer.c */
struct informer *informer_of(struct manager *m, const struct kind *kind);
void informers_plan(struct manager *m); /* caches and indexes, from the controllers' tables */
void informers_start(struct manager *m);
bool informers_synced(struct manager *m);
void informers_stop(struct manager *m);
void informers_free(struct manager *m);

/* follow.c: which keys are woken by which objects that they read by name. */
void follow_wire(struct runner *runner, const struct kind *kind);
void follow_finish(struct pass *pass); /* ends what the pass did not ask for again */
void follow_drop(struct runner *runner, const char *key);
void follow_free(struct runner *runner);

/* wiring.c: from changes to keys. */
void runner_wire(struct runner *runner);

/* pass.c */
void runner_pass(struct runner *runner, const char *key);

/* outcome.c: condition, event, metric, log line, and when to come back. */
void outcome_record(struct reconcile *r, int rc);

/* adopt.c: called before the first apply of an object that is there already. */
int adopt(struct reconcile *r, const struct kind *kind, const struct k8s_meta *live);

/* process.c */
void process_measure(void *arg); /* shaped for metric_collect() */

/* apply.c */
void applied_forget(struct manager *m, const struct kind *kind, const struct k8s_meta *gone);
void applied_free(struct manager *m);
