/* subjectaccessreview.h - SubjectAccessReview of authorization.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

struct k8s_path_attributes;
struct k8s_resource_attributes;

/* The question. */
struct k8s_subjectaccessreview_spec {
    struct k8s_resource_attributes *resource_attributes; /* Something in the API. */
    struct k8s_path_attributes *non_resource_attributes; /* A path of the server. */
    const char *user; /* Who. */
    struct strs groups; /* Their groups. */
    const struct json *extra; /* What else is known of them. */
    const char *uid; /* Their uid. */
};

/* The answer. */
struct k8s_subjectaccessreview_status {
    enum flag allowed; /* They may. */
    enum flag denied; /* They must not. */
    const char *reason; /* Why. */
    const char *evaluation_error; /* What went wrong in deciding. */
};

/* The question whether someone may do something. */
struct k8s_subjectaccessreview {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_subjectaccessreview_spec spec; /* The question. */
    struct k8s_subjectaccessreview_status status; /* The answer. */
};

/* Something in the API. */
struct k8s_resource_attributes {
    const char *namespace; /* Namespace. */
    const char *verb; /* What they would do. */
    const char *group; /* API group. */
    const char *version; /* API version. */
    const char *resource; /* Plural of the kind. */
    const char *subresource; /* Part of it. */
    const char *name; /* Name of the object. */
};

/* A path of the server. */
struct k8s_path_attributes {
    const char *path; /* The path. */
    const char *verb; /* What they would do. */
};

extern const struct type k8s_subjectaccessreview_spec_type;
extern const struct type k8s_subjectaccessreview_status_type;
extern const struct type k8s_subjectaccessreview_type;
extern const struct type k8s_resource_attributes_type;
extern const struct type k8s_path_attributes_type;
extern const struct kind k8s_subjectaccessreview_kind;

/* Deep copies that live as long as the arena. */
struct k8s_subjectaccessreview *
k8s_subjectaccessreview_keep(struct arena *a, const struct k8s_subjectaccessreview *from);
