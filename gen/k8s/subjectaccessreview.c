/* subjectaccessreview.c - SubjectAccessReview of authorization.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/subjectaccessreview.h"

static const struct field k8s_subjectaccessreview_spec_fields[] = {
    FIELD(k8s_subjectaccessreview_spec, resource_attributes, POINTER, "resourceAttributes",
          .of = &k8s_resource_attributes_type, .doc = "Something in the API."),
    FIELD(k8s_subjectaccessreview_spec, non_resource_attributes, POINTER, "nonResourceAttributes",
          .of = &k8s_path_attributes_type, .doc = "A path of the server."),
    FIELD(k8s_subjectaccessreview_spec, user, STR, "user", .doc = "Who."),
    FIELD(k8s_subjectaccessreview_spec, groups, STRS, "groups", .doc = "Their groups."),
    FIELD(k8s_subjectaccessreview_spec, extra, RAW, "extra", .doc = "What else is known of them."),
    FIELD(k8s_subjectaccessreview_spec, uid, STR, "uid", .doc = "Their uid."),
    { 0 },
};
const struct type k8s_subjectaccessreview_spec_type =
    TYPE(k8s_subjectaccessreview_spec, k8s_subjectaccessreview_spec_fields);

static const struct field k8s_subjectaccessreview_status_fields[] = {
    FIELD(k8s_subjectaccessreview_status, allowed, BOOL, "allowed", .doc = "They may."),
    FIELD(k8s_subjectaccessreview_status, denied, BOOL, "denied", .doc = "They must not."),
    FIELD(k8s_subjectaccessreview_status, reason, STR, "reason", .doc = "Why."),
    FIELD(k8s_subjectaccessreview_status, evaluation_error, STR, "evaluationError",
          .doc = "What went wrong in deciding."),
    { 0 },
};
const struct type k8s_subjectaccessreview_status_type =
    TYPE(k8s_subjectaccessreview_status, k8s_subjectaccessreview_status_fields);

static const struct field k8s_subjectaccessreview_fields[] = {
    FIELD(k8s_subjectaccessreview, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_subjectaccessreview, spec, OBJECT, "spec", .of = &k8s_subjectaccessreview_spec_type,
          .doc = "The question."),
    FIELD(k8s_subjectaccessreview, status, OBJECT, "status",
          .of = &k8s_subjectaccessreview_status_type, .doc = "The answer."),
    { 0 },
};
const struct type k8s_subjectaccessreview_type =
    TYPE(k8s_subjectaccessreview, k8s_subjectaccessreview_fields);

static const struct field k8s_resource_attributes_fields[] = {
    FIELD(k8s_resource_attributes, namespace, STR, "namespace", .doc = "Namespace."),
    FIELD(k8s_resource_attributes, verb, STR, "verb", .doc = "What they would do."),
    FIELD(k8s_resource_attributes, group, STR, "group", .doc = "API group."),
    FIELD(k8s_resource_attributes, version, STR, "version", .doc = "API version."),
    FIELD(k8s_resource_attributes, resource, STR, "resource", .doc = "Plural of the kind."),
    FIELD(k8s_resource_attributes, subresource, STR, "subresource", .doc = "Part of it."),
    FIELD(k8s_resource_attributes, name, STR, "name", .doc = "Name of the object."),
    { 0 },
};
const struct type k8s_resource_attributes_type =
    TYPE(k8s_resource_attributes, k8s_resource_attributes_fields);

static const struct field k8s_path_attributes_fields[] = {
    FIELD(k8s_path_attributes, path, STR, "path", .doc = "The path."),
    FIELD(k8s_path_attributes, verb, STR, "verb", .doc = "What they would do."),
    { 0 },
};
const struct type k8s_path_attributes_type = TYPE(k8s_path_attributes, k8s_path_attributes_fields);

const struct kind k8s_subjectaccessreview_kind = {
    .group = "authorization.k8s.io",
    .version = "v1",
    .kind = "SubjectAccessReview",
    .plural = "subjectaccessreviews",
    .type = &k8s_subjectaccessreview_type,
    .status = &k8s_subjectaccessreview_fields[2],
};

struct k8s_subjectaccessreview *
k8s_subjectaccessreview_keep(struct arena *a, const struct k8s_subjectaccessreview *from)
{
    return table_copy(a, &k8s_subjectaccessreview_type, from);
}
