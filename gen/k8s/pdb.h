/* pdb.h - PodDisruptionBudget of policy/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* The bound. */
struct k8s_pdb_spec {
    struct int_or_str min_available; /* How many must stay. */
    struct k8s_label_selector *selector; /* Which pods count. */
    struct int_or_str max_unavailable; /* How many may be missing. */
    const char *unhealthy_pod_eviction_policy; /* IfHealthyBudget or AlwaysAllow. */
};

/* The pods as last seen. */
struct k8s_pdb_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    struct maybe_int disruptions_allowed; /* How many may be evicted now. */
    struct maybe_int current_healthy; /* How many are healthy. */
    struct maybe_int desired_healthy; /* How many must be. */
    struct maybe_int expected_pods; /* How many there are in all. */
};

/* How many pods may be evicted at once. */
struct k8s_pdb {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_pdb_spec spec; /* The bound. */
    struct k8s_pdb_status status; /* The pods as last seen. */
};

extern const struct type k8s_pdb_spec_type;
extern const struct type k8s_pdb_status_type;
extern const struct type k8s_pdb_type;
extern const struct kind k8s_pdb_kind;

/* Deep copies that live as long as the arena. */
struct k8s_pdb *k8s_pdb_keep(struct arena *a, const struct k8s_pdb *from);
