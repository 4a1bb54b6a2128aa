/* node.h - Node of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "k8s/pod_parts.h"

/* Keeps pods away that do not tolerate it. */
struct k8s_taint {
    const char *key; /* Key of the taint. */
    const char *value; /* Its value. */
    const char *effect; /* NoSchedule, PreferNoSchedule or NoExecute. */
};

struct k8s_taint_list {
    struct k8s_taint *v;
    size_t n;
};

/* What was asked of it. */
struct k8s_node_spec {
    struct k8s_taint_list taints; /* What keeps pods away. */
    enum flag unschedulable; /* No new pods are placed on it. */
    const char *provider_id; /* What its cloud calls it. */
};

/* One address of a node. */
struct k8s_node_address {
    const char *type; /* InternalIP, Hostname and others. */
    const char *address; /* The address. */
};

struct k8s_node_address_list {
    struct k8s_node_address *v;
    size_t n;
};

/* What is known of it. */
struct k8s_node_status {
    struct pairs capacity; /* What it has. */
    struct pairs allocatable; /* What pods may use of it. */
    struct k8s_pod_condition_list conditions; /* Ready and what may be wrong with it. */
    struct k8s_node_address_list addresses; /* Where it can be reached. */
};

/* A machine that runs pods, as far as we look at it. */
struct k8s_node {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_node_spec spec; /* What was asked of it. */
    struct k8s_node_status status; /* What is known of it. */
};

extern const struct type k8s_taint_type;
extern const struct type k8s_node_spec_type;
extern const struct type k8s_node_address_type;
extern const struct type k8s_node_status_type;
extern const struct type k8s_node_type;
extern const struct kind k8s_node_kind;

/* Deep copies that live as long as the arena. */
struct k8s_node *k8s_node_keep(struct arena *a, const struct k8s_node *from);
