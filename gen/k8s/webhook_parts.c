/* webhook_parts.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/webhook_parts.h"

static const struct field k8s_webhook_client_fields[] = {
    FIELD(k8s_webhook_client, url, STR, "url", .doc = "Its address outside the cluster."),
    FIELD(k8s_webhook_client, service, POINTER, "service", .of = &k8s_webhook_service_type,
          .doc = "Its Service."),
    FIELD(k8s_webhook_client, ca_bundle, STR, "caBundle",
          .doc = "Base64 of the PEM certificates that sign its own."),
    { 0 },
};
const struct type k8s_webhook_client_type = TYPE(k8s_webhook_client, k8s_webhook_client_fields);

static const struct field k8s_webhook_service_fields[] = {
    FIELD(k8s_webhook_service, namespace, STR, "namespace", .doc = "Namespace of the Service."),
    FIELD(k8s_webhook_service, name, STR, "name", .doc = "Name of the Service."),
    FIELD(k8s_webhook_service, path, STR, "path", .doc = "Path of the request."),
    FIELD(k8s_webhook_service, port, INT, "port", .doc = "Port of the Service."),
    { 0 },
};
const struct type k8s_webhook_service_type = TYPE(k8s_webhook_service, k8s_webhook_service_fields);

static const struct field k8s_webhook_fields[] = {
    FIELD(k8s_webhook, name, STR, "name", .flags = REQUIRED, .doc = "Name of the webhook."),
    FIELD(k8s_webhook, client_config, POINTER, "clientConfig", .of = &k8s_webhook_client_type,
          .doc = "Where it answers."),
    { 0 },
};
const struct type k8s_webhook_type = TYPE(k8s_webhook, k8s_webhook_fields);

struct k8s_webhook_client *k8s_webhook_client_keep(struct arena *a,
                                                   const struct k8s_webhook_client *from)
{
    return table_copy(a, &k8s_webhook_client_type, from);
}

struct k8s_webhook *k8s_webhook_keep(struct arena *a, const struct k8s_webhook *from)
{
    return table_copy(a, &k8s_webhook_type, from);
}
