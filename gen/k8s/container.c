/* container.c - types that several kinds share.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/container.h"

static const struct field k8s_container_port_fields[] = {
    FIELD(k8s_container_port, name, STR, "name", .doc = "Name that Services refer to."),
    FIELD(k8s_container_port, host_port, INT, "hostPort", .doc = "The same port on the node."),
    FIELD(k8s_container_port, container_port, INT, "containerPort", .doc = "Number of the port."),
    FIELD(k8s_container_port, protocol, STR, "protocol", .doc = "TCP, UDP or SCTP."),
    FIELD(k8s_container_port, host_ip, STR, "hostIP", .doc = "Address on the node."),
    { 0 },
};
const struct type k8s_container_port_type = TYPE(k8s_container_port, k8s_container_port_fields);

static const struct field k8s_env_from_fields[] = {
    FIELD(k8s_env_from, prefix, STR, "prefix", .doc = "What to put in front of each name."),
    FIELD(k8s_env_from, config_map_ref, POINTER, "configMapRef", .of = &k8s_source_ref_type,
          .doc = "A ConfigMap."),
    FIELD(k8s_env_from, secret_ref, POINTER, "secretRef", .of = &k8s_source_ref_type,
          .doc = "A Secret."),
    { 0 },
};
const struct type k8s_env_from_type = TYPE(k8s_env_from, k8s_env_from_fields);

static const struct field k8s_env_var_fields[] = {
    FIELD(k8s_env_var, name, STR, "name", .flags = REQUIRED, .doc = "Name of the variable."),
    FIELD(k8s_env_var, value, STR, "value", .doc = "Its value."),
    FIELD(k8s_env_var, value_from, POINTER, "valueFrom", .of = &k8s_env_source_type,
          .doc = "Where the value comes from instead."),
    { 0 },
};
const struct type k8s_env_var_type = TYPE(k8s_env_var, k8s_env_var_fields);

static const struct field k8s_volume_mount_fields[] = {
    FIELD(k8s_volume_mount, name, STR, "name", .doc = "Name of the volume."),
    FIELD(k8s_volume_mount, read_only, BOOL, "readOnly", .doc = "It cannot be written."),
    FIELD(k8s_volume_mount, mount_path, STR, "mountPath", .doc = "Where."),
    FIELD(k8s_volume_mount, sub_path, STR, "subPath", .doc = "Only this part of the volume."),
    FIELD(k8s_volume_mount, sub_path_expr, STR, "subPathExpr",
          .doc = "The same with variables in it."),
    FIELD(k8s_volume_mount, mount_propagation, STR, "mountPropagation",
          .doc = "None, HostToContainer or Bidirectional."),
    { 0 },
};
const struct type k8s_volume_mount_type = TYPE(k8s_volume_mount, k8s_volume_mount_fields);

static const struct field k8s_volume_device_fields[] = {
    FIELD(k8s_volume_device, name, STR, "name", .doc = "Name of the volume."),
    FIELD(k8s_volume_device, device_path, STR, "devicePath", .doc = "Where."),
    { 0 },
};
const struct type k8s_volume_device_type = TYPE(k8s_volume_device, k8s_volume_device_fields);

static const struct field k8s_container_fields[] = {
    FIELD(k8s_container, name, STR, "name", .flags = REQUIRED, .doc = "Name within the pod."),
    FIELD(k8s_container, image, STR, "image", .doc = "What runs in it."),
    FIELD(k8s_container, command, STRS, "command", .doc = "Entry point instead of the image's."),
    FIELD(k8s_container, args, STRS, "args", .doc = "Arguments of the entry point."),
    FIELD(k8s_container, working_dir, STR, "workingDir", .doc = "Where it starts."),
    FIELD(k8s_container, ports, LIST, "ports", .of = &k8s_container_port_type,
          .list_key = "containerPort,protocol", .doc = "Ports it listens on."),
    FIELD(k8s_container, env_from, LIST, "envFrom", .of = &k8s_env_from_type,
          .doc = "Sources of whole sets of variables."),
    FIELD(k8s_container, env, LIST, "env", .of = &k8s_env_var_type, .list_key = "name",
          .doc = "Environment variables."),
    FIELD(k8s_container, resources, POINTER, "resources", .of = &k8s_resources_type,
          .doc = "What it needs and what it may use."),
    FIELD(k8s_container, restart_policy, STR, "restartPolicy",
          .doc = "Always makes an init container a sidecar."),
    FIELD(k8s_container, volume_mounts, LIST, "volumeMounts", .of = &k8s_volume_mount_type,
          .list_key = "mountPath", .doc = "Where volumes appear in it."),
    FIELD(k8s_container, volume_devices, LIST, "volumeDevices", .of = &k8s_volume_device_type,
          .list_key = "devicePath", .doc = "Where block devices appear in it."),
    FIELD(k8s_container, liveness_probe, POINTER, "livenessProbe", .of = &k8s_probe_type,
          .doc = "Fails when it must be restarted."),
    FIELD(k8s_container, readiness_probe, POINTER, "readinessProbe", .of = &k8s_probe_type,
          .doc = "Passes when it can serve."),
    FIELD(k8s_container, startup_probe, POINTER, "startupProbe", .of = &k8s_probe_type,
          .doc = "Passes when it has started; the others wait for it."),
    FIELD(k8s_container, lifecycle, POINTER, "lifecycle", .of = &k8s_lifecycle_type,
          .doc = "What runs after it starts and before it stops."),
    FIELD(k8s_container, termination_message_path, STR, "terminationMessagePath",
          .doc = "File with its last words."),
    FIELD(k8s_container, termination_message_policy, STR, "terminationMessagePolicy",
          .doc = "File or FallbackToLogsOnError."),
    FIELD(k8s_container, image_pull_policy, STR, "imagePullPolicy",
          .doc = "Always, IfNotPresent or Never."),
    FIELD(k8s_container, security_context, POINTER, "securityContext",
          .of = &k8s_security_context_type, .doc = "What it may do."),
    FIELD(k8s_container, stdin, BOOL, "stdin", .doc = "Keep standard input open."),
    FIELD(k8s_container, tty, BOOL, "tty", .doc = "Give it a terminal."),
    { 0 },
};
const struct type k8s_container_type = TYPE(k8s_container, k8s_container_fields);

static const struct field k8s_source_ref_fields[] = {
    FIELD(k8s_source_ref, name, STR, "name", .doc = "Name of the object."),
    FIELD(k8s_source_ref, optional, BOOL, "optional", .doc = "It need not be there."),
    { 0 },
};
const struct type k8s_source_ref_type = TYPE(k8s_source_ref, k8s_source_ref_fields);

static const struct field k8s_env_source_fields[] = {
    FIELD(k8s_env_source, field_ref, POINTER, "fieldRef", .of = &k8s_field_ref_type,
          .doc = "A field of the pod."),
    FIELD(k8s_env_source, resource_field_ref, POINTER, "resourceFieldRef",
          .of = &k8s_resource_ref_type, .doc = "A resource of the container."),
    FIELD(k8s_env_source, config_map_key_ref, POINTER, "configMapKeyRef", .of = &k8s_key_ref_type,
          .doc = "A key of a ConfigMap."),
    FIELD(k8s_env_source, secret_key_ref, POINTER, "secretKeyRef", .of = &k8s_key_ref_type,
          .doc = "A key of a Secret."),
    { 0 },
};
const struct type k8s_env_source_type = TYPE(k8s_env_source, k8s_env_source_fields);

static const struct field k8s_field_ref_fields[] = {
    FIELD(k8s_field_ref, api_version, STR, "apiVersion",
          .doc = "Version of the pod that the path is for."),
    FIELD(k8s_field_ref, field_path, STR, "fieldPath", .doc = "Path of the field."),
    { 0 },
};
const struct type k8s_field_ref_type = TYPE(k8s_field_ref, k8s_field_ref_fields);

static const struct field k8s_resource_ref_fields[] = {
    FIELD(k8s_resource_ref, container_name, STR, "containerName", .doc = "Name of the container."),
    FIELD(k8s_resource_ref, resource, STR, "resource", .doc = "Which one, such as limits.cpu."),
    FIELD(k8s_resource_ref, divisor, INT_STR, "divisor", .doc = "What to count it in."),
    { 0 },
};
const struct type k8s_resource_ref_type = TYPE(k8s_resource_ref, k8s_resource_ref_fields);

static const struct field k8s_key_ref_fields[] = {
    FIELD(k8s_key_ref, name, STR, "name", .doc = "Name of the object."),
    FIELD(k8s_key_ref, key, STR, "key", .doc = "Key within its data."),
    FIELD(k8s_key_ref, optional, BOOL, "optional", .doc = "It need not be there."),
    { 0 },
};
const struct type k8s_key_ref_type = TYPE(k8s_key_ref, k8s_key_ref_fields);

static const struct field k8s_resource_claim_fields[] = {
    FIELD(k8s_resource_claim, name, STR, "name", .doc = "Name within the pod's resourceClaims."),
    FIELD(k8s_resource_claim, request, STR, "request",
          .doc = "The one request of the claim that is meant."),
    { 0 },
};
const struct type k8s_resource_claim_type = TYPE(k8s_resource_claim, k8s_resource_claim_fields);

static const struct field k8s_resources_fields[] = {
    FIELD(k8s_resources, limits, MAP, "limits", .flags = QUANTITIES, .doc = "The most it may use."),
    FIELD(k8s_resources, requests, MAP, "requests", .flags = QUANTITIES,
          .doc = "What is kept for it."),
    FIELD(k8s_resources, claims, LIST, "claims", .of = &k8s_resource_claim_type, .list_key = "name",
          .doc = "Devices claimed for the pod that it uses."),
    { 0 },
};
const struct type k8s_resources_type = TYPE(k8s_resources, k8s_resources_fields);

static const struct field k8s_probe_fields[] = {
    FIELD(k8s_probe, exec, POINTER, "exec", .of = &k8s_exec_action_type,
          .doc = "A command that must succeed."),
    FIELD(k8s_probe, http_get, POINTER, "httpGet", .of = &k8s_http_action_type,
          .doc = "A page that must be there."),
    FIELD(k8s_probe, tcp_socket, POINTER, "tcpSocket", .of = &k8s_tcp_action_type,
          .doc = "A port that must accept."),
    FIELD(k8s_probe, grpc, POINTER, "grpc", .of = &k8s_grpc_action_type,
          .doc = "A health service that must agree."),
    FIELD(k8s_probe, initial_delay_seconds, INT, "initialDelaySeconds",
          .doc = "How long to wait at first."),
    FIELD(k8s_probe, timeout_seconds, INT, "timeoutSeconds", .doc = "How long an answer may take."),
    FIELD(k8s_probe, period_seconds, INT, "periodSeconds", .doc = "How often to ask."),
    FIELD(k8s_probe, success_threshold, INT, "successThreshold",
          .doc = "How many passes count as passed."),
    FIELD(k8s_probe, failure_threshold, INT, "failureThreshold",
          .doc = "How many failures count as failed."),
    FIELD(k8s_probe, termination_grace_period_seconds, INT, "terminationGracePeriodSeconds",
          .doc = "Time to stop when the probe ends it."),
    { 0 },
};
const struct type k8s_probe_type = TYPE(k8s_probe, k8s_probe_fields);

static const struct field k8s_exec_action_fields[] = {
    FIELD(k8s_exec_action, command, STRS, "command", .doc = "The command and its arguments."),
    { 0 },
};
const struct type k8s_exec_action_type = TYPE(k8s_exec_action, k8s_exec_action_fields);

static const struct field k8s_http_header_fields[] = {
    FIELD(k8s_http_header, name, STR, "name", .doc = "Name of the header."),
    FIELD(k8s_http_header, value, STR, "value", .doc = "Its value."),
    { 0 },
};
const struct type k8s_http_header_type = TYPE(k8s_http_header, k8s_http_header_fields);

static const struct field k8s_http_action_fields[] = {
    FIELD(k8s_http_action, path, STR, "path", .doc = "Path of the page."),
    FIELD(k8s_http_action, port, INT_STR, "port", .doc = "Number or name of the port."),
    FIELD(k8s_http_action, host, STR, "host", .doc = "Another host to ask."),
    FIELD(k8s_http_action, scheme, STR, "scheme", .doc = "HTTP or HTTPS."),
    FIELD(k8s_http_action, http_headers, LIST, "httpHeaders", .of = &k8s_http_header_type,
          .doc = "Headers to send."),
    { 0 },
};
const struct type k8s_http_action_type = TYPE(k8s_http_action, k8s_http_action_fields);

static const struct field k8s_tcp_action_fields[] = {
    FIELD(k8s_tcp_action, port, INT_STR, "port", .doc = "Number or name of the port."),
    FIELD(k8s_tcp_action, host, STR, "host", .doc = "Another host to connect to."),
    { 0 },
};
const struct type k8s_tcp_action_type = TYPE(k8s_tcp_action, k8s_tcp_action_fields);

static const struct field k8s_grpc_action_fields[] = {
    FIELD(k8s_grpc_action, port, INT, "port", .doc = "Number of the port."),
    FIELD(k8s_grpc_action, service, STR, "service", .doc = "Which service to ask about."),
    { 0 },
};
const struct type k8s_grpc_action_type = TYPE(k8s_grpc_action, k8s_grpc_action_fields);

static const struct field k8s_lifecycle_fields[] = {
    FIELD(k8s_lifecycle, post_start, POINTER, "postStart", .of = &k8s_lifecycle_handler_type,
          .doc = "After it has started."),
    FIELD(k8s_lifecycle, pre_stop, POINTER, "preStop", .of = &k8s_lifecycle_handler_type,
          .doc = "Before it is stopped."),
    FIELD(k8s_lifecycle, stop_signal, STR, "stopSignal", .doc = "Signal that ends it."),
    { 0 },
};
const struct type k8s_lifecycle_type = TYPE(k8s_lifecycle, k8s_lifecycle_fields);

static const struct field k8s_lifecycle_handler_fields[] = {
    FIELD(k8s_lifecycle_handler, exec, POINTER, "exec", .of = &k8s_exec_action_type,
          .doc = "Run a command."),
    FIELD(k8s_lifecycle_handler, http_get, POINTER, "httpGet", .of = &k8s_http_action_type,
          .doc = "Ask for a page."),
    FIELD(k8s_lifecycle_handler, sleep, POINTER, "sleep", .of = &k8s_sleep_action_type,
          .doc = "Wait."),
    { 0 },
};
const struct type k8s_lifecycle_handler_type =
    TYPE(k8s_lifecycle_handler, k8s_lifecycle_handler_fields);

static const struct field k8s_sleep_action_fields[] = {
    FIELD(k8s_sleep_action, seconds, INT, "seconds", .doc = "How long."),
    { 0 },
};
const struct type k8s_sleep_action_type = TYPE(k8s_sleep_action, k8s_sleep_action_fields);

static const struct field k8s_security_context_fields[] = {
    FIELD(k8s_security_context, capabilities, POINTER, "capabilities", .of = &k8s_capabilities_type,
          .doc = "Capabilities beyond or short of the usual ones."),
    FIELD(k8s_security_context, privileged, BOOL, "privileged",
          .doc = "It may do all that root on the node may."),
    FIELD(k8s_security_context, se_linux_options, RAW, "seLinuxOptions", .doc = "SELinux label."),
    FIELD(k8s_security_context, run_as_user, INT, "runAsUser", .doc = "Uid of its processes."),
    FIELD(k8s_security_context, run_as_group, INT, "runAsGroup", .doc = "Gid of its processes."),
    FIELD(k8s_security_context, run_as_non_root, BOOL, "runAsNonRoot",
          .doc = "Refuse to run as root."),
    FIELD(k8s_security_context, read_only_root_filesystem, BOOL, "readOnlyRootFilesystem",
          .doc = "Its root cannot be written."),
    FIELD(k8s_security_context, allow_privilege_escalation, BOOL, "allowPrivilegeEscalation",
          .doc = "Its processes may gain privileges."),
    FIELD(k8s_security_context, proc_mount, STR, "procMount", .doc = "How /proc looks."),
    FIELD(k8s_security_context, seccomp_profile, POINTER, "seccompProfile",
          .of = &k8s_security_profile_type, .doc = "Which system calls it may make."),
    FIELD(k8s_security_context, app_armor_profile, POINTER, "appArmorProfile",
          .of = &k8s_security_profile_type, .doc = "Which AppArmor profile confines it."),
    { 0 },
};
const struct type k8s_security_context_type =
    TYPE(k8s_security_context, k8s_security_context_fields);

static const struct field k8s_capabilities_fields[] = {
    FIELD(k8s_capabilities, add, STRS, "add", .doc = "Those it gains."),
    FIELD(k8s_capabilities, drop, STRS, "drop", .doc = "Those it loses."),
    { 0 },
};
const struct type k8s_capabilities_type = TYPE(k8s_capabilities, k8s_capabilities_fields);

static const struct field k8s_security_profile_fields[] = {
    FIELD(k8s_security_profile, type, STR, "type",
          .doc = "RuntimeDefault, Localhost or Unconfined."),
    FIELD(k8s_security_profile, localhost_profile, STR, "localhostProfile",
          .doc = "Its name on the node."),
    { 0 },
};
const struct type k8s_security_profile_type =
    TYPE(k8s_security_profile, k8s_security_profile_fields);

struct k8s_container_port *k8s_container_port_keep(struct arena *a,
                                                   const struct k8s_container_port *from)
{
    return table_copy(a, &k8s_container_port_type, from);
}

struct k8s_env_from *k8s_env_from_keep(struct arena *a, const struct k8s_env_from *from)
{
    return table_copy(a, &k8s_env_from_type, from);
}

struct k8s_env_var *k8s_env_var_keep(struct arena *a, const struct k8s_env_var *from)
{
    return table_copy(a, &k8s_env_var_type, from);
}

struct k8s_volume_mount *
k8s_volume_mount_keep(struct arena *a, const struct k8s_volume_mount *from)
{
    return table_copy(a, &k8s_volume_mount_type, from);
}

struct k8s_volume_device *k8s_volume_device_keep(struct arena *a,
                                                 const struct k8s_volume_device *from)
{
    return table_copy(a, &k8s_volume_device_type, from);
}

struct k8s_container *k8s_container_keep(struct arena *a, const struct k8s_container *from)
{
    return table_copy(a, &k8s_container_type, from);
}

struct k8s_source_ref *k8s_source_ref_keep(struct arena *a, const struct k8s_source_ref *from)
{
    return table_copy(a, &k8s_source_ref_type, from);
}

struct k8s_env_source *k8s_env_source_keep(struct arena *a, const struct k8s_env_source *from)
{
    return table_copy(a, &k8s_env_source_type, from);
}

struct k8s_field_ref *k8s_field_ref_keep(struct arena *a, const struct k8s_field_ref *from)
{
    return table_copy(a, &k8s_field_ref_type, from);
}

struct k8s_resource_ref *
k8s_resource_ref_keep(struct arena *a, const struct k8s_resource_ref *from)
{
    return table_copy(a, &k8s_resource_ref_type, from);
}

struct k8s_key_ref *k8s_key_ref_keep(struct arena *a, const struct k8s_key_ref *from)
{
    return table_copy(a, &k8s_key_ref_type, from);
}

struct k8s_resource_claim *k8s_resource_claim_keep(struct arena *a,
                                                   const struct k8s_resource_claim *from)
{
    return table_copy(a, &k8s_resource_claim_type, from);
}

struct k8s_resources *k8s_resources_keep(struct arena *a, const struct k8s_resources *from)
{
    return table_copy(a, &k8s_resources_type, from);
}

struct k8s_probe *k8s_probe_keep(struct arena *a, const struct k8s_probe *from)
{
    return table_copy(a, &k8s_probe_type, from);
}

struct k8s_exec_action *k8s_exec_action_keep(struct arena *a, const struct k8s_exec_action *from)
{
    return table_copy(a, &k8s_exec_action_type, from);
}

struct k8s_http_header *k8s_http_header_keep(struct arena *a, const struct k8s_http_header *from)
{
    return table_copy(a, &k8s_http_header_type, from);
}

struct k8s_http_action *k8s_http_action_keep(struct arena *a, const struct k8s_http_action *from)
{
    return table_copy(a, &k8s_http_action_type, from);
}

struct k8s_tcp_action *k8s_tcp_action_keep(struct arena *a, const struct k8s_tcp_action *from)
{
    return table_copy(a, &k8s_tcp_action_type, from);
}

struct k8s_grpc_action *k8s_grpc_action_keep(struct arena *a, const struct k8s_grpc_action *from)
{
    return table_copy(a, &k8s_grpc_action_type, from);
}

struct k8s_lifecycle *k8s_lifecycle_keep(struct arena *a, const struct k8s_lifecycle *from)
{
    return table_copy(a, &k8s_lifecycle_type, from);
}

struct k8s_lifecycle_handler *k8s_lifecycle_handler_keep(struct arena *a,
                                                         const struct k8s_lifecycle_handler *from)
{
    return table_copy(a, &k8s_lifecycle_handler_type, from);
}

struct k8s_sleep_action *
k8s_sleep_action_keep(struct arena *a, const struct k8s_sleep_action *from)
{
    return table_copy(a, &k8s_sleep_action_type, from);
}

struct k8s_security_context *k8s_security_context_keep(struct arena *a,
                                                       const struct k8s_security_context *from)
{
    return table_copy(a, &k8s_security_context_type, from);
}

struct k8s_capabilities *
k8s_capabilities_keep(struct arena *a, const struct k8s_capabilities *from)
{
    return table_copy(a, &k8s_capabilities_type, from);
}

struct k8s_security_profile *k8s_security_profile_keep(struct arena *a,
                                                       const struct k8s_security_profile *from)
{
    return table_copy(a, &k8s_security_profile_type, from);
}
