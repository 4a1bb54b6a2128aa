/* scale.c - Scale of autoscaling/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/scale.h"

static const struct field k8s_scale_spec_fields[] = {
    FIELD(k8s_scale_spec, replicas, INT, "replicas", .doc = "How many there should be."),
    { 0 },
};
const struct type k8s_scale_spec_type = TYPE(k8s_scale_spec, k8s_scale_spec_fields);

static const struct field k8s_scale_status_fields[] = {
    FIELD(k8s_scale_status, replicas, INT, "replicas", .doc = "How many there are."),
    FIELD(k8s_scale_status, selector, STR, "selector", .doc = "Which pods they are."),
    { 0 },
};
const struct type k8s_scale_status_type = TYPE(k8s_scale_status, k8s_scale_status_fields);

static const struct field k8s_scale_fields[] = {
    FIELD(k8s_scale, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_scale, spec, OBJECT, "spec", .of = &k8s_scale_spec_type, .doc = "The wish."),
    FIELD(k8s_scale, status, OBJECT, "status", .of = &k8s_scale_status_type, .doc = "The state."),
    { 0 },
};
const struct type k8s_scale_type = TYPE(k8s_scale, k8s_scale_fields);

const struct kind k8s_scale_kind = {
    .group = "autoscaling",
    .version = "v1",
    .kind = "Scale",
    .plural = "scales",
    .namespaced = true,
    .type = &k8s_scale_type,
    .status = &k8s_scale_fields[2],
};

struct k8s_scale *k8s_scale_keep(struct arena *a, const struct k8s_scale *from)
{
    return table_copy(a, &k8s_scale_type, from);
}
