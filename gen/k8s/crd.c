/* crd.c - CustomResourceDefinition of apiextensions.k8s.io/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/crd.h"

static const struct field k8s_crd_spec_fields[] = {
    FIELD(k8s_crd_spec, conversion, POINTER, "conversion", .of = &k8s_crd_conversion_type,
          .doc = "How one version becomes another."),
    { 0 },
};
const struct type k8s_crd_spec_type = TYPE(k8s_crd_spec, k8s_crd_spec_fields);

static const struct field k8s_crd_status_fields[] = {
    FIELD(k8s_crd_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "Established and others."),
    FIELD(k8s_crd_status, stored_versions, STRS, "storedVersions",
          .doc = "Versions in which objects may be stored."),
    { 0 },
};
const struct type k8s_crd_status_type = TYPE(k8s_crd_status, k8s_crd_status_fields);

static const struct field k8s_crd_fields[] = {
    FIELD(k8s_crd, meta, OBJECT, "metadata", .of = &k8s_meta_type, .doc = "Metadata of an object."),
    FIELD(k8s_crd, spec, OBJECT, "spec", .of = &k8s_crd_spec_type, .doc = "The definition."),
    FIELD(k8s_crd, status, OBJECT, "status", .of = &k8s_crd_status_type,
          .doc = "What became of it."),
    { 0 },
};
const struct type k8s_crd_type = TYPE(k8s_crd, k8s_crd_fields);

static const struct field k8s_crd_conversion_fields[] = {
    FIELD(k8s_crd_conversion, strategy, STR, "strategy", .doc = "None or Webhook."),
    FIELD(k8s_crd_conversion, webhook, POINTER, "webhook", .of = &k8s_crd_conversion_webhook_type,
          .doc = "Who converts."),
    { 0 },
};
const struct type k8s_crd_conversion_type = TYPE(k8s_crd_conversion, k8s_crd_conversion_fields);

static const struct field k8s_crd_conversion_webhook_fields[] = {
    FIELD(k8s_crd_conversion_webhook, client_config, POINTER, "clientConfig",
          .of = &k8s_webhook_client_type, .doc = "Where the webhook answers."),
    FIELD(k8s_crd_conversion_webhook, conversion_review_versions, STRS, "conversionReviewVersions",
          .doc = "Reviews it understands."),
    { 0 },
};
const struct type k8s_crd_conversion_webhook_type =
    TYPE(k8s_crd_conversion_webhook, k8s_crd_conversion_webhook_fields);

const struct kind k8s_crd_kind = {
    .group = "apiextensions.k8s.io",
    .version = "v1",
    .kind = "CustomResourceDefinition",
    .plural = "customresourcedefinitions",
    .has_status = true,
    .type = &k8s_crd_type,
    .status = &k8s_crd_fields[2],
};

struct k8s_crd *k8s_crd_keep(struct arena *a, const struct k8s_crd *from)
{
    return table_copy(a, &k8s_crd_type, from);
}
