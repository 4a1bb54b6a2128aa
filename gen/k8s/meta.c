/* meta.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/meta.h"

static const struct field k8s_owner_reference_fields[] = {
    FIELD(k8s_owner_reference, api_version, STR, "apiVersion", .flags = REQUIRED,
          .doc = "Group and version of the owner."),
    FIELD(k8s_owner_reference, kind, STR, "kind", .flags = REQUIRED, .doc = "Kind of the owner."),
    FIELD(k8s_owner_reference, name, STR, "name", .flags = REQUIRED, .doc = "Name of the owner."),
    FIELD(k8s_owner_reference, uid, STR, "uid", .flags = REQUIRED, .doc = "Uid of the owner."),
    FIELD(k8s_owner_reference, controller, BOOL, "controller",
          .doc = "The one owner that manages the object."),
    FIELD(k8s_owner_reference, block_owner_deletion, BOOL, "blockOwnerDeletion",
          .doc = "The owner waits for this object when it is deleted in the foreground."),
    { 0 },
};
const struct type k8s_owner_reference_type = TYPE(k8s_owner_reference, k8s_owner_reference_fields);

static const struct field k8s_meta_fields[] = {
    FIELD(k8s_meta, name, STR, "name", .doc = "Unique within its namespace and kind."),
    FIELD(k8s_meta, generate_name, STR, "generateName", .flags = SHARED,
          .doc = "What the server puts in front of a name that it makes up."),
    FIELD(k8s_meta, namespace, STR, "namespace", .flags = SHARED,
          .doc = "Where the object lives; absent for cluster-wide kinds."),
    FIELD(k8s_meta, uid, STR, "uid", .doc = "Unique over all objects and times."),
    FIELD(k8s_meta, resource_version, STR, "resourceVersion", .doc = "Changes with every write."),
    FIELD(k8s_meta, generation, INT, "generation", .doc = "Counts changes of the spec."),
    FIELD(k8s_meta, creation_timestamp, TIME, "creationTimestamp",
          .doc = "When the server made it."),
    FIELD(k8s_meta, deletion_grace_period_seconds, INT, "deletionGracePeriodSeconds",
          .doc = "How long it may take to end, once someone has asked for that."),
    FIELD(k8s_meta, deletion_timestamp, TIME, "deletionTimestamp",
          .doc = "When it will be gone, once someone has asked for that."),
    FIELD(k8s_meta, labels, MAP, "labels", .flags = SHARED, .doc = "What selectors look at."),
    FIELD(k8s_meta, annotations, MAP, "annotations", .flags = SHARED_KEYS,
          .doc = "Anything else people and programs note down."),
    FIELD(k8s_meta, owner_references, LIST, "ownerReferences", .flags = SHARED,
          .of = &k8s_owner_reference_type, .list_key = "uid",
          .doc = "Objects whose end is the end of this one."),
    FIELD(k8s_meta, finalizers, STRS, "finalizers", .flags = SET_LIST | SHARED,
          .doc = "Who must agree before it goes."),
    { 0 },
};
const struct type k8s_meta_type = TYPE(k8s_meta, k8s_meta_fields);

static const struct field k8s_condition_fields[] = {
    FIELD(k8s_condition, type, STR, "type", .flags = REQUIRED | SHARED, .doc = "Which aspect."),
    FIELD(k8s_condition, status, STR, "status", .flags = REQUIRED | SHARED,
          .doc = "True, False or Unknown."),
    FIELD(k8s_condition, observed_generation, INT, "observedGeneration",
          .doc = "Generation that the condition speaks of."),
    FIELD(k8s_condition, last_transition_time, TIME, "lastTransitionTime",
          .doc = "When the status last changed."),
    FIELD(k8s_condition, reason, STR, "reason", .flags = SHARED, .doc = "Why, in one word."),
    FIELD(k8s_condition, message, STR, "message", .doc = "Why, for people."),
    { 0 },
};
const struct type k8s_condition_type = TYPE(k8s_condition, k8s_condition_fields);

static const struct field k8s_object_ref_fields[] = {
    FIELD(k8s_object_ref, kind, STR, "kind", .doc = "Kind of the object."),
    FIELD(k8s_object_ref, namespace, STR, "namespace", .doc = "Namespace of the object."),
    FIELD(k8s_object_ref, name, STR, "name", .doc = "Name of the object."),
    FIELD(k8s_object_ref, uid, STR, "uid", .doc = "Uid of the object."),
    FIELD(k8s_object_ref, api_version, STR, "apiVersion",
          .doc = "Group and version of the object."),
    FIELD(k8s_object_ref, resource_version, STR, "resourceVersion",
          .doc = "Version of the object that is meant."),
    FIELD(k8s_object_ref, field_path, STR, "fieldPath",
          .doc = "The part of the object that is meant."),
    { 0 },
};
const struct type k8s_object_ref_type = TYPE(k8s_object_ref, k8s_object_ref_fields);

static const struct field k8s_label_requirement_fields[] = {
    FIELD(k8s_label_requirement, key, STR, "key", .flags = REQUIRED, .doc = "Key of the label."),
    FIELD(k8s_label_requirement, operator, STR, "operator", .flags = REQUIRED,
          .doc = "In, NotIn, Exists or DoesNotExist."),
    FIELD(k8s_label_requirement, values, STRS, "values", .doc = "Values for In and NotIn."),
    { 0 },
};
const struct type k8s_label_requirement_type =
    TYPE(k8s_label_requirement, k8s_label_requirement_fields);

static const struct field k8s_label_selector_fields[] = {
    FIELD(k8s_label_selector, match_labels, MAP, "matchLabels",
          .doc = "Labels that must be there."),
    FIELD(k8s_label_selector, match_expressions, LIST, "matchExpressions",
          .of = &k8s_label_requirement_type, .doc = "Further conditions, all of which must hold."),
    { 0 },
};
const struct type k8s_label_selector_type = TYPE(k8s_label_selector, k8s_label_selector_fields);

static const struct field k8s_pod_template_fields[] = {
    FIELD(k8s_pod_template, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Labels and annotations of the pods."),
    FIELD(k8s_pod_template, spec, RAW, "spec", .doc = "A core/v1 PodSpec."),
    { 0 },
};
const struct type k8s_pod_template_type = TYPE(k8s_pod_template, k8s_pod_template_fields);

static const struct field k8s_local_ref_fields[] = {
    FIELD(k8s_local_ref, name, STR, "name", .doc = "Name of the object."),
    { 0 },
};
const struct type k8s_local_ref_type = TYPE(k8s_local_ref, k8s_local_ref_fields);

struct k8s_owner_reference *k8s_owner_reference_keep(struct arena *a,
                                                     const struct k8s_owner_reference *from)
{
    return table_copy(a, &k8s_owner_reference_type, from);
}

struct k8s_meta *k8s_meta_keep(struct arena *a, const struct k8s_meta *from)
{
    return table_copy(a, &k8s_meta_type, from);
}

struct k8s_condition *k8s_condition_keep(struct arena *a, const struct k8s_condition *from)
{
    return table_copy(a, &k8s_condition_type, from);
}

struct k8s_object_ref *k8s_object_ref_keep(struct arena *a, const struct k8s_object_ref *from)
{
    return table_copy(a, &k8s_object_ref_type, from);
}

struct k8s_label_requirement *k8s_label_requirement_keep(struct arena *a,
                                                         const struct k8s_label_requirement *from)
{
    return table_copy(a, &k8s_label_requirement_type, from);
}

struct k8s_label_selector *k8s_label_selector_keep(struct arena *a,
                                                   const struct k8s_label_selector *from)
{
    return table_copy(a, &k8s_label_selector_type, from);
}

struct k8s_pod_template *
k8s_pod_template_keep(struct arena *a, const struct k8s_pod_template *from)
{
    return table_copy(a, &k8s_pod_template_type, from);
}

struct k8s_local_ref *k8s_local_ref_keep(struct arena *a, const struct k8s_local_ref *from)
{
    return table_copy(a, &k8s_local_ref_type, from);
}
