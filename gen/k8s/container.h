/* container.h - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

struct k8s_capabilities;
struct k8s_env_source;
struct k8s_exec_action;
struct k8s_field_ref;
struct k8s_grpc_action;
struct k8s_http_action;
struct k8s_key_ref;
struct k8s_lifecycle;
struct k8s_lifecycle_handler;
struct k8s_probe;
struct k8s_resource_ref;
struct k8s_resources;
struct k8s_security_context;
struct k8s_security_profile;
struct k8s_sleep_action;
struct k8s_source_ref;
struct k8s_tcp_action;

/* A port of a container. */
struct k8s_container_port {
    const char *name; /* Name that Services refer to. */
    struct maybe_int host_port; /* The same port on the node. */
    struct maybe_int container_port; /* Number of the port. */
    const char *protocol; /* TCP, UDP or SCTP. */
    const char *host_ip; /* Address on the node. */
};

struct k8s_container_port_list {
    struct k8s_container_port *v;
    size_t n;
};

/* All keys of an object as variables. */
struct k8s_env_from {
    const char *prefix; /* What to put in front of each name. */
    struct k8s_source_ref *config_map_ref; /* A ConfigMap. */
    struct k8s_source_ref *secret_ref; /* A Secret. */
};

struct k8s_env_from_list {
    struct k8s_env_from *v;
    size_t n;
};

/* An environment variable. */
struct k8s_env_var {
    const char *name; /* Name of the variable. */
    const char *value; /* Its value. */
    struct k8s_env_source *value_from; /* Where the value comes from instead. */
};

struct k8s_env_var_list {
    struct k8s_env_var *v;
    size_t n;
};

/* Where a volume appears in a container. */
struct k8s_volume_mount {
    const char *name; /* Name of the volume. */
    enum flag read_only; /* It cannot be written. */
    const char *mount_path; /* Where. */
    const char *sub_path; /* Only this part of the volume. */
    const char *sub_path_expr; /* The same with variables in it. */
    const char *mount_propagation; /* None, HostToContainer or Bidirectional. */
};

struct k8s_volume_mount_list {
    struct k8s_volume_mount *v;
    size_t n;
};

/* Where a block device appears in a container. */
struct k8s_volume_device {
    const char *name; /* Name of the volume. */
    const char *device_path; /* Where. */
};

struct k8s_volume_device_list {
    struct k8s_volume_device *v;
    size_t n;
};

/* One container of a pod. */
struct k8s_container {
    const char *name; /* Name within the pod. */
    const char *image; /* What runs in it. */
    struct strs command; /* Entry point instead of the image's. */
    struct strs args; /* Arguments of the entry point. */
    const char *working_dir; /* Where it starts. */
    struct k8s_container_port_list ports; /* Ports it listens on. */
    struct k8s_env_from_list env_from; /* Sources of whole sets of variables. */
    struct k8s_env_var_list env; /* Environment variables. */
    struct k8s_resources *resources; /* What it needs and what it may use. */
    const char *restart_policy; /* Always makes an init container a sidecar. */
    struct k8s_volume_mount_list volume_mounts; /* Where volumes appear in it. */
    struct k8s_volume_device_list volume_devices; /* Where block devices appear in it. */
    struct k8s_probe *liveness_probe; /* Fails when it must be restarted. */
    struct k8s_probe *readiness_probe; /* Passes when it can serve. */
    struct k8s_probe *startup_probe; /* Passes when it has started; the others wait for it. */
    struct k8s_lifecycle *lifecycle; /* What runs after it starts and before it stops. */
    const char *termination_message_path; /* File with its last words. */
    const char *termination_message_policy; /* File or FallbackToLogsOnError. */
    const char *image_pull_policy; /* Always, IfNotPresent or Never. */
    struct k8s_security_context *security_context; /* What it may do. */
    enum flag stdin; /* Keep standard input open. */
    enum flag tty; /* Give it a terminal. */
};

struct k8s_container_list {
    struct k8s_container *v;
    size_t n;
};

/* A ConfigMap or Secret. */
struct k8s_source_ref {
    const char *name; /* Name of the object. */
    enum flag optional; /* It need not be there. */
};

/* Where the value of a variable comes from; one of these. */
struct k8s_env_source {
    struct k8s_field_ref *field_ref; /* A field of the pod. */
    struct k8s_resource_ref *resource_field_ref; /* A resource of the container. */
    struct k8s_key_ref *config_map_key_ref; /* A key of a ConfigMap. */
    struct k8s_key_ref *secret_key_ref; /* A key of a Secret. */
};

/* A field of the pod itself. */
struct k8s_field_ref {
    const char *api_version; /* Version of the pod that the path is for. */
    const char *field_path; /* Path of the field. */
};

/* A resource of a container. */
struct k8s_resource_ref {
    const char *container_name; /* Name of the container. */
    const char *resource; /* Which one, such as limits.cpu. */
    struct int_or_str divisor; /* What to count it in. */
};

/* A key of a ConfigMap or Secret. */
struct k8s_key_ref {
    const char *name; /* Name of the object. */
    const char *key; /* Key within its data. */
    enum flag optional; /* It need not be there. */
};

/* A device claim of the pod. */
struct k8s_resource_claim {
    const char *name; /* Name within the pod's resourceClaims. */
    const char *request; /* The one request of the claim that is meant. */
};

struct k8s_resource_claim_list {
    struct k8s_resource_claim *v;
    size_t n;
};

/* What a container or claim needs and what it may use. */
struct k8s_resources {
    struct pairs limits; /* The most it may use. */
    struct pairs requests; /* What is kept for it. */
    struct k8s_resource_claim_list claims; /* Devices claimed for the pod that it uses. */
};

/* A question put to a container again and again. */
struct k8s_probe {
    struct k8s_exec_action *exec; /* A command that must succeed. */
    struct k8s_http_action *http_get; /* A page that must be there. */
    struct k8s_tcp_action *tcp_socket; /* A port that must accept. */
    struct k8s_grpc_action *grpc; /* A health service that must agree. */
    struct maybe_int initial_delay_seconds; /* How long to wait at first. */
    struct maybe_int timeout_seconds; /* How long an answer may take. */
    struct maybe_int period_seconds; /* How often to ask. */
    struct maybe_int success_threshold; /* How many passes count as passed. */
    struct maybe_int failure_threshold; /* How many failures count as failed. */
    struct maybe_int termination_grace_period_seconds; /* Time to stop when the probe ends it. */
};

/* A command run in the container. */
struct k8s_exec_action {
    struct strs command; /* The command and its arguments. */
};

/* A header of a request. */
struct k8s_http_header {
    const char *name; /* Name of the header. */
    const char *value; /* Its value. */
};

struct k8s_http_header_list {
    struct k8s_http_header *v;
    size_t n;
};

/* A request to the container. */
struct k8s_http_action {
    const char *path; /* Path of the page. */
    struct int_or_str port; /* Number or name of the port. */
    const char *host; /* Another host to ask. */
    const char *scheme; /* HTTP or HTTPS. */
    struct k8s_http_header_list http_headers; /* Headers to send. */
};

/* A connection to the container. */
struct k8s_tcp_action {
    struct int_or_str port; /* Number or name of the port. */
    const char *host; /* Another host to connect to. */
};

/* A gRPC health check. */
struct k8s_grpc_action {
    struct maybe_int port; /* Number of the port. */
    const char *service; /* Which service to ask about. */
};

/* What runs when a container starts and stops. */
struct k8s_lifecycle {
    struct k8s_lifecycle_handler *post_start; /* After it has started. */
    struct k8s_lifecycle_handler *pre_stop; /* Before it is stopped. */
    const char *stop_signal; /* Signal that ends it. */
};

/* What to do; one of these. */
struct k8s_lifecycle_handler {
    struct k8s_exec_action *exec; /* Run a command. */
    struct k8s_http_action *http_get; /* Ask for a page. */
    struct k8s_sleep_action *sleep; /* Wait. */
};

/* A pause. */
struct k8s_sleep_action {
    struct maybe_int seconds; /* How long. */
};

/* What a container may do. */
struct k8s_security_context {
    struct k8s_capabilities *capabilities; /* Capabilities beyond or short of the usual ones. */
    enum flag privileged; /* It may do all that root on the node may. */
    const struct json *se_linux_options; /* SELinux label. */
    struct maybe_int run_as_user; /* Uid of its processes. */
    struct maybe_int run_as_group; /* Gid of its processes. */
    enum flag run_as_non_root; /* Refuse to run as root. */
    enum flag read_only_root_filesystem; /* Its root cannot be written. */
    enum flag allow_privilege_escalation; /* Its processes may gain privileges. */
    const char *proc_mount; /* How /proc looks. */
    struct k8s_security_profile *seccomp_profile; /* Which system calls it may make. */
    struct k8s_security_profile *app_armor_profile; /* Which AppArmor profile confines it. */
};

/* Capabilities of a container. */
struct k8s_capabilities {
    struct strs add; /* Those it gains. */
    struct strs drop; /* Those it loses. */
};

/* A seccomp or AppArmor profile. */
struct k8s_security_profile {
    const char *type; /* RuntimeDefault, Localhost or Unconfined. */
    const char *localhost_profile; /* Its name on the node. */
};

extern const struct type k8s_container_port_type;
extern const struct type k8s_env_from_type;
extern const struct type k8s_env_var_type;
extern const struct type k8s_volume_mount_type;
extern const struct type k8s_volume_device_type;
extern const struct type k8s_container_type;
extern const struct type k8s_source_ref_type;
extern const struct type k8s_env_source_type;
extern const struct type k8s_field_ref_type;
extern const struct type k8s_resource_ref_type;
extern const struct type k8s_key_ref_type;
extern const struct type k8s_resource_claim_type;
extern const struct type k8s_resources_type;
extern const struct type k8s_probe_type;
extern const struct type k8s_exec_action_type;
extern const struct type k8s_http_header_type;
extern const struct type k8s_http_action_type;
extern const struct type k8s_tcp_action_type;
extern const struct type k8s_grpc_action_type;
extern const struct type k8s_lifecycle_type;
extern const struct type k8s_lifecycle_handler_type;
extern const struct type k8s_sleep_action_type;
extern const struct type k8s_security_context_type;
extern const struct type k8s_capabilities_type;
extern const struct type k8s_security_profile_type;

/* Deep copies that live as long as the arena. */
struct k8s_container_port *k8s_container_port_keep(struct arena *a,
                                                   const struct k8s_container_port *from);
struct k8s_env_from *k8s_env_from_keep(struct arena *a, const struct k8s_env_from *from);
struct k8s_env_var *k8s_env_var_keep(struct arena *a, const struct k8s_env_var *from);
struct k8s_volume_mount *
k8s_volume_mount_keep(struct arena *a, const struct k8s_volume_mount *from);
struct k8s_volume_device *k8s_volume_device_keep(struct arena *a,
                                                 const struct k8s_volume_device *from);
struct k8s_container *k8s_container_keep(struct arena *a, const struct k8s_container *from);
struct k8s_source_ref *k8s_source_ref_keep(struct arena *a, const struct k8s_source_ref *from);
struct k8s_env_source *k8s_env_source_keep(struct arena *a, const struct k8s_env_source *from);
struct k8s_field_ref *k8s_field_ref_keep(struct arena *a, const struct k8s_field_ref *from);
struct k8s_resource_ref *
k8s_resource_ref_keep(struct arena *a, const struct k8s_resource_ref *from);
struct k8s_key_ref *k8s_key_ref_keep(struct arena *a, const struct k8s_key_ref *from);
struct k8s_resource_claim *k8s_resource_claim_keep(struct arena *a,
                                                   const struct k8s_resource_claim *from);
struct k8s_resources *k8s_resources_keep(struct arena *a, const struct k8s_resources *from);
struct k8s_probe *k8s_probe_keep(struct arena *a, const struct k8s_probe *from);
struct k8s_exec_action *k8s_exec_action_keep(struct arena *a, const struct k8s_exec_action *from);
struct k8s_http_header *k8s_http_header_keep(struct arena *a, const struct k8s_http_header *from);
struct k8s_http_action *k8s_http_action_keep(struct arena *a, const struct k8s_http_action *from);
struct k8s_tcp_action *k8s_tcp_action_keep(struct arena *a, const struct k8s_tcp_action *from);
struct k8s_grpc_action *k8s_grpc_action_keep(struct arena *a, const struct k8s_grpc_action *from);
struct k8s_lifecycle *k8s_lifecycle_keep(struct arena *a, const struct k8s_lifecycle *from);
struct k8s_lifecycle_handler *k8s_lifecycle_handler_keep(struct arena *a,
                                                         const struct k8s_lifecycle_handler *from);
struct k8s_sleep_action *
k8s_sleep_action_keep(struct arena *a, const struct k8s_sleep_action *from);
struct k8s_security_context *k8s_security_context_keep(struct arena *a,
                                                       const struct k8s_security_context *from);
struct k8s_capabilities *
k8s_capabilities_keep(struct arena *a, const struct k8s_capabilities *from);
struct k8s_security_profile *k8s_security_profile_keep(struct arena *a,
                                                       const struct k8s_security_profile *from);
