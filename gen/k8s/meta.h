/* meta.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

/* One owner of an object. */
struct k8s_owner_reference {
    const char *api_version; /* Group and version of the owner. */
    const char *kind; /* Kind of the owner. */
    const char *name; /* Name of the owner. */
    const char *uid; /* Uid of the owner. */
    enum flag controller; /* The one owner that manages the object. */
    /* The owner waits for this object when it is deleted in the foreground. */
    enum flag block_owner_deletion;
};

struct k8s_owner_reference_list {
    struct k8s_owner_reference *v;
    size_t n;
};

/* Metadata of an object. */
struct k8s_meta {
    const char *name; /* Unique within its namespace and kind. */
    const char *generate_name; /* What the server puts in front of a name that it makes up. */
    const char *namespace; /* Where the object lives; absent for cluster-wide kinds. */
    const char *uid; /* Unique over all objects and times. */
    const char *resource_version; /* Changes with every write. */
    struct maybe_int generation; /* Counts changes of the spec. */
    usec creation_timestamp; /* When the server made it. */
    /* How long it may take to end, once someone has asked for that. */
    struct maybe_int deletion_grace_period_seconds;
    usec deletion_timestamp; /* When it will be gone, once someone has asked for that. */
    struct pairs labels; /* What selectors look at. */
    struct pairs annotations; /* Anything else people and programs note down. */
    /* Objects whose end is the end of this one. */
    struct k8s_owner_reference_list owner_references;
    struct strs finalizers; /* Who must agree before it goes. */
};

/* One aspect of an object's state. */
struct k8s_condition {
    const char *type; /* Which aspect. */
    const char *status; /* True, False or Unknown. */
    struct maybe_int observed_generation; /* Generation that the condition speaks of. */
    usec last_transition_time; /* When the status last changed. */
    const char *reason; /* Why, in one word. */
    const char *message; /* Why, for people. */
};

struct k8s_condition_list {
    struct k8s_condition *v;
    size_t n;
};

/* Any object. */
struct k8s_object_ref {
    const char *kind; /* Kind of the object. */
    const char *namespace; /* Namespace of the object. */
    const char *name; /* Name of the object. */
    const char *uid; /* Uid of the object. */
    const char *api_version; /* Group and version of the object. */
    const char *resource_version; /* Version of the object that is meant. */
    const char *field_path; /* The part of the object that is meant. */
};

struct k8s_object_ref_list {
    struct k8s_object_ref *v;
    size_t n;
};

/* A condition on one label. */
struct k8s_label_requirement {
    const char *key; /* Key of the label. */
    const char *operator; /* In, NotIn, Exists or DoesNotExist. */
    struct strs values; /* Values for In and NotIn. */
};

struct k8s_label_requirement_list {
    struct k8s_label_requirement *v;
    size_t n;
};

/* Which objects are meant, by their labels. */
struct k8s_label_selector {
    struct pairs match_labels; /* Labels that must be there. */
    /* Further conditions, all of which must hold. */
    struct k8s_label_requirement_list match_expressions;
};

/* Pods to be made; the spec is built from a k8s_pod_spec with the user's part merged over it. */
struct k8s_pod_template {
    struct k8s_meta meta; /* Labels and annotations of the pods. */
    const struct json *spec; /* A core/v1 PodSpec. */
};

/* An object of a known kind in the same namespace. */
struct k8s_local_ref {
    const char *name; /* Name of the object. */
};

struct k8s_local_ref_list {
    struct k8s_local_ref *v;
    size_t n;
};

extern const struct type k8s_owner_reference_type;
extern const struct type k8s_meta_type;
extern const struct type k8s_condition_type;
extern const struct type k8s_object_ref_type;
extern const struct type k8s_label_requirement_type;
extern const struct type k8s_label_selector_type;
extern const struct type k8s_pod_template_type;
extern const struct type k8s_local_ref_type;

/* Deep copies that live as long as the arena. */
struct k8s_owner_reference *k8s_owner_reference_keep(struct arena *a,
                                                     const struct k8s_owner_reference *from);
struct k8s_meta *k8s_meta_keep(struct arena *a, const struct k8s_meta *from);
struct k8s_condition *k8s_condition_keep(struct arena *a, const struct k8s_condition *from);
struct k8s_object_ref *k8s_object_ref_keep(struct arena *a, const struct k8s_object_ref *from);
struct k8s_label_requirement *k8s_label_requirement_keep(struct arena *a,
                                                         const struct k8s_label_requirement *from);
struct k8s_label_selector *k8s_label_selector_keep(struct arena *a,
                                                   const struct k8s_label_selector *from);
struct k8s_pod_template *
k8s_pod_template_keep(struct arena *a, const struct k8s_pod_template *from);
struct k8s_local_ref *k8s_local_ref_keep(struct arena *a, const struct k8s_local_ref *from);
