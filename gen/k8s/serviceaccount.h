/* serviceaccount.h - ServiceAccount of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* Who a pod is to the API. */
struct k8s_serviceaccount {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_object_ref_list secrets; /* Secrets that its pods may use. */
    struct k8s_local_ref_list image_pull_secrets; /* Secrets for pulling images. */
    enum flag automount_service_account_token; /* Whether pods get its token unasked. */
};

extern const struct type k8s_serviceaccount_type;
extern const struct kind k8s_serviceaccount_kind;

/* Deep copies that live as long as the arena. */
struct k8s_serviceaccount *k8s_serviceaccount_keep(struct arena *a,
                                                   const struct k8s_serviceaccount *from);
