/* configmap.c - ConfigMap of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/configmap.h"

static const struct field k8s_configmap_fields[] = {
    FIELD(k8s_configmap, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_configmap, data, MAP, "data", .doc = "Text by file name."),
    FIELD(k8s_configmap, binary_data, MAP, "binaryData",
          .doc = "Base64 by file name, for what is not UTF-8."),
    FIELD(k8s_configmap, immutable, BOOL, "immutable", .doc = "The data cannot change any more."),
    { 0 },
};
const struct type k8s_configmap_type = TYPE(k8s_configmap, k8s_configmap_fields);

const struct kind k8s_configmap_kind = {
    .group = "",
    .version = "v1",
    .kind = "ConfigMap",
    .plural = "configmaps",
    .namespaced = true,
    .type = &k8s_configmap_type,
};

struct k8s_configmap *k8s_configmap_keep(struct arena *a, const struct k8s_configmap *from)
{
    return table_copy(a, &k8s_configmap_type, from);
}
