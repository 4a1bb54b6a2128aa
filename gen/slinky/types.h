/* types.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

struct slinky_label_selector;
struct slinky_persistence_data_source;
struct slinky_persistence_data_source_ref;
struct slinky_persistence_resources;
struct slinky_service_monitor;

/* One key of a Secret in the same namespace. */
struct slinky_secret_key {
    const char *name; /* Name of the Secret. */
    const char *key; /* Key within the Secret's data. */
    enum flag optional; /* Kept for compatibility; the key is needed either way. */
};

/* One key of a ConfigMap in the same namespace. */
struct slinky_config_map_key {
    const char *name; /* Name of the ConfigMap. */
    const char *key; /* Key within the ConfigMap's data. */
    enum flag optional; /* Kept for compatibility; the key is needed either way. */
};

/* Where a daemon outside Kubernetes answers. */
struct slinky_external_config {
    const char *host; /* Host name or IP address. */
    struct maybe_int port; /* TCP port. */
};

/* Labels and annotations. */
struct slinky_metadata {
    struct pairs labels; /* Labels to add. */
    struct pairs annotations; /* Annotations to add. */
};

/* What to add to the pods. */
struct slinky_pod_template {
    struct slinky_metadata meta; /* Labels and annotations of the pods. */
    const struct json *spec; /* Fields of a core/v1 PodSpec, merged over the built one. */
};

/* What to change in the Service. */
struct slinky_service {
    struct slinky_metadata meta; /* Labels and annotations of the Service. */
    /* Fields of a core/v1 ServiceSpec, on top of which the port and selector are set. */
    const struct json *spec;
    struct maybe_int port; /* Port to serve on; absent or 0 means the daemon's usual one. */
    /* Port on every node, for Services of type NodePort and LoadBalancer. */
    struct maybe_int node_port;
};

/* An object in the same namespace. */
struct slinky_local_ref {
    const char *name; /* Name of the object. */
};

struct slinky_local_ref_list {
    struct slinky_local_ref *v;
    size_t n;
};

/* Where slurmctld keeps its state. */
struct slinky_persistence {
    enum flag enabled; /* Keep the state on a volume claim; false loses it with the pod. */
    /* Claim to use instead of making one; the fields below are then ignored. */
    const char *existing_claim;
    struct strs access_modes; /* Access modes of the claim. */
    /* Snapshot or claim the volume begins as. */
    struct slinky_persistence_data_source *data_source;
    /* Any object a volume populator understands. */
    struct slinky_persistence_data_source_ref *data_source_ref;
    struct slinky_persistence_resources *resources; /* Size of the claim. */
    struct slinky_label_selector *selector; /* Volumes the claim may bind to. */
    const char *storage_class_name; /* Storage class; absent means the cluster's default. */
    const char *volume_attributes_class_name; /* Volume attributes class. */
    const char *volume_mode; /* Filesystem or Block; slurmctld needs Filesystem. */
    const char *volume_name; /* The one volume to bind to. */
};

/* Snapshot or claim the volume begins as. */
struct slinky_persistence_data_source {
    const char *api_group; /* API group of the source; empty for core kinds. */
    const char *kind; /* Kind of the source. */
    const char *name; /* Name of the source. */
};

/* Any object a volume populator understands. */
struct slinky_persistence_data_source_ref {
    const char *api_group; /* API group of the source; empty for core kinds. */
    const char *kind; /* Kind of the source. */
    const char *name; /* Name of the source. */
    const char *namespace; /* Namespace of the source, where grants allow another one. */
};

/* Size of the claim. */
struct slinky_persistence_resources {
    struct pairs limits; /* The most the volume may hold. */
    struct pairs requests; /* The least the volume must hold. */
};

struct slinky_label_selector_match_expressions {
    const char *key; /* Label to look at. */
    const char *operator; /* In, NotIn, Exists or DoesNotExist. */
    struct strs values; /* Values for In and NotIn. */
};

struct slinky_label_selector_match_expressions_list {
    struct slinky_label_selector_match_expressions *v;
    size_t n;
};

/* Selects objects by their labels. */
struct slinky_label_selector {
    struct pairs match_labels; /* Labels that must be there with these values. */
    /* Requirements that must all hold. */
    struct slinky_label_selector_match_expressions_list match_expressions;
};

/* OpenMetrics of slurmctld. */
struct slinky_metrics {
    enum flag enabled; /* Let slurmctld serve metrics. */
    /* How the Prometheus operator scrapes slurmctld. */
    struct slinky_service_monitor *service_monitor;
};

/* One path to scrape. */
struct slinky_metric_endpoint {
    const char *path; /* HTTP path, such as /metrics/jobs. */
    const char *interval; /* Time between scrapes of this path. */
    const char *scrape_timeout; /* Time one scrape of this path may take. */
};

struct slinky_metric_endpoint_list {
    struct slinky_metric_endpoint *v;
    size_t n;
};

/* How the Prometheus operator scrapes slurmctld. */
struct slinky_service_monitor {
    enum flag enabled; /* Create a ServiceMonitor; metrics.enabled must be true as well. */
    struct pairs labels; /* Labels of the ServiceMonitor, which a Prometheus selects by. */
    struct pairs annotations; /* Annotations of the ServiceMonitor. */
    const char *interval; /* Time between scrapes, for endpoints that do not set their own. */
    /* Time one scrape may take, for endpoints that do not set their own. */
    const char *scrape_timeout;
    /* What to scrape; empty means jobs, nodes, partitions and scheduler. */
    struct slinky_metric_endpoint_list endpoints;
};

extern const struct type slinky_secret_key_type;
extern const struct type slinky_config_map_key_type;
extern const struct type slinky_external_config_type;
extern const struct type slinky_metadata_type;
extern const struct type slinky_pod_template_type;
extern const struct type slinky_service_type;
extern const struct type slinky_local_ref_type;
extern const struct type slinky_persistence_type;
extern const struct type slinky_persistence_data_source_type;
extern const struct type slinky_persistence_data_source_ref_type;
extern const struct type slinky_persistence_resources_type;
extern const struct type slinky_label_selector_match_expressions_type;
extern const struct type slinky_label_selector_type;
extern const struct type slinky_metrics_type;
extern const struct type slinky_metric_endpoint_type;
extern const struct type slinky_service_monitor_type;

/* Deep copies that live as long as the arena. */
struct slinky_secret_key *slinky_secret_key_keep(struct arena *a,
                                                 const struct slinky_secret_key *from);
struct slinky_config_map_key *slinky_config_map_key_keep(struct arena *a,
                                                         const struct slinky_config_map_key *from);
struct slinky_external_config *
slinky_external_config_keep(struct arena *a, const struct slinky_external_config *from);
struct slinky_metadata *slinky_metadata_keep(struct arena *a, const struct slinky_metadata *from);
struct slinky_pod_template *slinky_pod_template_keep(struct arena *a,
                                                     const struct slinky_pod_template *from);
struct slinky_service *slinky_service_keep(struct arena *a, const struct slinky_service *from);
struct slinky_local_ref *
slinky_local_ref_keep(struct arena *a, const struct slinky_local_ref *from);
struct slinky_persistence *slinky_persistence_keep(struct arena *a,
                                                   const struct slinky_persistence *from);
struct slinky_label_selector *slinky_label_selector_keep(struct arena *a,
                                                         const struct slinky_label_selector *from);
struct slinky_metrics *slinky_metrics_keep(struct arena *a, const struct slinky_metrics *from);
struct slinky_metric_endpoint *
slinky_metric_endpoint_keep(struct arena *a, const struct slinky_metric_endpoint *from);
struct slinky_service_monitor *
slinky_service_monitor_keep(struct arena *a, const struct slinky_service_monitor *from);
