/* reply.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

struct k8s_preconditions;
struct k8s_status_details;

/* How an object is deleted. */
struct k8s_delete_options {
    struct maybe_int grace_period_seconds; /* How long it may take to stop. */
    struct k8s_preconditions *preconditions; /* Only if it is still this object. */
    const char *propagation_policy; /* Orphan, Background or Foreground. */
    struct strs dry_run; /* All to change nothing. */
};

/* What must still be so. */
struct k8s_preconditions {
    const char *uid; /* Uid of the object. */
    const char *resource_version; /* Version of the object. */
};

/* The outcome of a request that returns no object. */
struct k8s_status {
    const char *status; /* Success or Failure. */
    const char *message; /* What went wrong, for people. */
    const char *reason; /* What went wrong, in one word. */
    struct k8s_status_details *details; /* More about it. */
    struct maybe_int code; /* HTTP status. */
};

/* One thing that is wrong. */
struct k8s_status_cause {
    const char *reason; /* What, in one word. */
    const char *message; /* What, for people. */
    const char *field; /* Path of the field. */
};

struct k8s_status_cause_list {
    struct k8s_status_cause *v;
    size_t n;
};

/* More about an outcome. */
struct k8s_status_details {
    const char *name; /* Name of the object. */
    const char *group; /* Group of the object. */
    const char *kind; /* Kind of the object. */
    const char *uid; /* Uid of the object. */
    struct k8s_status_cause_list causes; /* Each thing that is wrong. */
    struct maybe_int retry_after_seconds; /* When to try again. */
};

/* Metadata of a list. */
struct k8s_list_meta {
    const char *resource_version; /* Where a watch goes on from here. */
    const char *continue_; /* What to ask for the next page with. */
    struct maybe_int remaining_item_count; /* How many items follow. */
};

extern const struct type k8s_delete_options_type;
extern const struct type k8s_preconditions_type;
extern const struct type k8s_status_type;
extern const struct type k8s_status_cause_type;
extern const struct type k8s_status_details_type;
extern const struct type k8s_list_meta_type;

/* Deep copies that live as long as the arena. */
struct k8s_delete_options *k8s_delete_options_keep(struct arena *a,
                                                   const struct k8s_delete_options *from);
struct k8s_preconditions *k8s_preconditions_keep(struct arena *a,
                                                 const struct k8s_preconditions *from);
struct k8s_status *k8s_status_keep(struct arena *a, const struct k8s_status *from);
struct k8s_status_cause *
k8s_status_cause_keep(struct arena *a, const struct k8s_status_cause *from);
struct k8s_status_details *k8s_status_details_keep(struct arena *a,
                                                   const struct k8s_status_details *from);
struct k8s_list_meta *k8s_list_meta_keep(struct arena *a, const struct k8s_list_meta *from);
