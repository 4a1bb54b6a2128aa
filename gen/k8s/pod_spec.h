/* pod_spec.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/container.h"
#include "k8s/meta.h"
#include "k8s/volume.h"

struct k8s_dns_config;
struct k8s_pod_security_context;

/* Taints that a pod can live with. */
struct k8s_toleration {
    const char *key; /* Key of the taint. */
    const char *operator; /* Exists or Equal. */
    const char *value; /* Value of the taint. */
    const char *effect; /* NoSchedule, PreferNoSchedule or NoExecute. */
    struct maybe_int toleration_seconds; /* For how long. */
};

struct k8s_toleration_list {
    struct k8s_toleration *v;
    size_t n;
};

/* A line of /etc/hosts. */
struct k8s_host_alias {
    const char *ip; /* Address. */
    struct strs hostnames; /* Names of it. */
};

struct k8s_host_alias_list {
    struct k8s_host_alias *v;
    size_t n;
};

/* How pods spread over nodes. */
struct k8s_topology_spread {
    struct maybe_int max_skew; /* How uneven it may become. */
    const char *topology_key; /* Node label that tells places apart. */
    const char *when_unsatisfiable; /* DoNotSchedule or ScheduleAnyway. */
    struct k8s_label_selector *label_selector; /* Which pods count. */
    struct maybe_int min_domains; /* How many places there must be. */
    const char *node_affinity_policy; /* Whether node affinity counts. */
    const char *node_taints_policy; /* Whether taints count. */
    struct strs match_label_keys; /* Labels of the pod that count too. */
};

struct k8s_topology_spread_list {
    struct k8s_topology_spread *v;
    size_t n;
};

/* A pod to be made. */
struct k8s_pod_spec {
    struct k8s_volume_list volumes; /* What containers may mount. */
    /* Run one after another before the others; sidecars stay. */
    struct k8s_container_list init_containers;
    struct k8s_container_list containers; /* What runs. */
    const char *restart_policy; /* Always, OnFailure or Never. */
    struct maybe_int termination_grace_period_seconds; /* How long it may take to stop. */
    struct maybe_int active_deadline_seconds; /* How long it may live. */
    const char *dns_policy; /* Where names are looked up. */
    struct pairs node_selector; /* Labels that its node must have. */
    const char *service_account_name; /* Who it is to the API. */
    enum flag automount_service_account_token; /* Whether it gets that account's token. */
    const char *node_name; /* The node it must run on. */
    enum flag host_network; /* Use the node's network. */
    enum flag host_pid; /* See the node's processes. */
    enum flag host_ipc; /* Use the node's IPC. */
    enum flag share_process_namespace; /* Containers see each other's processes. */
    struct k8s_pod_security_context *security_context; /* What all its containers may do. */
    struct k8s_local_ref_list image_pull_secrets; /* Secrets for pulling images. */
    const char *hostname; /* Host name inside the pod. */
    const char *subdomain; /* The headless Service that gives it a name. */
    const struct json *affinity; /* Where it wants to be; a core/v1 Affinity. */
    const char *scheduler_name; /* Who places it. */
    struct k8s_toleration_list tolerations; /* Taints it can live with. */
    struct k8s_host_alias_list host_aliases; /* Further lines of /etc/hosts. */
    const char *priority_class_name; /* How important it is. */
    struct maybe_int priority; /* The same as a number. */
    struct k8s_dns_config *dns_config; /* Further lines of resolv.conf. */
    const struct json *readiness_gates; /* Conditions that must hold for Ready. */
    const char *runtime_class_name; /* Which container runtime. */
    enum flag enable_service_links; /* Variables for every Service. */
    const char *preemption_policy; /* Whether it may push others out. */
    struct pairs overhead; /* What the runtime itself takes. */
    struct k8s_topology_spread_list topology_spread_constraints; /* How such pods spread. */
    enum flag set_hostname_as_fqdn; /* The host name is the whole DNS name. */
    const struct json *os; /* Operating system. */
    enum flag host_users; /* False puts it into a user namespace. */
    const struct json *resource_claims; /* Devices it claims. */
};

/* What all containers of a pod may do. */
struct k8s_pod_security_context {
    const struct json *se_linux_options; /* SELinux label. */
    struct maybe_int run_as_user; /* Uid of its processes. */
    struct maybe_int run_as_group; /* Gid of its processes. */
    enum flag run_as_non_root; /* Refuse to run as root. */
    const struct json *supplemental_groups; /* Further groups. */
    struct maybe_int fs_group; /* Group that owns its volumes. */
    const struct json *sysctls; /* Kernel parameters. */
    const char *fs_group_change_policy; /* OnRootMismatch or Always. */
    struct k8s_security_profile *seccomp_profile; /* Which system calls they may make. */
    struct k8s_security_profile *app_armor_profile; /* Which AppArmor profile confines them. */
};

/* An option of the resolver. */
struct k8s_dns_option {
    const char *name; /* Name of the option. */
    const char *value; /* Its value. */
};

struct k8s_dns_option_list {
    struct k8s_dns_option *v;
    size_t n;
};

/* Further lines of resolv.conf. */
struct k8s_dns_config {
    struct strs nameservers; /* Servers to ask. */
    struct strs searches; /* Domains to look in. */
    struct k8s_dns_option_list options; /* Options of the resolver. */
};

extern const struct type k8s_toleration_type;
extern const struct type k8s_host_alias_type;
extern const struct type k8s_topology_spread_type;
extern const struct type k8s_pod_spec_type;
extern const struct type k8s_pod_security_context_type;
extern const struct type k8s_dns_option_type;
extern const struct type k8s_dns_config_type;

/* Deep copies that live as long as the arena. */
struct k8s_toleration *k8s_toleration_keep(struct arena *a, const struct k8s_toleration *from);
struct k8s_host_alias *k8s_host_alias_keep(struct arena *a, const struct k8s_host_alias *from);
struct k8s_topology_spread *k8s_topology_spread_keep(struct arena *a,
                                                     const struct k8s_topology_spread *from);
struct k8s_pod_spec *k8s_pod_spec_keep(struct arena *a, const struct k8s_pod_spec *from);
struct k8s_pod_security_context *
k8s_pod_security_context_keep(struct arena *a, const struct k8s_pod_security_context *from);
struct k8s_dns_option *k8s_dns_option_keep(struct arena *a, const struct k8s_dns_option *from);
struct k8s_dns_config *k8s_dns_config_keep(struct arena *a, const struct k8s_dns_config *from);
