/* pdb.c - PodDisruptionBudget of policy/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/pdb.h"

static const struct field k8s_pdb_spec_fields[] = {
    FIELD(k8s_pdb_spec, min_available, INT_STR, "minAvailable", .doc = "How many must stay."),
    FIELD(k8s_pdb_spec, selector, POINTER, "selector", .of = &k8s_label_selector_type,
          .doc = "Which pods count."),
    FIELD(k8s_pdb_spec, max_unavailable, INT_STR, "maxUnavailable",
          .doc = "How many may be missing."),
    FIELD(k8s_pdb_spec, unhealthy_pod_eviction_policy, STR, "unhealthyPodEvictionPolicy",
          .doc = "IfHealthyBudget or AlwaysAllow."),
    { 0 },
};
const struct type k8s_pdb_spec_type = TYPE(k8s_pdb_spec, k8s_pdb_spec_fields);

static const struct field k8s_pdb_status_fields[] = {
    FIELD(k8s_pdb_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(k8s_pdb_status, disruptions_allowed, INT, "disruptionsAllowed",
          .doc = "How many may be evicted now."),
    FIELD(k8s_pdb_status, current_healthy, INT, "currentHealthy", .doc = "How many are healthy."),
    FIELD(k8s_pdb_status, desired_healthy, INT, "desiredHealthy", .doc = "How many must be."),
    FIELD(k8s_pdb_status, expected_pods, INT, "expectedPods", .doc = "How many there are in all."),
    { 0 },
};
const struct type k8s_pdb_status_type = TYPE(k8s_pdb_status, k8s_pdb_status_fields);

static const struct field k8s_pdb_fields[] = {
    FIELD(k8s_pdb, meta, OBJECT, "metadata", .of = &k8s_meta_type, .doc = "Metadata of an object."),
    FIELD(k8s_pdb, spec, OBJECT, "spec", .of = &k8s_pdb_spec_type, .doc = "The bound."),
    FIELD(k8s_pdb, status, OBJECT, "status", .of = &k8s_pdb_status_type,
          .doc = "The pods as last seen."),
    { 0 },
};
const struct type k8s_pdb_type = TYPE(k8s_pdb, k8s_pdb_fields);

const struct kind k8s_pdb_kind = {
    .group = "policy",
    .version = "v1",
    .kind = "PodDisruptionBudget",
    .plural = "poddisruptionbudgets",
    .namespaced = true,
    .has_status = true,
    .type = &k8s_pdb_type,
    .status = &k8s_pdb_fields[2],
};

struct k8s_pdb *k8s_pdb_keep(struct arena *a, const struct k8s_pdb *from)
{
    return table_copy(a, &k8s_pdb_type, from);
}
