/* plugin.h - one run of an exec credential plugin (client.authentication.k8s.io).
 *
 * The plugin is told that nobody sits at a terminal, and about the cluster if it asks for that. It
 * has 30 s; what it prints on stderr goes to ours.
 */
#pragma once
#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "kube/config.h"

struct plugin_answer { /* in the arena; secret */
    const char *token;     /* NULL when a certificate says who we are */
    const char *cert, *key; /* PEM; both or neither */
    usec expires;          /* wall clock; USEC_NEVER when it does not say */
};

int plugin_run(struct arena *a, const struct kube_config *config, struct plugin_answer *ret,
               struct error *err);
