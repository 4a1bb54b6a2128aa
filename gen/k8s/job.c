/* job.c - Job of batch/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/job.h"

static const struct field k8s_job_spec_fields[] = {
    FIELD(k8s_job_spec, parallelism, INT, "parallelism", .doc = "How many at once."),
    FIELD(k8s_job_spec, completions, INT, "completions", .doc = "How many must succeed."),
    FIELD(k8s_job_spec, active_deadline_seconds, INT, "activeDeadlineSeconds",
          .doc = "How long it may take."),
    FIELD(k8s_job_spec, backoff_limit, INT, "backoffLimit", .doc = "How often to try again."),
    FIELD(k8s_job_spec, selector, POINTER, "selector", .of = &k8s_label_selector_type,
          .doc = "Which pods are its own; the server fills it in."),
    FIELD(k8s_job_spec, template, OBJECT, "template", .flags = REQUIRED,
          .of = &k8s_pod_template_type, .doc = "What the pods look like."),
    FIELD(k8s_job_spec, ttl_seconds_after_finished, INT, "ttlSecondsAfterFinished",
          .doc = "How long it stays when it is done."),
    FIELD(k8s_job_spec, completion_mode, STR, "completionMode", .doc = "NonIndexed or Indexed."),
    FIELD(k8s_job_spec, suspend, BOOL, "suspend", .doc = "It waits."),
    { 0 },
};
const struct type k8s_job_spec_type = TYPE(k8s_job_spec, k8s_job_spec_fields);

static const struct field k8s_job_status_fields[] = {
    FIELD(k8s_job_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "Complete or Failed."),
    FIELD(k8s_job_status, start_time, TIME, "startTime", .doc = "When it began."),
    FIELD(k8s_job_status, completion_time, TIME, "completionTime", .doc = "When it was done."),
    FIELD(k8s_job_status, active, INT, "active", .doc = "Pods that run."),
    FIELD(k8s_job_status, succeeded, INT, "succeeded", .doc = "Pods that succeeded."),
    FIELD(k8s_job_status, failed, INT, "failed", .doc = "Pods that failed."),
    { 0 },
};
const struct type k8s_job_status_type = TYPE(k8s_job_status, k8s_job_status_fields);

static const struct field k8s_job_fields[] = {
    FIELD(k8s_job, meta, OBJECT, "metadata", .of = &k8s_meta_type, .doc = "Metadata of an object."),
    FIELD(k8s_job, spec, OBJECT, "spec", .of = &k8s_job_spec_type, .doc = "What to run."),
    FIELD(k8s_job, status, OBJECT, "status", .of = &k8s_job_status_type,
          .doc = "What became of it."),
    { 0 },
};
const struct type k8s_job_type = TYPE(k8s_job, k8s_job_fields);

const struct kind k8s_job_kind = {
    .group = "batch",
    .version = "v1",
    .kind = "Job",
    .plural = "jobs",
    .namespaced = true,
    .has_status = true,
    .type = &k8s_job_type,
    .status = &k8s_job_fields[2],
};

struct k8s_job *k8s_job_keep(struct arena *a, const struct k8s_job *from)
{
    return table_copy(a, &k8s_job_type, from);
}
