/* mutating_webhooks.h - MutatingWebhookConfiguration of admissionregistration.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/webhook_parts.h"

/* Webhooks that change objects before they are stored. */
struct k8s_mutating_webhooks {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_webhook_list webhooks; /* The webhooks. */
};

extern const struct type k8s_mutating_webhooks_type;
extern const struct kind k8s_mutating_webhooks_kind;

/* Deep copies that live as long as the arena. */
struct k8s_mutating_webhooks *k8s_mutating_webhooks_keep(struct arena *a,
                                                         const struct k8s_mutating_webhooks *from);
