/* crd.h - CustomResourceDefinition of apiextensions.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/webhook_parts.h"

struct k8s_crd_conversion;
struct k8s_crd_conversion_webhook;

/* The definition. */
struct k8s_crd_spec {
    struct k8s_crd_conversion *conversion; /* How one version becomes another. */
};

/* What became of it. */
struct k8s_crd_status {
    struct k8s_condition_list conditions; /* Established and others. */
    struct strs stored_versions; /* Versions in which objects may be stored. */
};

/* A kind defined in the cluster, as far as we touch it. */
struct k8s_crd {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_crd_spec spec; /* The definition. */
    struct k8s_crd_status status; /* What became of it. */
};

/* How one version becomes another. */
struct k8s_crd_conversion {
    const char *strategy; /* None or Webhook. */
    struct k8s_crd_conversion_webhook *webhook; /* Who converts. */
};

/* Who converts. */
struct k8s_crd_conversion_webhook {
    struct k8s_webhook_client *client_config; /* Where the webhook answers. */
    struct strs conversion_review_versions; /* Reviews it understands. */
};

extern const struct type k8s_crd_spec_type;
extern const struct type k8s_crd_status_type;
extern const struct type k8s_crd_type;
extern const struct type k8s_crd_conversion_type;
extern const struct type k8s_crd_conversion_webhook_type;
extern const struct kind k8s_crd_kind;

/* Deep copies that live as long as the arena. */
struct k8s_crd *k8s_crd_keep(struct arena *a, const struct k8s_crd *from);
