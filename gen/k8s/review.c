/* review.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/review.h"

static const struct field k8s_admission_review_fields[] = {
    FIELD(k8s_admission_review, api_version, STR, "apiVersion", .doc = "admission.k8s.io/v1."),
    FIELD(k8s_admission_review, kind, STR, "kind", .doc = "AdmissionReview."),
    FIELD(k8s_admission_review, request, POINTER, "request", .of = &k8s_admission_request_type,
          .doc = "The question."),
    FIELD(k8s_admission_review, response, POINTER, "response", .of = &k8s_admission_response_type,
          .doc = "The answer."),
    { 0 },
};
const struct type k8s_admission_review_type =
    TYPE(k8s_admission_review, k8s_admission_review_fields);

static const struct field k8s_admission_request_fields[] = {
    FIELD(k8s_admission_request, uid, STR, "uid", .flags = REQUIRED, .doc = "Names the question."),
    FIELD(k8s_admission_request, kind, POINTER, "kind", .of = &k8s_group_version_kind_type,
          .doc = "Kind of the object."),
    FIELD(k8s_admission_request, resource, POINTER, "resource",
          .of = &k8s_group_version_resource_type, .doc = "Resource of the object."),
    FIELD(k8s_admission_request, sub_resource, STR, "subResource", .doc = "Part of the object."),
    FIELD(k8s_admission_request, name, STR, "name", .doc = "Name of the object."),
    FIELD(k8s_admission_request, namespace, STR, "namespace", .doc = "Namespace of the object."),
    FIELD(k8s_admission_request, operation, STR, "operation",
          .doc = "CREATE, UPDATE, DELETE or CONNECT."),
    FIELD(k8s_admission_request, user_info, POINTER, "userInfo", .of = &k8s_review_user_type,
          .doc = "Who wants it."),
    FIELD(k8s_admission_request, object, RAW, "object", .doc = "The object as it would be."),
    FIELD(k8s_admission_request, old_object, RAW, "oldObject", .doc = "The object as it is."),
    FIELD(k8s_admission_request, dry_run, BOOL, "dryRun", .doc = "Nothing will be stored."),
    FIELD(k8s_admission_request, options, RAW, "options", .doc = "Options of the operation."),
    { 0 },
};
const struct type k8s_admission_request_type =
    TYPE(k8s_admission_request, k8s_admission_request_fields);

static const struct field k8s_group_version_kind_fields[] = {
    FIELD(k8s_group_version_kind, group, STR, "group", .doc = "API group."),
    FIELD(k8s_group_version_kind, version, STR, "version", .doc = "API version."),
    FIELD(k8s_group_version_kind, kind, STR, "kind", .doc = "Kind."),
    { 0 },
};
const struct type k8s_group_version_kind_type =
    TYPE(k8s_group_version_kind, k8s_group_version_kind_fields);

static const struct field k8s_group_version_resource_fields[] = {
    FIELD(k8s_group_version_resource, group, STR, "group", .doc = "API group."),
    FIELD(k8s_group_version_resource, version, STR, "version", .doc = "API version."),
    FIELD(k8s_group_version_resource, resource, STR, "resource", .doc = "Plural of the kind."),
    { 0 },
};
const struct type k8s_group_version_resource_type =
    TYPE(k8s_group_version_resource, k8s_group_version_resource_fields);

static const struct field k8s_review_user_fields[] = {
    FIELD(k8s_review_user, username, STR, "username", .doc = "Name."),
    FIELD(k8s_review_user, uid, STR, "uid", .doc = "Uid."),
    FIELD(k8s_review_user, groups, STRS, "groups", .doc = "Groups."),
    { 0 },
};
const struct type k8s_review_user_type = TYPE(k8s_review_user, k8s_review_user_fields);

static const struct field k8s_admission_response_fields[] = {
    FIELD(k8s_admission_response, uid, STR, "uid", .doc = "The question this answers."),
    FIELD(k8s_admission_response, allowed, BOOL, "allowed", .doc = "It may."),
    FIELD(k8s_admission_response, status, OBJECT, "status", .of = &k8s_status_type,
          .doc = "Why not."),
    FIELD(k8s_admission_response, patch, STR, "patch", .doc = "Base64 of the changes."),
    FIELD(k8s_admission_response, patch_type, STR, "patchType", .doc = "JSONPatch."),
    FIELD(k8s_admission_response, warnings, STRS, "warnings", .doc = "Shown to whoever asked."),
    { 0 },
};
const struct type k8s_admission_response_type =
    TYPE(k8s_admission_response, k8s_admission_response_fields);

static const struct field k8s_conversion_review_fields[] = {
    FIELD(k8s_conversion_review, api_version, STR, "apiVersion", .doc = "apiextensions.k8s.io/v1."),
    FIELD(k8s_conversion_review, kind, STR, "kind", .doc = "ConversionReview."),
    FIELD(k8s_conversion_review, request, POINTER, "request", .of = &k8s_conversion_request_type,
          .doc = "The request."),
    FIELD(k8s_conversion_review, response, POINTER, "response", .of = &k8s_conversion_response_type,
          .doc = "The answer."),
    { 0 },
};
const struct type k8s_conversion_review_type =
    TYPE(k8s_conversion_review, k8s_conversion_review_fields);

static const struct field k8s_conversion_request_fields[] = {
    FIELD(k8s_conversion_request, uid, STR, "uid", .flags = REQUIRED, .doc = "Names the request."),
    FIELD(k8s_conversion_request, desired_api_version, STR, "desiredAPIVersion",
          .doc = "Group and version they should have."),
    FIELD(k8s_conversion_request, objects, RAW, "objects", .doc = "The objects."),
    { 0 },
};
const struct type k8s_conversion_request_type =
    TYPE(k8s_conversion_request, k8s_conversion_request_fields);

static const struct field k8s_conversion_response_fields[] = {
    FIELD(k8s_conversion_response, uid, STR, "uid", .doc = "The request this answers."),
    FIELD(k8s_conversion_response, converted_objects, RAW, "convertedObjects",
          .doc = "The objects in the same order."),
    FIELD(k8s_conversion_response, result, POINTER, "result", .of = &k8s_status_type,
          .doc = "Whether it worked."),
    { 0 },
};
const struct type k8s_conversion_response_type =
    TYPE(k8s_conversion_response, k8s_conversion_response_fields);

struct k8s_admission_review *k8s_admission_review_keep(struct arena *a,
                                                       const struct k8s_admission_review *from)
{
    return table_copy(a, &k8s_admission_review_type, from);
}

struct k8s_admission_request *k8s_admission_request_keep(struct arena *a,
                                                         const struct k8s_admission_request *from)
{
    return table_copy(a, &k8s_admission_request_type, from);
}

struct k8s_group_version_kind *
k8s_group_version_kind_keep(struct arena *a, const struct k8s_group_version_kind *from)
{
    return table_copy(a, &k8s_group_version_kind_type, from);
}

struct k8s_group_version_resource *
k8s_group_version_resource_keep(struct arena *a, const struct k8s_group_version_resource *from)
{
    return table_copy(a, &k8s_group_version_resource_type, from);
}

struct k8s_review_user *k8s_review_user_keep(struct arena *a, const struct k8s_review_user *from)
{
    return table_copy(a, &k8s_review_user_type, from);
}

struct k8s_admission_response *
k8s_admission_response_keep(struct arena *a, const struct k8s_admission_response *from)
{
    return table_copy(a, &k8s_admission_response_type, from);
}

struct k8s_conversion_review *k8s_conversion_review_keep(struct arena *a,
                                                         const struct k8s_conversion_review *from)
{
    return table_copy(a, &k8s_conversion_review_type, from);
}

struct k8s_conversion_request *
k8s_conversion_request_keep(struct arena *a, const struct k8s_conversion_request *from)
{
    return table_copy(a, &k8s_conversion_request_type, from);
}

struct k8s_conversion_response *
k8s_conversion_response_keep(struct arena *a, const struct k8s_conversion_response *from)
{
    return table_copy(a, &k8s_conversion_response_type, from);
}
