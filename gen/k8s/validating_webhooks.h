/* validating_webhooks.h - ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/webhook_parts.h"

/* Webhooks that judge objects before they are stored. */
struct k8s_validating_webhooks {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_webhook_list webhooks; /* The webhooks. */
};

extern const struct type k8s_validating_webhooks_type;
extern const struct kind k8s_validating_webhooks_kind;

/* Deep copies that live as long as the arena. */
struct k8s_validating_webhooks *
k8s_validating_webhooks_keep(struct arena *a, const struct k8s_validating_webhooks *from);
