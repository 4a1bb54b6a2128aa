/* binding.h - Binding of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* Ties a pod to a node; created as pods/binding. */
struct k8s_binding {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_object_ref *target; /* The node. */
};

extern const struct type k8s_binding_type;
extern const struct kind k8s_binding_kind;

/* Deep copies that live as long as the arena. */
struct k8s_binding *k8s_binding_keep(struct arena *a, const struct k8s_binding *from);
