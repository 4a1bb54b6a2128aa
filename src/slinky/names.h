/* names.h - what the objects of slinky.slurm.net resources are called, and what they are labelled.
 *
 * Pure functions of the names of resources, for those who look objects up. Results live in the
 * arena.
 */
#pragma once
#include "json/table.h"

/* Annotations and labels that people and programs other than the builders use. */
#define SLINKY_POD_CORDON "nodeset.slinky.slurm.net/pod-cordon"
/* Beside it: whose cordon it is ("node", "leaving"; absent: a user's), and why, for the reason in Slurm. */
#define SLINKY_POD_CORDON_WHY "windlass.dev/cordon"
#define SLINKY_POD_CORDON_REASON "windlass.dev/cordon-reason"
#define SLINKY_POD_DELETION_COST "nodeset.slinky.slurm.net/pod-deletion-cost"
#define SLINKY_POD_DEADLINE "nodeset.slinky.slurm.net/pod-deadline"
#define SLINKY_NODE_CORDON_REASON "nodeset.slinky.slurm.net/node-cordon-reason"
#define SLINKY_HOSTNAME_OVERRIDE "nodeset.slinky.slurm.net/hostname-override"
#define SLINKY_POD_PROTECT "nodeset.slinky.slurm.net/pod-protect"
#define SLINKY_POD_NAME "nodeset.slinky.slurm.net/pod-name"
#define SLINKY_POD_INDEX "nodeset.slinky.slurm.net/pod-index"
#define SLINKY_POD_HOSTNAME "nodeset.slinky.slurm.net/pod-hostname"
#define SLINKY_SCALING_MODE "nodeset.slinky.slurm.net/scaling-mode"
#define SLINKY_RESERVATION "nodeset.slinky.slurm.net/reservation" /* finalizer */
#define SLINKY_WORKER_TAINT "nodeset.slinky.slurm.net/worker"
#define SLINKY_TOPOLOGY "topology.slinky.slurm.net/spec"
#define SLINKY_FEATURES "features.slinky.slurm.net/spec"
#define SLINKY_ACTIVE "controller.slinky.slurm.net/active"
#define SLINKY_APP_NAME "app.kubernetes.io/name"
#define SLINKY_APP_INSTANCE "app.kubernetes.io/instance"
#define SLINKY_APP_COMPONENT "app.kubernetes.io/component"
#define SLINKY_CLUSTER "slinky.slurm.net/cluster"
#define SLINKY_REVISION "controller.kubernetes.io/hash"
#define SLINKY_REASON_PREFIX "slurm-operator: "
/* On a resource, "false": pods do not restart when something that they mount changes, beyond what
 * slurm-operator would restart them for. Not passed on to children. */
#define SLINKY_ROLL_ON_CHANGE "windlass.dev/roll-on-change"

const char *slinky_controller_name(struct arena *a,
                                   const char *controller); /* and its client Service */
const char *slinky_controller_internal_name(struct arena *a, const char *controller);
const char *slinky_controller_config_name(struct arena *a, const char *controller);
const char *slinky_controller_pod_name(struct arena *a, const char *controller, int ordinal);
const char *slinky_accounting_name(struct arena *a,
                                   const char *accounting);            /* Service, Secret too */
const char *slinky_restapi_name(struct arena *a, const char *restapi); /* and its Service */
const char *slinky_ssh_config_name(struct arena *a, const char *set); /* of a NodeSet or LoginSet */
const char *slinky_ssh_host_keys_name(struct arena *a, const char *loginset);
const char *slinky_workers_service_name(struct arena *a, const char *controller);
const char *slinky_workers_pdb_name(struct arena *a, const char *controller);

/* The labels by which a resource's pods are found: the name of the daemon and of the resource. */
struct pairs slinky_selector_of(struct arena *a, const char *daemon, const char *resource);
/* The same as text, for status.selector. */
const char *slinky_selector_text(struct arena *a, const char *daemon, const char *resource);
