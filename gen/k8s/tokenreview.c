/* tokenreview.c - TokenReview of authentication.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/tokenreview.h"

static const struct field k8s_tokenreview_spec_fields[] = {
    FIELD(k8s_tokenreview_spec, token, STR, "token", .flags = SENSITIVE, .doc = "The token."),
    FIELD(k8s_tokenreview_spec, audiences, STRS, "audiences", .doc = "Who it must be for."),
    { 0 },
};
const struct type k8s_tokenreview_spec_type =
    TYPE(k8s_tokenreview_spec, k8s_tokenreview_spec_fields);

static const struct field k8s_tokenreview_status_fields[] = {
    FIELD(k8s_tokenreview_status, authenticated, BOOL, "authenticated", .doc = "It is good."),
    FIELD(k8s_tokenreview_status, user, POINTER, "user", .of = &k8s_user_info_type,
          .doc = "Whose it is."),
    FIELD(k8s_tokenreview_status, audiences, STRS, "audiences", .doc = "Who it is for."),
    FIELD(k8s_tokenreview_status, error, STR, "error", .doc = "Why it could not be checked."),
    { 0 },
};
const struct type k8s_tokenreview_status_type =
    TYPE(k8s_tokenreview_status, k8s_tokenreview_status_fields);

static const struct field k8s_tokenreview_fields[] = {
    FIELD(k8s_tokenreview, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_tokenreview, spec, OBJECT, "spec", .of = &k8s_tokenreview_spec_type,
          .doc = "The question."),
    FIELD(k8s_tokenreview, status, OBJECT, "status", .of = &k8s_tokenreview_status_type,
          .doc = "The answer."),
    { 0 },
};
const struct type k8s_tokenreview_type = TYPE(k8s_tokenreview, k8s_tokenreview_fields);

static const struct field k8s_user_info_fields[] = {
    FIELD(k8s_user_info, username, STR, "username", .doc = "Name."),
    FIELD(k8s_user_info, uid, STR, "uid", .doc = "Uid."),
    FIELD(k8s_user_info, groups, STRS, "groups", .doc = "Groups."),
    FIELD(k8s_user_info, extra, RAW, "extra", .doc = "What else is known."),
    { 0 },
};
const struct type k8s_user_info_type = TYPE(k8s_user_info, k8s_user_info_fields);

const struct kind k8s_tokenreview_kind = {
    .group = "authentication.k8s.io",
    .version = "v1",
    .kind = "TokenReview",
    .plural = "tokenreviews",
    .type = &k8s_tokenreview_type,
    .status = &k8s_tokenreview_fields[2],
};

struct k8s_tokenreview *k8s_tokenreview_keep(struct arena *a, const struct k8s_tokenreview *from)
{
    return table_copy(a, &k8s_tokenreview_type, from);
}
