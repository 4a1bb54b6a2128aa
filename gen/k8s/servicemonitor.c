/* servicemonitor.c - ServiceMonitor of monitoring.coreos.com/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/servicemonitor.h"

static const struct field k8s_metric_endpoint_fields[] = {
    FIELD(k8s_metric_endpoint, port, STR, "port", .doc = "Name of the Service's port."),
    FIELD(k8s_metric_endpoint, target_port, INT_STR, "targetPort",
          .doc = "Number or name of the pods' port."),
    FIELD(k8s_metric_endpoint, path, STR, "path", .doc = "Path of the page."),
    FIELD(k8s_metric_endpoint, scheme, STR, "scheme", .doc = "http or https."),
    FIELD(k8s_metric_endpoint, params, RAW, "params", .doc = "Query parameters."),
    FIELD(k8s_metric_endpoint, interval, STR, "interval", .doc = "How often."),
    FIELD(k8s_metric_endpoint, scrape_timeout, STR, "scrapeTimeout",
          .doc = "How long an answer may take."),
    FIELD(k8s_metric_endpoint, tls_config, RAW, "tlsConfig", .doc = "How to check the other side."),
    FIELD(k8s_metric_endpoint, bearer_token_file, STR, "bearerTokenFile",
          .doc = "File with the token to send."),
    FIELD(k8s_metric_endpoint, honor_labels, BOOL, "honorLabels",
          .doc = "Labels of the page win over ours."),
    FIELD(k8s_metric_endpoint, metric_relabelings, RAW, "metricRelabelings",
          .doc = "Changes to what was scraped."),
    FIELD(k8s_metric_endpoint, relabelings, RAW, "relabelings",
          .doc = "Changes to what is scraped."),
    { 0 },
};
const struct type k8s_metric_endpoint_type = TYPE(k8s_metric_endpoint, k8s_metric_endpoint_fields);

static const struct field k8s_servicemonitor_spec_fields[] = {
    FIELD(k8s_servicemonitor_spec, job_label, STR, "jobLabel",
          .doc = "Label of the Service that names the job."),
    FIELD(k8s_servicemonitor_spec, target_labels, STRS, "targetLabels",
          .doc = "Labels of the Service to copy."),
    FIELD(k8s_servicemonitor_spec, pod_target_labels, STRS, "podTargetLabels",
          .doc = "Labels of the pods to copy."),
    FIELD(k8s_servicemonitor_spec, endpoints, LIST, "endpoints", .of = &k8s_metric_endpoint_type,
          .doc = "The pages."),
    FIELD(k8s_servicemonitor_spec, selector, OBJECT, "selector", .flags = REQUIRED,
          .of = &k8s_label_selector_type, .doc = "Which Services."),
    FIELD(k8s_servicemonitor_spec, namespace_selector, POINTER, "namespaceSelector",
          .of = &k8s_servicemonitor_namespace_selector_type,
          .doc = "In which namespaces; its own when absent."),
    { 0 },
};
const struct type k8s_servicemonitor_spec_type =
    TYPE(k8s_servicemonitor_spec, k8s_servicemonitor_spec_fields);

static const struct field k8s_servicemonitor_fields[] = {
    FIELD(k8s_servicemonitor, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_servicemonitor, spec, OBJECT, "spec", .of = &k8s_servicemonitor_spec_type,
          .doc = "Where and how."),
    { 0 },
};
const struct type k8s_servicemonitor_type = TYPE(k8s_servicemonitor, k8s_servicemonitor_fields);

static const struct field k8s_servicemonitor_namespace_selector_fields[] = {
    FIELD(k8s_servicemonitor_namespace_selector, any, BOOL, "any", .doc = "In all of them."),
    FIELD(k8s_servicemonitor_namespace_selector, match_names, STRS, "matchNames",
          .doc = "In these."),
    { 0 },
};
const struct type k8s_servicemonitor_namespace_selector_type =
    TYPE(k8s_servicemonitor_namespace_selector, k8s_servicemonitor_namespace_selector_fields);

const struct kind k8s_servicemonitor_kind = {
    .group = "monitoring.coreos.com",
    .version = "v1",
    .kind = "ServiceMonitor",
    .plural = "servicemonitors",
    .namespaced = true,
    .type = &k8s_servicemonitor_type,
};

struct k8s_servicemonitor *k8s_servicemonitor_keep(struct arena *a,
                                                   const struct k8s_servicemonitor *from)
{
    return table_copy(a, &k8s_servicemonitor_type, from);
}
