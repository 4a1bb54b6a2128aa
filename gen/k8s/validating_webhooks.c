/* validating_webhooks.c - ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/validating_webhooks.h"

static const struct field k8s_validating_webhooks_fields[] = {
    FIELD(k8s_validating_webhooks, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_validating_webhooks, webhooks, LIST, "webhooks", .of = &k8s_webhook_type,
          .list_key = "name", .doc = "The webhooks."),
    { 0 },
};
const struct type k8s_validating_webhooks_type =
    TYPE(k8s_validating_webhooks, k8s_validating_webhooks_fields);

const struct kind k8s_validating_webhooks_kind = {
    .group = "admissionregistration.k8s.io",
    .version = "v1",
    .kind = "ValidatingWebhookConfiguration",
    .plural = "validatingwebhookconfigurations",
    .type = &k8s_validating_webhooks_type,
};

struct k8s_validating_webhooks *
k8s_validating_webhooks_keep(struct arena *a, const struct k8s_validating_webhooks *from)
{
    return table_copy(a, &k8s_validating_webhooks_type, from);
}
