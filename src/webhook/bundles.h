/* bundles.h - keeps the caBundle of webhook configurations and CRDs right.
 *
 * Only entries that lead to our Service, or to a URL, are touched, and only when they differ. A CRD
 * whose versions are not converted yet gets our Service as its converter.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "json/table.h"

struct cache;
struct client;

/* Names and places; borrowed. */
struct bundles_options {
    const char *namespace, *service; /* where we serve */
    const char *configuration;       /* of both kinds of webhooks */
    const char *const *crds;         /* NULL-terminated; those that we convert */
};

struct bundles;

/* Begins to follow the configurations; on_change tells that one is not as it was (any thread). */
struct bundles *bundles_new(struct client *client, const struct bundles_options *options,
                            void (*on_change)(void *userdata), void *userdata);
void bundles_free(struct bundles *bundles);

/* Writes the bundle wherever it is missing. 0 when it is in every configuration there is; otherwise
 * the first failure, after trying the others unless nobody answers. */
int bundles_set(struct bundles *bundles, struct arena *a, const char *pem, struct error *err);
