/* namespace.c - Namespace of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/namespace.h"

static const struct field k8s_namespace_status_fields[] = {
    FIELD(k8s_namespace_status, phase, STR, "phase", .doc = "Active or Terminating."),
    { 0 },
};
const struct type k8s_namespace_status_type =
    TYPE(k8s_namespace_status, k8s_namespace_status_fields);

static const struct field k8s_namespace_fields[] = {
    FIELD(k8s_namespace, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_namespace, status, OBJECT, "status", .of = &k8s_namespace_status_type,
          .doc = "What became of it."),
    { 0 },
};
const struct type k8s_namespace_type = TYPE(k8s_namespace, k8s_namespace_fields);

const struct kind k8s_namespace_kind = {
    .group = "",
    .version = "v1",
    .kind = "Namespace",
    .plural = "namespaces",
    .has_status = true,
    .type = &k8s_namespace_type,
    .status = &k8s_namespace_fields[1],
};

struct k8s_namespace *k8s_namespace_keep(struct arena *a, const struct k8s_namespace *from)
{
    return table_copy(a, &k8s_namespace_type, from);
}
