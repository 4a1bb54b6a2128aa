/* binding.c - Binding of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/binding.h"

static const struct field k8s_binding_fields[] = {
    FIELD(k8s_binding, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_binding, target, POINTER, "target", .of = &k8s_object_ref_type, .doc = "The node."),
    { 0 },
};
const struct type k8s_binding_type = TYPE(k8s_binding, k8s_binding_fields);

const struct kind k8s_binding_kind = {
    .group = "",
    .version = "v1",
    .kind = "Binding",
    .plural = "bindings",
    .namespaced = true,
    .type = &k8s_binding_type,
};

struct k8s_binding *k8s_binding_keep(struct arena *a, const struct k8s_binding *from)
{
    return table_copy(a, &k8s_binding_type, from);
}
