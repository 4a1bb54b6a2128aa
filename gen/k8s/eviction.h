/* eviction.h - Eviction of policy/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/reply.h"

/* Asks a pod to go, within its budget; created as pods/eviction. */
struct k8s_eviction {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_delete_options *delete_options; /* How it is deleted. */
};

extern const struct type k8s_eviction_type;
extern const struct kind k8s_eviction_kind;

/* Deep copies that live as long as the arena. */
struct k8s_eviction *k8s_eviction_keep(struct arena *a, const struct k8s_eviction *from);
