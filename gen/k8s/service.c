/* service.c - Service of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/service.h"

static const struct field k8s_service_port_fields[] = {
    FIELD(k8s_service_port, name, STR, "name", .doc = "Name of the port."),
    FIELD(k8s_service_port, protocol, STR, "protocol", .doc = "TCP, UDP or SCTP."),
    FIELD(k8s_service_port, app_protocol, STR, "appProtocol", .doc = "What is spoken on it."),
    FIELD(k8s_service_port, port, INT, "port", .doc = "Number of the port."),
    FIELD(k8s_service_port, target_port, INT_STR, "targetPort",
          .doc = "Number or name of the pods' port."),
    FIELD(k8s_service_port, node_port, INT, "nodePort", .doc = "Port on every node."),
    { 0 },
};
const struct type k8s_service_port_type = TYPE(k8s_service_port, k8s_service_port_fields);

static const struct field k8s_service_spec_fields[] = {
    FIELD(k8s_service_spec, ports, LIST, "ports", .of = &k8s_service_port_type,
          .list_key = "port,protocol", .doc = "What it serves."),
    FIELD(k8s_service_spec, selector, MAP, "selector", .doc = "Labels of the pods behind it."),
    FIELD(k8s_service_spec, cluster_ip, STR, "clusterIP",
          .doc = "Its address; None for one that only has names."),
    FIELD(k8s_service_spec, cluster_ips, STRS, "clusterIPs", .doc = "The same for each family."),
    FIELD(k8s_service_spec, type, STR, "type",
          .doc = "ClusterIP, NodePort, LoadBalancer or ExternalName."),
    FIELD(k8s_service_spec, external_ips, STRS, "externalIPs",
          .doc = "Further addresses that nodes accept for it."),
    FIELD(k8s_service_spec, session_affinity, STR, "sessionAffinity", .doc = "ClientIP or None."),
    FIELD(k8s_service_spec, load_balancer_ip, STR, "loadBalancerIP",
          .doc = "Address of the load balancer."),
    FIELD(k8s_service_spec, load_balancer_source_ranges, STRS, "loadBalancerSourceRanges",
          .doc = "Who may come through the load balancer."),
    FIELD(k8s_service_spec, external_name, STR, "externalName",
          .doc = "Another host's name, for ExternalName."),
    FIELD(k8s_service_spec, external_traffic_policy, STR, "externalTrafficPolicy",
          .doc = "Cluster or Local."),
    FIELD(k8s_service_spec, health_check_node_port, INT, "healthCheckNodePort",
          .doc = "Where the load balancer asks."),
    FIELD(k8s_service_spec, publish_not_ready_addresses, BOOL, "publishNotReadyAddresses",
          .doc = "Pods count before they are ready."),
    FIELD(k8s_service_spec, session_affinity_config, RAW, "sessionAffinityConfig",
          .doc = "How long an affinity lasts."),
    FIELD(k8s_service_spec, ip_families, STRS, "ipFamilies", .doc = "IPv4 and IPv6."),
    FIELD(k8s_service_spec, ip_family_policy, STR, "ipFamilyPolicy",
          .doc = "SingleStack, PreferDualStack or RequireDualStack."),
    FIELD(k8s_service_spec, allocate_load_balancer_node_ports, BOOL,
          "allocateLoadBalancerNodePorts", .doc = "Whether a load balancer needs node ports."),
    FIELD(k8s_service_spec, load_balancer_class, STR, "loadBalancerClass",
          .doc = "Who makes the load balancer."),
    FIELD(k8s_service_spec, internal_traffic_policy, STR, "internalTrafficPolicy",
          .doc = "Cluster or Local."),
    FIELD(k8s_service_spec, traffic_distribution, STR, "trafficDistribution",
          .doc = "Which pods are preferred."),
    { 0 },
};
const struct type k8s_service_spec_type = TYPE(k8s_service_spec, k8s_service_spec_fields);

static const struct field k8s_service_status_fields[] = {
    FIELD(k8s_service_status, load_balancer, RAW, "loadBalancer",
          .doc = "Addresses of the load balancer."),
    { 0 },
};
const struct type k8s_service_status_type = TYPE(k8s_service_status, k8s_service_status_fields);

static const struct field k8s_service_fields[] = {
    FIELD(k8s_service, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_service, spec, OBJECT, "spec", .of = &k8s_service_spec_type,
          .doc = "The service as it should be."),
    FIELD(k8s_service, status, OBJECT, "status", .of = &k8s_service_status_type,
          .doc = "What became of it."),
    { 0 },
};
const struct type k8s_service_type = TYPE(k8s_service, k8s_service_fields);

const struct kind k8s_service_kind = {
    .group = "",
    .version = "v1",
    .kind = "Service",
    .plural = "services",
    .namespaced = true,
    .has_status = true,
    .type = &k8s_service_type,
    .status = &k8s_service_fields[2],
};

struct k8s_service *k8s_service_keep(struct arena *a, const struct k8s_service *from)
{
    return table_copy(a, &k8s_service_type, from);
}
