/* pod_spec.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/pod_spec.h"

static const struct field k8s_toleration_fields[] = {
    FIELD(k8s_toleration, key, STR, "key", .doc = "Key of the taint."),
    FIELD(k8s_toleration, operator, STR, "operator", .doc = "Exists or Equal."),
    FIELD(k8s_toleration, value, STR, "value", .doc = "Value of the taint."),
    FIELD(k8s_toleration, effect, STR, "effect",
          .doc = "NoSchedule, PreferNoSchedule or NoExecute."),
    FIELD(k8s_toleration, toleration_seconds, INT, "tolerationSeconds", .doc = "For how long."),
    { 0 },
};
const struct type k8s_toleration_type = TYPE(k8s_toleration, k8s_toleration_fields);

static const struct field k8s_host_alias_fields[] = {
    FIELD(k8s_host_alias, ip, STR, "ip", .doc = "Address."),
    FIELD(k8s_host_alias, hostnames, STRS, "hostnames", .doc = "Names of it."),
    { 0 },
};
const struct type k8s_host_alias_type = TYPE(k8s_host_alias, k8s_host_alias_fields);

static const struct field k8s_topology_spread_fields[] = {
    FIELD(k8s_topology_spread, max_skew, INT, "maxSkew", .doc = "How uneven it may become."),
    FIELD(k8s_topology_spread, topology_key, STR, "topologyKey",
          .doc = "Node label that tells places apart."),
    FIELD(k8s_topology_spread, when_unsatisfiable, STR, "whenUnsatisfiable",
          .doc = "DoNotSchedule or ScheduleAnyway."),
    FIELD(k8s_topology_spread, label_selector, POINTER, "labelSelector",
          .of = &k8s_label_selector_type, .doc = "Which pods count."),
    FIELD(k8s_topology_spread, min_domains, INT, "minDomains",
          .doc = "How many places there must be."),
    FIELD(k8s_topology_spread, node_affinity_policy, STR, "nodeAffinityPolicy",
          .doc = "Whether node affinity counts."),
    FIELD(k8s_topology_spread, node_taints_policy, STR, "nodeTaintsPolicy",
          .doc = "Whether taints count."),
    FIELD(k8s_topology_spread, match_label_keys, STRS, "matchLabelKeys",
          .doc = "Labels of the pod that count too."),
    { 0 },
};
const struct type k8s_topology_spread_type = TYPE(k8s_topology_spread, k8s_topology_spread_fields);

static const struct field k8s_pod_spec_fields[] = {
    FIELD(k8s_pod_spec, volumes, LIST, "volumes", .of = &k8s_volume_type, .list_key = "name",
          .doc = "What containers may mount."),
    FIELD(k8s_pod_spec, init_containers, LIST, "initContainers", .of = &k8s_container_type,
          .list_key = "name", .doc = "Run one after another before the others; sidecars stay."),
    FIELD(k8s_pod_spec, containers, LIST, "containers", .of = &k8s_container_type,
          .list_key = "name", .doc = "What runs."),
    FIELD(k8s_pod_spec, restart_policy, STR, "restartPolicy", .doc = "Always, OnFailure or Never."),
    FIELD(k8s_pod_spec, termination_grace_period_seconds, INT, "terminationGracePeriodSeconds",
          .doc = "How long it may take to stop."),
    FIELD(k8s_pod_spec, active_deadline_seconds, INT, "activeDeadlineSeconds",
          .doc = "How long it may live."),
    FIELD(k8s_pod_spec, dns_policy, STR, "dnsPolicy", .doc = "Where names are looked up."),
    FIELD(k8s_pod_spec, node_selector, MAP, "nodeSelector",
          .doc = "Labels that its node must have."),
    FIELD(k8s_pod_spec, service_account_name, STR, "serviceAccountName",
          .doc = "Who it is to the API."),
    FIELD(k8s_pod_spec, automount_service_account_token, BOOL, "automountServiceAccountToken",
          .doc = "Whether it gets that account's token."),
    FIELD(k8s_pod_spec, node_name, STR, "nodeName", .doc = "The node it must run on."),
    FIELD(k8s_pod_spec, host_network, BOOL, "hostNetwork", .doc = "Use the node's network."),
    FIELD(k8s_pod_spec, host_pid, BOOL, "hostPID", .doc = "See the node's processes."),
    FIELD(k8s_pod_spec, host_ipc, BOOL, "hostIPC", .doc = "Use the node's IPC."),
    FIELD(k8s_pod_spec, share_process_namespace, BOOL, "shareProcessNamespace",
          .doc = "Containers see each other's processes."),
    FIELD(k8s_pod_spec, security_context, POINTER, "securityContext",
          .of = &k8s_pod_security_context_type, .doc = "What all its containers may do."),
    FIELD(k8s_pod_spec, image_pull_secrets, LIST, "imagePullSecrets", .of = &k8s_local_ref_type,
          .list_key = "name", .doc = "Secrets for pulling images."),
    FIELD(k8s_pod_spec, hostname, STR, "hostname", .doc = "Host name inside the pod."),
    FIELD(k8s_pod_spec, subdomain, STR, "subdomain",
          .doc = "The headless Service that gives it a name."),
    FIELD(k8s_pod_spec, affinity, RAW, "affinity",
          .doc = "Where it wants to be; a core/v1 Affinity."),
    FIELD(k8s_pod_spec, scheduler_name, STR, "schedulerName", .doc = "Who places it."),
    FIELD(k8s_pod_spec, tolerations, LIST, "tolerations", .flags = ATOMIC,
          .of = &k8s_toleration_type, .doc = "Taints it can live with."),
    FIELD(k8s_pod_spec, host_aliases, LIST, "hostAliases", .of = &k8s_host_alias_type,
          .list_key = "ip", .doc = "Further lines of /etc/hosts."),
    FIELD(k8s_pod_spec, priority_class_name, STR, "priorityClassName",
          .doc = "How important it is."),
    FIELD(k8s_pod_spec, priority, INT, "priority", .doc = "The same as a number."),
    FIELD(k8s_pod_spec, dns_config, POINTER, "dnsConfig", .of = &k8s_dns_config_type,
          .doc = "Further lines of resolv.conf."),
    FIELD(k8s_pod_spec, readiness_gates, RAW, "readinessGates",
          .doc = "Conditions that must hold for Ready."),
    FIELD(k8s_pod_spec, runtime_class_name, STR, "runtimeClassName",
          .doc = "Which container runtime."),
    FIELD(k8s_pod_spec, enable_service_links, BOOL, "enableServiceLinks",
          .doc = "Variables for every Service."),
    FIELD(k8s_pod_spec, preemption_policy, STR, "preemptionPolicy",
          .doc = "Whether it may push others out."),
    FIELD(k8s_pod_spec, overhead, MAP, "overhead", .flags = QUANTITIES,
          .doc = "What the runtime itself takes."),
    FIELD(k8s_pod_spec, topology_spread_constraints, LIST, "topologySpreadConstraints",
          .of = &k8s_topology_spread_type, .list_key = "topologyKey,whenUnsatisfiable",
          .doc = "How such pods spread."),
    FIELD(k8s_pod_spec, set_hostname_as_fqdn, BOOL, "setHostnameAsFQDN",
          .doc = "The host name is the whole DNS name."),
    FIELD(k8s_pod_spec, os, RAW, "os", .doc = "Operating system."),
    FIELD(k8s_pod_spec, host_users, BOOL, "hostUsers",
          .doc = "False puts it into a user namespace."),
    FIELD(k8s_pod_spec, resource_claims, RAW, "resourceClaims", .doc = "Devices it claims."),
    { 0 },
};
const struct type k8s_pod_spec_type = TYPE(k8s_pod_spec, k8s_pod_spec_fields);

static const struct field k8s_pod_security_context_fields[] = {
    FIELD(k8s_pod_security_context, se_linux_options, RAW, "seLinuxOptions",
          .doc = "SELinux label."),
    FIELD(k8s_pod_security_context, run_as_user, INT, "runAsUser", .doc = "Uid of its processes."),
    FIELD(k8s_pod_security_context, run_as_group, INT, "runAsGroup",
          .doc = "Gid of its processes."),
    FIELD(k8s_pod_security_context, run_as_non_root, BOOL, "runAsNonRoot",
          .doc = "Refuse to run as root."),
    FIELD(k8s_pod_security_context, supplemental_groups, RAW, "supplementalGroups",
          .doc = "Further groups."),
    FIELD(k8s_pod_security_context, fs_group, INT, "fsGroup",
          .doc = "Group that owns its volumes."),
    FIELD(k8s_pod_security_context, sysctls, RAW, "sysctls", .doc = "Kernel parameters."),
    FIELD(k8s_pod_security_context, fs_group_change_policy, STR, "fsGroupChangePolicy",
          .doc = "OnRootMismatch or Always."),
    FIELD(k8s_pod_security_context, seccomp_profile, POINTER, "seccompProfile",
          .of = &k8s_security_profile_type, .doc = "Which system calls they may make."),
    FIELD(k8s_pod_security_context, app_armor_profile, POINTER, "appArmorProfile",
          .of = &k8s_security_profile_type, .doc = "Which AppArmor profile confines them."),
    { 0 },
};
const struct type k8s_pod_security_context_type =
    TYPE(k8s_pod_security_context, k8s_pod_security_context_fields);

static const struct field k8s_dns_option_fields[] = {
    FIELD(k8s_dns_option, name, STR, "name", .doc = "Name of the option."),
    FIELD(k8s_dns_option, value, STR, "value", .doc = "Its value."),
    { 0 },
};
const struct type k8s_dns_option_type = TYPE(k8s_dns_option, k8s_dns_option_fields);

static const struct field k8s_dns_config_fields[] = {
    FIELD(k8s_dns_config, nameservers, STRS, "nameservers", .doc = "Servers to ask."),
    FIELD(k8s_dns_config, searches, STRS, "searches", .doc = "Domains to look in."),
    FIELD(k8s_dns_config, options, LIST, "options", .of = &k8s_dns_option_type,
          .doc = "Options of the resolver."),
    { 0 },
};
const struct type k8s_dns_config_type = TYPE(k8s_dns_config, k8s_dns_config_fields);

struct k8s_toleration *k8s_toleration_keep(struct arena *a, const struct k8s_toleration *from)
{
    return table_copy(a, &k8s_toleration_type, from);
}

struct k8s_host_alias *k8s_host_alias_keep(struct arena *a, const struct k8s_host_alias *from)
{
    return table_copy(a, &k8s_host_alias_type, from);
}

struct k8s_topology_spread *k8s_topology_spread_keep(struct arena *a,
                                                     const struct k8s_topology_spread *from)
{
    return table_copy(a, &k8s_topology_spread_type, from);
}

struct k8s_pod_spec *k8s_pod_spec_keep(struct arena *a, const struct k8s_pod_spec *from)
{
    return table_copy(a, &k8s_pod_spec_type, from);
}

struct k8s_pod_security_context *
k8s_pod_security_context_keep(struct arena *a, const struct k8s_pod_security_context *from)
{
    return table_copy(a, &k8s_pod_security_context_type, from);
}

struct k8s_dns_option *k8s_dns_option_keep(struct arena *a, const struct k8s_dns_option *from)
{
    return table_copy(a, &k8s_dns_option_type, from);
}

struct k8s_dns_config *k8s_dns_config_keep(struct arena *a, const struct k8s_dns_config *from)
{
    return table_copy(a, &k8s_dns_config_type, from);
}
