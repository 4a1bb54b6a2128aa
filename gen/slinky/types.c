/* types.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "slinky/types.h"

static const struct field slinky_secret_key_fields[] = {
    FIELD(slinky_secret_key, name, STR, "name", .default_text = "\"\"",
          .doc = "Name of the Secret."),
    FIELD(slinky_secret_key, key, STR, "key", .flags = REQUIRED,
          .doc = "Key within the Secret's data."),
    FIELD(slinky_secret_key, optional, BOOL, "optional",
          .doc = "Kept for compatibility; the key is needed either way."),
    { 0 },
};
const struct type slinky_secret_key_type = TYPE(slinky_secret_key, slinky_secret_key_fields);

static const struct field slinky_config_map_key_fields[] = {
    FIELD(slinky_config_map_key, name, STR, "name", .default_text = "\"\"",
          .doc = "Name of the ConfigMap."),
    FIELD(slinky_config_map_key, key, STR, "key", .flags = REQUIRED,
          .doc = "Key within the ConfigMap's data."),
    FIELD(slinky_config_map_key, optional, BOOL, "optional",
          .doc = "Kept for compatibility; the key is needed either way."),
    { 0 },
};
const struct type slinky_config_map_key_type =
    TYPE(slinky_config_map_key, slinky_config_map_key_fields);

static const struct field slinky_external_config_fields[] = {
    FIELD(slinky_external_config, host, STR, "host", .flags = REQUIRED,
          .doc = "Host name or IP address."),
    FIELD(slinky_external_config, port, INT, "port", .flags = REQUIRED, .doc = "TCP port."),
    { 0 },
};
const struct type slinky_external_config_type =
    TYPE(slinky_external_config, slinky_external_config_fields);

static const struct field slinky_metadata_fields[] = {
    FIELD(slinky_metadata, labels, MAP, "labels", .flags = NULLABLE, .doc = "Labels to add."),
    FIELD(slinky_metadata, annotations, MAP, "annotations", .flags = NULLABLE,
          .doc = "Annotations to add."),
    { 0 },
};
const struct type slinky_metadata_type = TYPE(slinky_metadata, slinky_metadata_fields);

static const struct field slinky_pod_template_fields[] = {
    FIELD(slinky_pod_template, meta, OBJECT, "metadata", .of = &slinky_metadata_type,
          .doc = "Labels and annotations of the pods."),
    FIELD(slinky_pod_template, spec, RAW, "spec",
          .doc = "Fields of a core/v1 PodSpec, merged over the built one."),
    { 0 },
};
const struct type slinky_pod_template_type = TYPE(slinky_pod_template, slinky_pod_template_fields);

static const struct field slinky_service_fields[] = {
    FIELD(slinky_service, meta, OBJECT, "metadata", .of = &slinky_metadata_type,
          .doc = "Labels and annotations of the Service."),
    FIELD(slinky_service, spec, RAW, "spec",
          .doc = "Fields of a core/v1 ServiceSpec, on top of which the port and selector are set."),
    FIELD(slinky_service, port, INT, "port",
          .doc = "Port to serve on; absent or 0 means the daemon's usual one."),
    FIELD(slinky_service, node_port, INT, "nodePort",
          .doc = "Port on every node, for Services of type NodePort and LoadBalancer."),
    { 0 },
};
const struct type slinky_service_type = TYPE(slinky_service, slinky_service_fields);

static const struct field slinky_local_ref_fields[] = {
    FIELD(slinky_local_ref, name, STR, "name", .default_text = "\"\"",
          .doc = "Name of the object."),
    { 0 },
};
const struct type slinky_local_ref_type = TYPE(slinky_local_ref, slinky_local_ref_fields);

static const struct field slinky_persistence_fields[] = {
    FIELD(slinky_persistence, enabled, BOOL, "enabled", .flags = REQUIRED, .default_text = "true",
          .doc = "Keep the state on a volume claim; false loses it with the pod."),
    FIELD(slinky_persistence, existing_claim, STR, "existingClaim",
          .doc = "Claim to use instead of making one; the fields below are then ignored."),
    FIELD(slinky_persistence, access_modes, STRS, "accessModes",
          .doc = "Access modes of the claim."),
    FIELD(slinky_persistence, data_source, POINTER, "dataSource",
          .of = &slinky_persistence_data_source_type,
          .doc = "Snapshot or claim the volume begins as."),
    FIELD(slinky_persistence, data_source_ref, POINTER, "dataSourceRef",
          .of = &slinky_persistence_data_source_ref_type,
          .doc = "Any object a volume populator understands."),
    FIELD(slinky_persistence, resources, POINTER, "resources",
          .of = &slinky_persistence_resources_type, .doc = "Size of the claim."),
    FIELD(slinky_persistence, selector, POINTER, "selector", .of = &slinky_label_selector_type,
          .doc = "Volumes the claim may bind to."),
    FIELD(slinky_persistence, storage_class_name, STR, "storageClassName",
          .doc = "Storage class; absent means the cluster's default."),
    FIELD(slinky_persistence, volume_attributes_class_name, STR, "volumeAttributesClassName",
          .doc = "Volume attributes class."),
    FIELD(slinky_persistence, volume_mode, STR, "volumeMode",
          .doc = "Filesystem or Block; slurmctld needs Filesystem."),
    FIELD(slinky_persistence, volume_name, STR, "volumeName", .doc = "The one volume to bind to."),
    { 0 },
};
const struct type slinky_persistence_type = TYPE(slinky_persistence, slinky_persistence_fields);

static const struct field slinky_persistence_data_source_fields[] = {
    FIELD(slinky_persistence_data_source, api_group, STR, "apiGroup",
          .doc = "API group of the source; empty for core kinds."),
    FIELD(slinky_persistence_data_source, kind, STR, "kind", .flags = REQUIRED,
          .doc = "Kind of the source."),
    FIELD(slinky_persistence_data_source, name, STR, "name", .flags = REQUIRED,
          .doc = "Name of the source."),
    { 0 },
};
const struct type slinky_persistence_data_source_type =
    TYPE(slinky_persistence_data_source, slinky_persistence_data_source_fields);

static const struct field slinky_persistence_data_source_ref_fields[] = {
    FIELD(slinky_persistence_data_source_ref, api_group, STR, "apiGroup",
          .doc = "API group of the source; empty for core kinds."),
    FIELD(slinky_persistence_data_source_ref, kind, STR, "kind", .flags = REQUIRED,
          .doc = "Kind of the source."),
    FIELD(slinky_persistence_data_source_ref, name, STR, "name", .flags = REQUIRED,
          .doc = "Name of the source."),
    FIELD(slinky_persistence_data_source_ref, namespace, STR, "namespace",
          .doc = "Namespace of the source, where grants allow another one."),
    { 0 },
};
const struct type slinky_persistence_data_source_ref_type =
    TYPE(slinky_persistence_data_source_ref, slinky_persistence_data_source_ref_fields);

static const struct field slinky_persistence_resources_fields[] = {
    FIELD(slinky_persistence_resources, limits, MAP, "limits", .flags = QUANTITIES,
          .doc = "The most the volume may hold."),
    FIELD(slinky_persistence_resources, requests, MAP, "requests", .flags = QUANTITIES,
          .doc = "The least the volume must hold."),
    { 0 },
};
const struct type slinky_persistence_resources_type =
    TYPE(slinky_persistence_resources, slinky_persistence_resources_fields);

static const struct field slinky_label_selector_match_expressions_fields[] = {
    FIELD(slinky_label_selector_match_expressions, key, STR, "key", .flags = REQUIRED,
          .doc = "Label to look at."),
    FIELD(slinky_label_selector_match_expressions, operator, STR, "operator", .flags = REQUIRED,
          .doc = "In, NotIn, Exists or DoesNotExist."),
    FIELD(slinky_label_selector_match_expressions, values, STRS, "values",
          .doc = "Values for In and NotIn."),
    { 0 },
};
const struct type slinky_label_selector_match_expressions_type =
    TYPE(slinky_label_selector_match_expressions, slinky_label_selector_match_expressions_fields);

static const struct field slinky_label_selector_fields[] = {
    FIELD(slinky_label_selector, match_labels, MAP, "matchLabels",
          .doc = "Labels that must be there with these values."),
    FIELD(slinky_label_selector, match_expressions, LIST, "matchExpressions", .flags = ATOMIC,
          .of = &slinky_label_selector_match_expressions_type,
          .doc = "Requirements that must all hold."),
    { 0 },
};
const struct type slinky_label_selector_type =
    TYPE(slinky_label_selector, slinky_label_selector_fields);

static const struct field slinky_metrics_fields[] = {
    FIELD(slinky_metrics, enabled, BOOL, "enabled", .default_text = "false",
          .doc = "Let slurmctld serve metrics."),
    FIELD(slinky_metrics, service_monitor, POINTER, "serviceMonitor", .flags = NULLABLE,
          .of = &slinky_service_monitor_type,
          .doc = "How the Prometheus operator scrapes slurmctld."),
    { 0 },
};
const struct type slinky_metrics_type = TYPE(slinky_metrics, slinky_metrics_fields);

static const struct field slinky_metric_endpoint_fields[] = {
    FIELD(slinky_metric_endpoint, path, STR, "path", .flags = REQUIRED,
          .doc = "HTTP path, such as /metrics/jobs."),
    FIELD(slinky_metric_endpoint, interval, STR, "interval",
          .rule = RULE(.pattern = "^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$"),
          .doc = "Time between scrapes of this path."),
    FIELD(slinky_metric_endpoint, scrape_timeout, STR, "scrapeTimeout",
          .rule = RULE(.pattern = "^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$"),
          .doc = "Time one scrape of this path may take."),
    { 0 },
};
const struct type slinky_metric_endpoint_type =
    TYPE(slinky_metric_endpoint, slinky_metric_endpoint_fields);

static const struct field slinky_service_monitor_fields[] = {
    FIELD(slinky_service_monitor, enabled, BOOL, "enabled", .default_text = "false",
          .doc = "Create a ServiceMonitor; metrics.enabled must be true as well."),
    FIELD(slinky_service_monitor, labels, MAP, "labels", .flags = NULLABLE,
          .doc = "Labels of the ServiceMonitor, which a Prometheus selects by."),
    FIELD(slinky_service_monitor, annotations, MAP, "annotations", .flags = NULLABLE,
          .doc = "Annotations of the ServiceMonitor."),
    FIELD(slinky_service_monitor, interval, STR, "interval",
          .rule = RULE(.pattern = "^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$"),
          .doc = "Time between scrapes, for endpoints that do not set their own."),
    FIELD(slinky_service_monitor, scrape_timeout, STR, "scrapeTimeout",
          .rule = RULE(.pattern = "^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$"),
          .doc = "Time one scrape may take, for endpoints that do not set their own."),
    FIELD(slinky_service_monitor, endpoints, LIST, "endpoints", .flags = NULLABLE,
          .of = &slinky_metric_endpoint_type,
          .doc = "What to scrape; empty means jobs, nodes, partitions and scheduler."),
    { 0 },
};
const struct type slinky_service_monitor_type =
    TYPE(slinky_service_monitor, slinky_service_monitor_fields);

struct slinky_secret_key *slinky_secret_key_keep(struct arena *a,
                                                 const struct slinky_secret_key *from)
{
    return table_copy(a, &slinky_secret_key_type, from);
}

struct slinky_config_map_key *slinky_config_map_key_keep(struct arena *a,
                                                         const struct slinky_config_map_key *from)
{
    return table_copy(a, &slinky_config_map_key_type, from);
}

struct slinky_external_config *
slinky_external_config_keep(struct arena *a, const struct slinky_external_config *from)
{
    return table_copy(a, &slinky_external_config_type, from);
}

struct slinky_metadata *slinky_metadata_keep(struct arena *a, const struct slinky_metadata *from)
{
    return table_copy(a, &slinky_metadata_type, from);
}

struct slinky_pod_template *slinky_pod_template_keep(struct arena *a,
                                                     const struct slinky_pod_template *from)
{
    return table_copy(a, &slinky_pod_template_type, from);
}

struct slinky_service *slinky_service_keep(struct arena *a, const struct slinky_service *from)
{
    return table_copy(a, &slinky_service_type, from);
}

struct slinky_local_ref *
slinky_local_ref_keep(struct arena *a, const struct slinky_local_ref *from)
{
    return table_copy(a, &slinky_local_ref_type, from);
}

struct slinky_persistence *slinky_persistence_keep(struct arena *a,
                                                   const struct slinky_persistence *from)
{
    return table_copy(a, &slinky_persistence_type, from);
}

struct slinky_label_selector *slinky_label_selector_keep(struct arena *a,
                                                         const struct slinky_label_selector *from)
{
    return table_copy(a, &slinky_label_selector_type, from);
}

struct slinky_metrics *slinky_metrics_keep(struct arena *a, const struct slinky_metrics *from)
{
    return table_copy(a, &slinky_metrics_type, from);
}

struct slinky_metric_endpoint *
slinky_metric_endpoint_keep(struct arena *a, const struct slinky_metric_endpoint *from)
{
    return table_copy(a, &slinky_metric_endpoint_type, from);
}

struct slinky_service_monitor *
slinky_service_monitor_keep(struct arena *a, const struct slinky_service_monitor *from)
{
    return table_copy(a, &slinky_service_monitor_type, from);
}
