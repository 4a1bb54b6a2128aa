/* install.h - into a cluster and out of it again.
 *
 * Everything is looked at before anything is written: what helm installed is not taken over unless
 * told to, and what stands there already as it should is not written again.
 */
#pragma once
#include "ops/resource.h"

/* Told as things happen; lines for people. */
typedef void install_say_fn(void *userdata, const char *line);

struct install {
    struct session *session;
    struct resources resources;    /* from manifest_read() */
    enum resource_change *changes; /* one for each; set by install_plan() */
    const char *namespace;
    bool force;              /* also take over what helm owns */
    usec deadline;           /* for the waits, monotonic */
    install_say_fn *on_done; /* something is done, and stays so */
    install_say_fn *on_wait; /* what is being waited for now */
    void *userdata;
};

/* Looks at the cluster and decides; nothing is written. -EEXIST when somebody else's is in the
 * way. */
int install_plan(struct install *in, struct error *err);
/* Two operators would undo each other's work: -EEXIST when one runs that is not the one to be
 * installed here, unless .force. */
int install_alone(struct install *in, struct error *err);
/* Writes what install_plan() found to differ. */
int install_apply(struct install *in, struct error *err);
/* Waits until all of it has come up; -ETIMEDOUT says what has not, and why. */
int install_wait(struct install *in, struct error *err);

struct uninstall_options {
    bool with_clusters; /* delete every custom resource first */
    bool keep_clusters; /* leave them running, with nobody to look after them */
    bool with_crds;
};

/* -EBUSY while there are custom resources and no option says what becomes of them. */
int uninstall(struct install *in, const struct uninstall_options *options, struct error *err);
