/* webhook_parts.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

struct k8s_webhook_client;
struct k8s_webhook_service;

/* Where a webhook answers. */
struct k8s_webhook_client {
    const char *url; /* Its address outside the cluster. */
    struct k8s_webhook_service *service; /* Its Service. */
    const char *ca_bundle; /* Base64 of the PEM certificates that sign its own. */
};

/* Its Service. */
struct k8s_webhook_service {
    const char *namespace; /* Namespace of the Service. */
    const char *name; /* Name of the Service. */
    const char *path; /* Path of the request. */
    struct maybe_int port; /* Port of the Service. */
};

/* One webhook. */
struct k8s_webhook {
    const char *name; /* Name of the webhook. */
    struct k8s_webhook_client *client_config; /* Where it answers. */
};

struct k8s_webhook_list {
    struct k8s_webhook *v;
    size_t n;
};

extern const struct type k8s_webhook_client_type;
extern const struct type k8s_webhook_service_type;
extern const struct type k8s_webhook_type;

/* Deep copies that live as long as the arena. */
struct k8s_webhook_client *k8s_webhook_client_keep(struct arena *a,
                                                   const struct k8s_webhook_client *from);
struct k8s_webhook *k8s_webhook_keep(struct arena *a, const struct k8s_webhook *from);
