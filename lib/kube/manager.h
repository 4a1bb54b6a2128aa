/* manager.h - runs controllers: connection, caches, leadership, workers, health, metrics.
 *
 * Start order: connect, begin to watch, serve health and metrics, wait until every cache is
 * complete, become the leader, start the workers. /readyz answers 200 once the caches are complete.
 * SIGTERM and SIGINT end it in the opposite order, within the grace period; losing the lease ends it
 * with exit code 1 and no further write.
 */
#pragma once
#include <stdbool.h>

#include "base/clock.h"
#include "base/error.h"
#include "json/kind.h"
#include "kube/controller.h"

struct manager;
struct buf;

/* Which objects of a kind are worth caching; kinds without a rule are cached whole. */
struct cache_rule {
    const struct kind *kind;
    const char *label_selector;
    bool metadata_only;
    bool optional; /* the kind may not be installed; its cache then counts as complete and empty */
};

struct manager_options {
    const char *name; /* of the program, as field manager and in the user agent */
    /* Field managers of operators in whose place we come: what they wrote with updates on objects
     * that we apply becomes ours, so that fields nobody asks for any more go. */
    struct strs replaces;
    const char *kubeconfig, *context_name;
    struct strs namespaces; /* none: all */
    const struct controller *const *controllers; /* NULL-terminated */
    const unsigned *workers;                     /* for each controller, at least 1 */
    const struct cache_rule *cache_rules;        /* ended by a NULL kind */
    const char *health_address;  /* "0" or NULL: off */
    const char *metrics_address;
    bool metrics_secure; /* TLS, and TokenReview + SubjectAccessReview for each scrape */
    bool leader_elect;
    const char *leader_namespace; /* NULL: the one we run in */
    const char *leader_name;
    usec call_timeout; /* of one call to the API server; 0: 30 s */
    usec grace; /* for passes under way at the end; 0: 25 s */
    /* The product's own part: called once connected, before anything is reconciled; what it puts in
     * *ret_context is r->context. on_stop is called after the last pass, when no
     * change wakes anybody any more. */
    int (*on_start)(struct manager *m, void *userdata, void **ret_context, struct error *err);
    void (*on_stop)(void *context);
    void *userdata;
};

/* Runs until a signal; returns the exit code. */
int manager_run(const struct manager_options *options);

/* For on_start and for those it starts. */
struct client *manager_client(struct manager *m);
struct loop *manager_loop(struct manager *m);
/* Wakes one object of a controller; any thread. */
void manager_wake(struct manager *m, const struct controller *controller, const char *namespace,
                  const char *name, bool urgent);

/* The RBAC rules that these controllers need, as a YAML list; cluster-wide or for one namespace. */
void manager_rbac(const struct controller *const *controllers, struct buf *out);
