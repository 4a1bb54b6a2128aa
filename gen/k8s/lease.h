/* lease.h - Lease of coordination.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* Who holds it and for how long. */
struct k8s_lease_spec {
    const char *holder_identity; /* The holder; empty when it was given back. */
    struct maybe_int lease_duration_seconds; /* How long after renewTime others must wait. */
    usec acquire_time; /* When the holder got it. */
    usec renew_time; /* When the holder last renewed it. */
    struct maybe_int lease_transitions; /* How often it changed hands. */
};

/* A right that one holder has for a while. */
struct k8s_lease {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_lease_spec spec; /* Who holds it and for how long. */
};

extern const struct type k8s_lease_spec_type;
extern const struct type k8s_lease_type;
extern const struct kind k8s_lease_kind;

/* Deep copies that live as long as the arena. */
struct k8s_lease *k8s_lease_keep(struct arena *a, const struct k8s_lease *from);
