/* service.h - Service of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* A port of a service. */
struct k8s_service_port {
    const char *name; /* Name of the port. */
    const char *protocol; /* TCP, UDP or SCTP. */
    const char *app_protocol; /* What is spoken on it. */
    struct maybe_int port; /* Number of the port. */
    struct int_or_str target_port; /* Number or name of the pods' port. */
    struct maybe_int node_port; /* Port on every node. */
};

struct k8s_service_port_list {
    struct k8s_service_port *v;
    size_t n;
};

/* The service as it should be. */
struct k8s_service_spec {
    struct k8s_service_port_list ports; /* What it serves. */
    struct pairs selector; /* Labels of the pods behind it. */
    const char *cluster_ip; /* Its address; None for one that only has names. */
    struct strs cluster_ips; /* The same for each family. */
    const char *type; /* ClusterIP, NodePort, LoadBalancer or ExternalName. */
    struct strs external_ips; /* Further addresses that nodes accept for it. */
    const char *session_affinity; /* ClientIP or None. */
    const char *load_balancer_ip; /* Address of the load balancer. */
    struct strs load_balancer_source_ranges; /* Who may come through the load balancer. */
    const char *external_name; /* Another host's name, for ExternalName. */
    const char *external_traffic_policy; /* Cluster or Local. */
    struct maybe_int health_check_node_port; /* Where the load balancer asks. */
    enum flag publish_not_ready_addresses; /* Pods count before they are ready. */
    const struct json *session_affinity_config; /* How long an affinity lasts. */
    struct strs ip_families; /* IPv4 and IPv6. */
    const char *ip_family_policy; /* SingleStack, PreferDualStack or RequireDualStack. */
    enum flag allocate_load_balancer_node_ports; /* Whether a load balancer needs node ports. */
    const char *load_balancer_class; /* Who makes the load balancer. */
    const char *internal_traffic_policy; /* Cluster or Local. */
    const char *traffic_distribution; /* Which pods are preferred. */
};

/* What became of it. */
struct k8s_service_status {
    const struct json *load_balancer; /* Addresses of the load balancer. */
};

/* A name and an address for pods. */
struct k8s_service {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_service_spec spec; /* The service as it should be. */
    struct k8s_service_status status; /* What became of it. */
};

extern const struct type k8s_service_port_type;
extern const struct type k8s_service_spec_type;
extern const struct type k8s_service_status_type;
extern const struct type k8s_service_type;
extern const struct kind k8s_service_kind;

/* Deep copies that live as long as the arena. */
struct k8s_service *k8s_service_keep(struct arena *a, const struct k8s_service *from);
