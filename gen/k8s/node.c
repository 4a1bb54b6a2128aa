/* node.c - Node of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/node.h"

static const struct field k8s_taint_fields[] = {
    FIELD(k8s_taint, key, STR, "key", .doc = "Key of the taint."),
    FIELD(k8s_taint, value, STR, "value", .doc = "Its value."),
    FIELD(k8s_taint, effect, STR, "effect", .doc = "NoSchedule, PreferNoSchedule or NoExecute."),
    { 0 },
};
const struct type k8s_taint_type = TYPE(k8s_taint, k8s_taint_fields);

static const struct field k8s_node_spec_fields[] = {
    FIELD(k8s_node_spec, taints, LIST, "taints", .flags = SHARED, .of = &k8s_taint_type,
          .list_key = "key,effect", .doc = "What keeps pods away."),
    FIELD(k8s_node_spec, unschedulable, BOOL, "unschedulable",
          .doc = "No new pods are placed on it."),
    FIELD(k8s_node_spec, provider_id, STR, "providerID", .doc = "What its cloud calls it."),
    { 0 },
};
const struct type k8s_node_spec_type = TYPE(k8s_node_spec, k8s_node_spec_fields);

static const struct field k8s_node_address_fields[] = {
    FIELD(k8s_node_address, type, STR, "type", .flags = SHARED,
          .doc = "InternalIP, Hostname and others."),
    FIELD(k8s_node_address, address, STR, "address", .doc = "The address."),
    { 0 },
};
const struct type k8s_node_address_type = TYPE(k8s_node_address, k8s_node_address_fields);

static const struct field k8s_node_status_fields[] = {
    FIELD(k8s_node_status, capacity, MAP, "capacity", .flags = QUANTITIES | SHARED,
          .doc = "What it has."),
    FIELD(k8s_node_status, allocatable, MAP, "allocatable", .flags = QUANTITIES | SHARED,
          .doc = "What pods may use of it."),
    FIELD(k8s_node_status, conditions, LIST, "conditions", .flags = SHARED,
          .of = &k8s_pod_condition_type, .list_key = "type",
          .doc = "Ready and what may be wrong with it."),
    FIELD(k8s_node_status, addresses, LIST, "addresses", .of = &k8s_node_address_type,
          .doc = "Where it can be reached."),
    { 0 },
};
const struct type k8s_node_status_type = TYPE(k8s_node_status, k8s_node_status_fields);

static const struct field k8s_node_fields[] = {
    FIELD(k8s_node, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_node, spec, OBJECT, "spec", .of = &k8s_node_spec_type,
          .doc = "What was asked of it."),
    FIELD(k8s_node, status, OBJECT, "status", .of = &k8s_node_status_type,
          .doc = "What is known of it."),
    { 0 },
};
const struct type k8s_node_type = TYPE(k8s_node, k8s_node_fields);

const struct kind k8s_node_kind = {
    .group = "",
    .version = "v1",
    .kind = "Node",
    .plural = "nodes",
    .has_status = true,
    .type = &k8s_node_type,
    .status = &k8s_node_fields[2],
};

struct k8s_node *k8s_node_keep(struct arena *a, const struct k8s_node *from)
{
    return table_copy(a, &k8s_node_type, from);
}
