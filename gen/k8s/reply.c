/* reply.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/reply.h"

static const struct field k8s_delete_options_fields[] = {
    FIELD(k8s_delete_options, grace_period_seconds, INT, "gracePeriodSeconds",
          .doc = "How long it may take to stop."),
    FIELD(k8s_delete_options, preconditions, POINTER, "preconditions",
          .of = &k8s_preconditions_type, .doc = "Only if it is still this object."),
    FIELD(k8s_delete_options, propagation_policy, STR, "propagationPolicy",
          .doc = "Orphan, Background or Foreground."),
    FIELD(k8s_delete_options, dry_run, STRS, "dryRun", .doc = "All to change nothing."),
    { 0 },
};
const struct type k8s_delete_options_type = TYPE(k8s_delete_options, k8s_delete_options_fields);

static const struct field k8s_preconditions_fields[] = {
    FIELD(k8s_preconditions, uid, STR, "uid", .doc = "Uid of the object."),
    FIELD(k8s_preconditions, resource_version, STR, "resourceVersion",
          .doc = "Version of the object."),
    { 0 },
};
const struct type k8s_preconditions_type = TYPE(k8s_preconditions, k8s_preconditions_fields);

static const struct field k8s_status_fields[] = {
    FIELD(k8s_status, status, STR, "status", .doc = "Success or Failure."),
    FIELD(k8s_status, message, STR, "message", .doc = "What went wrong, for people."),
    FIELD(k8s_status, reason, STR, "reason", .doc = "What went wrong, in one word."),
    FIELD(k8s_status, details, POINTER, "details", .of = &k8s_status_details_type,
          .doc = "More about it."),
    FIELD(k8s_status, code, INT, "code", .doc = "HTTP status."),
    { 0 },
};
const struct type k8s_status_type = TYPE(k8s_status, k8s_status_fields);

static const struct field k8s_status_cause_fields[] = {
    FIELD(k8s_status_cause, reason, STR, "reason", .doc = "What, in one word."),
    FIELD(k8s_status_cause, message, STR, "message", .doc = "What, for people."),
    FIELD(k8s_status_cause, field, STR, "field", .doc = "Path of the field."),
    { 0 },
};
const struct type k8s_status_cause_type = TYPE(k8s_status_cause, k8s_status_cause_fields);

static const struct field k8s_status_details_fields[] = {
    FIELD(k8s_status_details, name, STR, "name", .doc = "Name of the object."),
    FIELD(k8s_status_details, group, STR, "group", .doc = "Group of the object."),
    FIELD(k8s_status_details, kind, STR, "kind", .doc = "Kind of the object."),
    FIELD(k8s_status_details, uid, STR, "uid", .doc = "Uid of the object."),
    FIELD(k8s_status_details, causes, LIST, "causes", .of = &k8s_status_cause_type,
          .doc = "Each thing that is wrong."),
    FIELD(k8s_status_details, retry_after_seconds, INT, "retryAfterSeconds",
          .doc = "When to try again."),
    { 0 },
};
const struct type k8s_status_details_type = TYPE(k8s_status_details, k8s_status_details_fields);

static const struct field k8s_list_meta_fields[] = {
    FIELD(k8s_list_meta, resource_version, STR, "resourceVersion",
          .doc = "Where a watch goes on from here."),
    FIELD(k8s_list_meta, continue_, STR, "continue", .doc = "What to ask for the next page with."),
    FIELD(k8s_list_meta, remaining_item_count, INT, "remainingItemCount",
          .doc = "How many items follow."),
    { 0 },
};
const struct type k8s_list_meta_type = TYPE(k8s_list_meta, k8s_list_meta_fields);

struct k8s_delete_options *k8s_delete_options_keep(struct arena *a,
                                                   const struct k8s_delete_options *from)
{
    return table_copy(a, &k8s_delete_options_type, from);
}

struct k8s_preconditions *k8s_preconditions_keep(struct arena *a,
                                                 const struct k8s_preconditions *from)
{
    return table_copy(a, &k8s_preconditions_type, from);
}

struct k8s_status *k8s_status_keep(struct arena *a, const struct k8s_status *from)
{
    return table_copy(a, &k8s_status_type, from);
}

struct k8s_status_cause *
k8s_status_cause_keep(struct arena *a, const struct k8s_status_cause *from)
{
    return table_copy(a, &k8s_status_cause_type, from);
}

struct k8s_status_details *k8s_status_details_keep(struct arena *a,
                                                   const struct k8s_status_details *from)
{
    return table_copy(a, &k8s_status_details_type, from);
}

struct k8s_list_meta *k8s_list_meta_keep(struct arena *a, const struct k8s_list_meta *from)
{
    return table_copy(a, &k8s_list_meta_type, from);
}
