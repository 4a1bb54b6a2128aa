/* eviction.c - Eviction of policy/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/eviction.h"

static const struct field k8s_eviction_fields[] = {
    FIELD(k8s_eviction, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_eviction, delete_options, POINTER, "deleteOptions", .of = &k8s_delete_options_type,
          .doc = "How it is deleted."),
    { 0 },
};
const struct type k8s_eviction_type = TYPE(k8s_eviction, k8s_eviction_fields);

const struct kind k8s_eviction_kind = {
    .group = "policy",
    .version = "v1",
    .kind = "Eviction",
    .plural = "evictions",
    .namespaced = true,
    .type = &k8s_eviction_type,
};

struct k8s_eviction *k8s_eviction_keep(struct arena *a, const struct k8s_eviction *from)
{
    return table_copy(a, &k8s_eviction_type, from);
}
