/* review.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/reply.h"

struct k8s_admission_request;
struct k8s_admission_response;
struct k8s_conversion_request;
struct k8s_conversion_response;
struct k8s_group_version_kind;
struct k8s_group_version_resource;
struct k8s_review_user;

/* The question whether an object may be stored, or the answer. */
struct k8s_admission_review {
    const char *api_version; /* admission.k8s.io/v1. */
    const char *kind; /* AdmissionReview. */
    struct k8s_admission_request *request; /* The question. */
    struct k8s_admission_response *response; /* The answer. */
};

/* What someone wants to do. */
struct k8s_admission_request {
    const char *uid; /* Names the question. */
    struct k8s_group_version_kind *kind; /* Kind of the object. */
    struct k8s_group_version_resource *resource; /* Resource of the object. */
    const char *sub_resource; /* Part of the object. */
    const char *name; /* Name of the object. */
    const char *namespace; /* Namespace of the object. */
    const char *operation; /* CREATE, UPDATE, DELETE or CONNECT. */
    struct k8s_review_user *user_info; /* Who wants it. */
    const struct json *object; /* The object as it would be. */
    const struct json *old_object; /* The object as it is. */
    enum flag dry_run; /* Nothing will be stored. */
    const struct json *options; /* Options of the operation. */
};

/* A kind of the API. */
struct k8s_group_version_kind {
    const char *group; /* API group. */
    const char *version; /* API version. */
    const char *kind; /* Kind. */
};

/* A resource of the API. */
struct k8s_group_version_resource {
    const char *group; /* API group. */
    const char *version; /* API version. */
    const char *resource; /* Plural of the kind. */
};

/* Who makes a request. */
struct k8s_review_user {
    const char *username; /* Name. */
    const char *uid; /* Uid. */
    struct strs groups; /* Groups. */
};

/* Whether it may be, and how it is changed first. */
struct k8s_admission_response {
    const char *uid; /* The question this answers. */
    enum flag allowed; /* It may. */
    struct k8s_status status; /* Why not. */
    const char *patch; /* Base64 of the changes. */
    const char *patch_type; /* JSONPatch. */
    struct strs warnings; /* Shown to whoever asked. */
};

/* The request to turn objects into another version, or the answer. */
struct k8s_conversion_review {
    const char *api_version; /* apiextensions.k8s.io/v1. */
    const char *kind; /* ConversionReview. */
    struct k8s_conversion_request *request; /* The request. */
    struct k8s_conversion_response *response; /* The answer. */
};

/* Which objects, and into what. */
struct k8s_conversion_request {
    const char *uid; /* Names the request. */
    const char *desired_api_version; /* Group and version they should have. */
    const struct json *objects; /* The objects. */
};

/* The objects as they are then. */
struct k8s_conversion_response {
    const char *uid; /* The request this answers. */
    const struct json *converted_objects; /* The objects in the same order. */
    struct k8s_status *result; /* Whether it worked. */
};

extern const struct type k8s_admission_review_type;
extern const struct type k8s_admission_request_type;
extern const struct type k8s_group_version_kind_type;
extern const struct type k8s_group_version_resource_type;
extern const struct type k8s_review_user_type;
extern const struct type k8s_admission_response_type;
extern const struct type k8s_conversion_review_type;
extern const struct type k8s_conversion_request_type;
extern const struct type k8s_conversion_response_type;

/* Deep copies that live as long as the arena. */
struct k8s_admission_review *k8s_admission_review_keep(struct arena *a,
                                                       const struct k8s_admission_review *from);
struct k8s_admission_request *k8s_admission_request_keep(struct arena *a,
                                                         const struct k8s_admission_request *from);
struct k8s_group_version_kind *
k8s_group_version_kind_keep(struct arena *a, const struct k8s_group_version_kind *from);
struct k8s_group_version_resource *
k8s_group_version_resource_keep(struct arena *a, const struct k8s_group_version_resource *from);
struct k8s_review_user *k8s_review_user_keep(struct arena *a, const struct k8s_review_user *from);
struct k8s_admission_response *
k8s_admission_response_keep(struct arena *a, const struct k8s_admission_response *from);
struct k8s_conversion_review *k8s_conversion_review_keep(struct arena *a,
                                                         const struct k8s_conversion_review *from);
struct k8s_conversion_request *
k8s_conversion_request_keep(struct arena *a, const struct k8s_conversion_request *from);
struct k8s_conversion_response *
k8s_conversion_response_keep(struct arena *a, const struct k8s_conversion_response *from);
