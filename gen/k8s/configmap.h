/* configmap.h - ConfigMap of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* Files for pods. */
struct k8s_configmap {
    struct k8s_meta meta; /* Metadata of an object. */
    struct pairs data; /* Text by file name. */
    struct pairs binary_data; /* Base64 by file name, for what is not UTF-8. */
    enum flag immutable; /* The data cannot change any more. */
};

extern const struct type k8s_configmap_type;
extern const struct kind k8s_configmap_kind;

/* Deep copies that live as long as the arena. */
struct k8s_configmap *k8s_configmap_keep(struct arena *a, const struct k8s_configmap *from);
