/* admission.h - the hooks of slinky.slurm.net: six kinds that are judged, and pods that are bound.
 *
 * The rules are those of validate.h. A Controller names ConfigMaps and a claim; these are read
 * from the API server when it is judged, so that what was created a moment ago counts: a Controller
 * comes along once in a while, and watching every ConfigMap of a cluster for it would be a poor
 * trade. Reads have a deadline; what could not be read in time is warned of.
 */
#pragma once
#include <pthread.h>

#include "webhook/webhook.h"

struct cache;
struct client;

/* Context of the hooks. */
struct admission {
    struct client *client; /* NULL: nothing is known of other objects */
    struct cache *nodes;   /* metadata alone */
    struct cache *pods;    /* workers, metadata alone */
    pthread_mutex_t lock;  /* is_watching */
    bool is_watching;
};

/* namespaces: where workers may be; none for everywhere. */
void admission_init(struct admission *admission, struct client *client, struct strs namespaces);
void admission_done(struct admission *admission);
/* Begins to watch nodes and workers; costs nothing until a pod is bound through us. */
void admission_watch(struct admission *admission);

extern const struct hook slinky_hooks[];
