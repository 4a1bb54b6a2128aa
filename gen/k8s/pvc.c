/* pvc.c - PersistentVolumeClaim of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/pvc.h"

static const struct field k8s_pvc_status_fields[] = {
    FIELD(k8s_pvc_status, phase, STR, "phase", .doc = "Pending, Bound or Lost."),
    FIELD(k8s_pvc_status, access_modes, STRS, "accessModes", .doc = "How it may be used."),
    FIELD(k8s_pvc_status, capacity, MAP, "capacity", .flags = QUANTITIES,
          .doc = "How much there is."),
    FIELD(k8s_pvc_status, conditions, LIST, "conditions", .of = &k8s_pod_condition_type,
          .list_key = "type", .doc = "Resizing and the like."),
    { 0 },
};
const struct type k8s_pvc_status_type = TYPE(k8s_pvc_status, k8s_pvc_status_fields);

static const struct field k8s_pvc_fields[] = {
    FIELD(k8s_pvc, meta, OBJECT, "metadata", .of = &k8s_meta_type, .doc = "Metadata of an object."),
    FIELD(k8s_pvc, spec, OBJECT, "spec", .of = &k8s_claim_spec_type, .doc = "What is asked for."),
    FIELD(k8s_pvc, status, OBJECT, "status", .of = &k8s_pvc_status_type, .doc = "What was given."),
    { 0 },
};
const struct type k8s_pvc_type = TYPE(k8s_pvc, k8s_pvc_fields);

const struct kind k8s_pvc_kind = {
    .group = "",
    .version = "v1",
    .kind = "PersistentVolumeClaim",
    .plural = "persistentvolumeclaims",
    .namespaced = true,
    .has_status = true,
    .type = &k8s_pvc_type,
    .status = &k8s_pvc_fields[2],
};

struct k8s_pvc *k8s_pvc_keep(struct arena *a, const struct k8s_pvc *from)
{
    return table_copy(a, &k8s_pvc_type, from);
}
