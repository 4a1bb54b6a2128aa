/* target.h - what a person means by a name: workers, and resources with their pods. */
#pragma once
#include "ops/session.h"
#include "ops/worker.h"

/* The kinds whose pods people restart and read the logs of. */
struct daemon_kind {
    const char *word; /* "controller", as people say it */
    const struct kind *kind;
    const char *daemon;    /* label app.kubernetes.io/name of its pods: "slurmctld" */
    const char *container; /* which prints the log */
};

/* By what people say: the kind's name, its plural, or the daemon; NULL when there is none such. */
const struct daemon_kind *daemon_kind_of(const char *word);
/* "controller, nodeset, ...": for messages. */
const char *daemon_kind_words(struct arena *a);

/* "KIND/NAME" or "KIND NAME" taken apart; *ret_name is NULL when only a kind was given. -EINVAL
 * says what would be right. */
int target_parse(struct arena *a, const char *text, const struct daemon_kind **ret_kind,
                 const char **ret_name, struct error *err);

/* The worker of that name in a namespace, by its pod or by its node in Slurm; -ENOENT names those
 * that there are, -ENOTUNIQ when two answer to it. */
int target_worker(struct session *s, const char *namespace, const char *name,
                  struct worker_view *ret, struct error *err);
/* Its pods, those that are ready first. */
int target_pods(struct session *s, const char *namespace, const struct daemon_kind *kind,
                const char *name, struct objects *ret, struct error *err);
bool target_is_ready(const struct k8s_pod *pod);
