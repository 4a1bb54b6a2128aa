/* serviceaccount.c - ServiceAccount of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/serviceaccount.h"

static const struct field k8s_serviceaccount_fields[] = {
    FIELD(k8s_serviceaccount, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_serviceaccount, secrets, LIST, "secrets", .of = &k8s_object_ref_type,
          .list_key = "name", .doc = "Secrets that its pods may use."),
    FIELD(k8s_serviceaccount, image_pull_secrets, LIST, "imagePullSecrets",
          .of = &k8s_local_ref_type, .doc = "Secrets for pulling images."),
    FIELD(k8s_serviceaccount, automount_service_account_token, BOOL, "automountServiceAccountToken",
          .doc = "Whether pods get its token unasked."),
    { 0 },
};
const struct type k8s_serviceaccount_type = TYPE(k8s_serviceaccount, k8s_serviceaccount_fields);

const struct kind k8s_serviceaccount_kind = {
    .group = "",
    .version = "v1",
    .kind = "ServiceAccount",
    .plural = "serviceaccounts",
    .namespaced = true,
    .type = &k8s_serviceaccount_type,
};

struct k8s_serviceaccount *k8s_serviceaccount_keep(struct arena *a,
                                                   const struct k8s_serviceaccount *from)
{
    return table_copy(a, &k8s_serviceaccount_type, from);
}
