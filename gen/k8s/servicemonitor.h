/* servicemonitor.h - ServiceMonitor of monitoring.coreos.com/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

struct k8s_servicemonitor_namespace_selector;

/* One page to scrape. */
struct k8s_metric_endpoint {
    const char *port; /* Name of the Service's port. */
    struct int_or_str target_port; /* Number or name of the pods' port. */
    const char *path; /* Path of the page. */
    const char *scheme; /* http or https. */
    const struct json *params; /* Query parameters. */
    const char *interval; /* How often. */
    const char *scrape_timeout; /* How long an answer may take. */
    const struct json *tls_config; /* How to check the other side. */
    const char *bearer_token_file; /* File with the token to send. */
    enum flag honor_labels; /* Labels of the page win over ours. */
    const struct json *metric_relabelings; /* Changes to what was scraped. */
    const struct json *relabelings; /* Changes to what is scraped. */
};

struct k8s_metric_endpoint_list {
    struct k8s_metric_endpoint *v;
    size_t n;
};

/* Where and how. */
struct k8s_servicemonitor_spec {
    const char *job_label; /* Label of the Service that names the job. */
    struct strs target_labels; /* Labels of the Service to copy. */
    struct strs pod_target_labels; /* Labels of the pods to copy. */
    struct k8s_metric_endpoint_list endpoints; /* The pages. */
    struct k8s_label_selector selector; /* Which Services. */
    /* In which namespaces; its own when absent. */
    struct k8s_servicemonitor_namespace_selector *namespace_selector;
};

/* What Prometheus scrapes behind a Service. */
struct k8s_servicemonitor {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_servicemonitor_spec spec; /* Where and how. */
};

/* In which namespaces; its own when absent. */
struct k8s_servicemonitor_namespace_selector {
    enum flag any; /* In all of them. */
    struct strs match_names; /* In these. */
};

extern const struct type k8s_metric_endpoint_type;
extern const struct type k8s_servicemonitor_spec_type;
extern const struct type k8s_servicemonitor_type;
extern const struct type k8s_servicemonitor_namespace_selector_type;
extern const struct kind k8s_servicemonitor_kind;

/* Deep copies that live as long as the arena. */
struct k8s_servicemonitor *k8s_servicemonitor_keep(struct arena *a,
                                                   const struct k8s_servicemonitor *from);
