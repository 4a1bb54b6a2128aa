/* controller_parts.h - the rooms of the Controller reconciler. */
#pragma once
#include "build/controller.h"
#include "slinky/shared.h"
#include "slurm/answer.h"

struct k8s_pod;

/* On a Controller, "false": slurm.conf is handed to Slurm whatever we think of it. */
#define CONFIG_CHECK "windlass.dev/config-check"

/* Whether Slurm would take these files. False: the condition ConfigApplied says what is wrong, and
 * the files in the cluster stay as they are. */
bool controller_config_is_sound(struct reconcile *r, const struct k8s_configmap *config);
/* A hash of its content and of the user's files beside it. */
int controller_config_hash(struct reconcile *r, const struct model_controller *m,
                           const struct k8s_configmap *config, const char **ret);
/* Notes on the ConfigMap when that last changed; now: the hash. */
void controller_config_stamp(struct reconcile *r, const struct model_controller *m,
                             struct k8s_configmap *config, const char *now);
/* Sees to it that slurmctld reads the configuration, and says in ConfigApplied how far that is. */
int controller_config_sync(struct reconcile *r, const struct model_controller *m,
                           const struct k8s_configmap *config);
#define tell_config(r, status, reason, ...)                                                        \
    reconcile_condition(r, "ConfigApplied", status, reason, __VA_ARGS__)

/* Puts the label of the active slurmctld where it belongs. */
int controller_active_sync(struct reconcile *r, const struct model_controller *m);

/* Running, ready and not on its way out; false for NULL. */
bool pod_is_ready(const struct k8s_pod *pod);

/* Of several slurmctlds, the one that clients should talk to: the one that says that it serves, then
 * the one that was active before and is ready, then the first ready one, then the first. */
struct active_candidate {
    bool ready, labelled;
    enum answer serves; /* what it said itself */
};
size_t active_choose(const struct active_candidate *v, size_t n);

/* What is to be done so that one slurmctld reads a changed configuration without a restart. Times
 * are on the wall clock, 0 for never. */
enum config_step {
    CONFIG_READ, /* nothing: it has read it, or began with it */
    CONFIG_SEND, /* touch the pod, so that the kubelet refreshes its files at once */
    CONFIG_WAIT, /* the kubelet is at it */
    CONFIG_ASK,  /* have slurmctld read it */
};
struct config_news {
    usec changed; /* when the configuration last changed */
    usec started; /* when the pod was made */
    usec sent;    /* when the pod was touched */
    usec read;    /* when slurmctld said yes */
};
enum config_step config_step_of(const struct config_news *news, usec now);
