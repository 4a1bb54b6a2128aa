/* lease.c - Lease of coordination.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/lease.h"

static const struct field k8s_lease_spec_fields[] = {
    FIELD(k8s_lease_spec, holder_identity, STR, "holderIdentity",
          .doc = "The holder; empty when it was given back."),
    FIELD(k8s_lease_spec, lease_duration_seconds, INT, "leaseDurationSeconds",
          .doc = "How long after renewTime others must wait."),
    FIELD(k8s_lease_spec, acquire_time, MICROTIME, "acquireTime", .doc = "When the holder got it."),
    FIELD(k8s_lease_spec, renew_time, MICROTIME, "renewTime",
          .doc = "When the holder last renewed it."),
    FIELD(k8s_lease_spec, lease_transitions, INT, "leaseTransitions",
          .doc = "How often it changed hands."),
    { 0 },
};
const struct type k8s_lease_spec_type = TYPE(k8s_lease_spec, k8s_lease_spec_fields);

static const struct field k8s_lease_fields[] = {
    FIELD(k8s_lease, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_lease, spec, OBJECT, "spec", .of = &k8s_lease_spec_type,
          .doc = "Who holds it and for how long."),
    { 0 },
};
const struct type k8s_lease_type = TYPE(k8s_lease, k8s_lease_fields);

const struct kind k8s_lease_kind = {
    .group = "coordination.k8s.io",
    .version = "v1",
    .kind = "Lease",
    .plural = "leases",
    .namespaced = true,
    .type = &k8s_lease_type,
};

struct k8s_lease *k8s_lease_keep(struct arena *a, const struct k8s_lease *from)
{
    return table_copy(a, &k8s_lease_type, from);
}
