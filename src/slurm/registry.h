/* registry.h - the clients of all clusters, by key.
 *
 * A key names a cluster for as long as it exists ("namespace/name"); the client behind it may be
 * replaced at any time, because its URL moved or its key was rotated. Whoever got a client from
 * here holds a reference and finishes with the old one. Subscriptions are with the registry and
 * outlive replacement. Safe from any thread.
 */
#pragma once
#include <stdbool.h>

#include "slurm/client.h"
#include "slurm/snapshot.h"

struct slurm_registry;

struct slurm_registry *slurm_registry_new(struct loop *loop);
/* Clients that others still hold go on without it. */
void slurm_registry_free(struct slurm_registry *registry);
DEFINE_SCOPE(slurm_registry, slurm_registry_free)

/* The client under that key, with a reference for you; NULL: none, and everything about that
 * cluster is unknown. */
struct slurm *slurm_registry_get(struct slurm_registry *registry, const char *key);

/* Sets what key stands for. The same options as before: nothing happens. Only another token: the
 * client takes it and keeps its snapshot. Anything else: a new client takes its place; its
 * subscribers then hear of every node as SLURM_ADDED. options.cluster NULL: the key. On failure
 * everything stays as it was. */
int slurm_registry_put(struct slurm_registry *registry, const char *key,
                       const struct slurm_options *options, struct error *err);
/* Forgets the key; subscribers hear once that its parts are unknown. */
void slurm_registry_remove(struct slurm_registry *registry, const char *key);

/* As slurm_subscribe(), for every cluster, those to come included. */
uint64_t slurm_registry_subscribe(struct slurm_registry *registry, unsigned parts,
                                  unsigned differences, slurm_news_fn *fn, void *userdata);
void slurm_registry_unsubscribe(struct slurm_registry *registry, uint64_t id);
