/* job.h - Job of batch/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* What to run. */
struct k8s_job_spec {
    struct maybe_int parallelism; /* How many at once. */
    struct maybe_int completions; /* How many must succeed. */
    struct maybe_int active_deadline_seconds; /* How long it may take. */
    struct maybe_int backoff_limit; /* How often to try again. */
    struct k8s_label_selector *selector; /* Which pods are its own; the server fills it in. */
    struct k8s_pod_template template; /* What the pods look like. */
    struct maybe_int ttl_seconds_after_finished; /* How long it stays when it is done. */
    const char *completion_mode; /* NonIndexed or Indexed. */
    enum flag suspend; /* It waits. */
};

/* What became of it. */
struct k8s_job_status {
    struct k8s_condition_list conditions; /* Complete or Failed. */
    usec start_time; /* When it began. */
    usec completion_time; /* When it was done. */
    struct maybe_int active; /* Pods that run. */
    struct maybe_int succeeded; /* Pods that succeeded. */
    struct maybe_int failed; /* Pods that failed. */
};

/* Pods that run until they are done. */
struct k8s_job {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_job_spec spec; /* What to run. */
    struct k8s_job_status status; /* What became of it. */
};

extern const struct type k8s_job_spec_type;
extern const struct type k8s_job_status_type;
extern const struct type k8s_job_type;
extern const struct kind k8s_job_kind;

/* Deep copies that live as long as the arena. */
struct k8s_job *k8s_job_keep(struct arena *a, const struct k8s_job *from);
