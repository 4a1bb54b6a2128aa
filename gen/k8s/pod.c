/* pod.c - Pod of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/pod.h"

static const struct field k8s_pod_watched_spec_fields[] = {
    FIELD(k8s_pod_watched_spec, volumes, LIST, "volumes", .flags = SHARED,
          .of = &k8s_pod_volume_type, .list_key = "name",
          .doc = "Volumes; only claims are told apart."),
    FIELD(k8s_pod_watched_spec, node_name, STR, "nodeName", .flags = SHARED,
          .doc = "The node the pod is bound to."),
    FIELD(k8s_pod_watched_spec, hostname, STR, "hostname",
          .doc = "Host name inside the pod; its own name when absent."),
    { 0 },
};
const struct type k8s_pod_watched_spec_type =
    TYPE(k8s_pod_watched_spec, k8s_pod_watched_spec_fields);

static const struct field k8s_pod_status_fields[] = {
    FIELD(k8s_pod_status, phase, STR, "phase", .flags = SHARED,
          .doc = "Pending, Running, Succeeded, Failed or Unknown."),
    FIELD(k8s_pod_status, conditions, LIST, "conditions", .flags = SHARED,
          .of = &k8s_pod_condition_type, .list_key = "type",
          .doc = "Ready, PodScheduled and what others add."),
    FIELD(k8s_pod_status, reason, STR, "reason", .flags = SHARED,
          .doc = "Why it is in this phase, in one word, such as Evicted."),
    FIELD(k8s_pod_status, pod_ip, STR, "podIP", .doc = "Address of the pod."),
    FIELD(k8s_pod_status, container_statuses, LIST, "containerStatuses", .flags = SHARED,
          .of = &k8s_container_status_type, .doc = "How each container fares."),
    { 0 },
};
const struct type k8s_pod_status_type = TYPE(k8s_pod_status, k8s_pod_status_fields);

static const struct field k8s_pod_fields[] = {
    FIELD(k8s_pod, meta, OBJECT, "metadata", .of = &k8s_meta_type, .doc = "Metadata of an object."),
    FIELD(k8s_pod, spec, OBJECT, "spec", .of = &k8s_pod_watched_spec_type,
          .doc = "What was asked for."),
    FIELD(k8s_pod, status, OBJECT, "status", .of = &k8s_pod_status_type,
          .doc = "What became of it."),
    { 0 },
};
const struct type k8s_pod_type = TYPE(k8s_pod, k8s_pod_fields);

const struct kind k8s_pod_kind = {
    .group = "",
    .version = "v1",
    .kind = "Pod",
    .plural = "pods",
    .namespaced = true,
    .has_status = true,
    .type = &k8s_pod_type,
    .status = &k8s_pod_fields[2],
};

struct k8s_pod *k8s_pod_keep(struct arena *a, const struct k8s_pod *from)
{
    return table_copy(a, &k8s_pod_type, from);
}
