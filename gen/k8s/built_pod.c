/* built_pod.c - Pod of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/built_pod.h"

static const struct field k8s_built_pod_fields[] = {
    FIELD(k8s_built_pod, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_built_pod, spec, RAW, "spec",
          .doc = "A core/v1 PodSpec, built from a k8s_pod_spec with the user's part merged over "
                 "it."),
    { 0 },
};
const struct type k8s_built_pod_type = TYPE(k8s_built_pod, k8s_built_pod_fields);

const struct kind k8s_built_pod_kind = {
    .group = "",
    .version = "v1",
    .kind = "Pod",
    .plural = "pods",
    .namespaced = true,
    .has_status = true,
    .type = &k8s_built_pod_type,
};

struct k8s_built_pod *k8s_built_pod_keep(struct arena *a, const struct k8s_built_pod *from)
{
    return table_copy(a, &k8s_built_pod_type, from);
}
