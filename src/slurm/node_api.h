/* node_api.h - nodes: read, changed many at a time, created and deleted. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "slurm/client.h"
#include "slurm/nodestate.h"
#include "json/table.h"

/* A node as Slurm tells it. Strings are "" when Slurm has none, never NULL; lists in them are
 * separated by commas, as Slurm writes them itself. */
struct slurm_node {
    const char *name;
    const char *hostname;
    const char *address;
    struct node_state state;
    const char *reason;      /* why it is down or drained */
    const char *reason_user; /* who said so */
    usec reason_time;        /* wall clock, like the rest; 0: never */
    const char *comment;
    const char *extra;
    const char *partitions;
    const char *features;
    const char *active_features;
    const char *gres, *gres_used;
    const char *tres, *tres_used;
    const char *reservation;
    const char *topology;
    const char *instance_id, *instance_type;
    const char *version; /* of its slurmd */
    uint32_t cpus, effective_cpus, used_cpus, idle_cpus;
    uint32_t load; /* hundredths */
    uint32_t weight;
    uint64_t memory, used_memory, free_memory, special_memory; /* MiB */
    usec booted, slurmd_started, last_busy, resume_after;
};
struct slurm_nodes {
    struct slurm_node *v;
    size_t n;
};

/* Every node. An empty list with Yes is a cluster without nodes. */
MUST_CHECK enum answer slurm_nodes(struct slurm *slurm, struct slurm_call *call,
                                   struct slurm_nodes *ret);
/* No: Slurm has no node of that name. */
MUST_CHECK enum answer slurm_node_get(struct slurm *slurm, struct slurm_call *call,
                                      const char *name, struct slurm_node *ret);
/* Those of the host list. Yes: all of them are there. No: some are not; *ret holds the rest and
 * *ret_missing the names of those that Slurm has not. */
MUST_CHECK enum answer slurm_nodes_get(struct slurm *slurm, struct slurm_call *call,
                                       const char *hosts, struct slurm_nodes *ret,
                                       struct strs *ret_missing);

/* What to change; NULL leaves a field as it is, "" empties it. */
struct slurm_node_change {
    const char *state; /* "DRAIN", "UNDRAIN", "RESUME", "DOWN", "IDLE", "POWER_UP", ... */
    const char *reason;
    const char *comment;
    const char *extra;
    const char *features; /* separated by commas, like the next two */
    const char *active_features;
    const char *gres;
    const char *topology; /* "default:sw1,..." ; needs data API v0.0.43 */
};

/* What became of each node of a change, as names. */
struct slurm_outcome {
    struct strs done;
    struct strs missing; /* Slurm has no such node */
    struct strs refused; /* Slurm would not; call.fault tells why of the last of them */
    struct strs unknown; /* not known whether it happened */
};

/* Changes every node of the host list, all in one call: one for a thousand nodes when all of them
 * are there, three when some are missing. Slurm refuses a list with one unknown name in it as a
 * whole; then the names are compared with those Slurm has, and the rest is changed without them.
 * Where a state does not fit some of the nodes Slurm changes the others and does not say which;
 * then the nodes are looked at, and those that are what the change would make of them count as
 * done.
 *
 * Yes: every one of them was changed. No: at least one is missing or was refused, and none is
 * unknown. Unknown: of at least one it is not known. ret (may be NULL) is filled in every case. */
MUST_CHECK enum answer slurm_nodes_change(struct slurm *slurm, struct slurm_call *call,
                                          const char *hosts, const struct slurm_node_change *change,
                                          struct slurm_outcome *ret);
/* One node. No with -ENOENT: there is no such node; with -EINVAL: its state does not allow it. */
MUST_CHECK enum answer slurm_node_change(struct slurm *slurm, struct slurm_call *call,
                                         const char *name, const struct slurm_node_change *change);

/* Adds a node record from a line of slurm.conf(5): "NodeName=gpu-7 CPUs=8 State=CLOUD". Needs data
 * API v0.0.44. No with -EEXIST: there is one already. */
MUST_CHECK enum answer slurm_node_create(struct slurm *slurm, struct slurm_call *call,
                                         const char *line);
/* Removes a node record (dynamic nodes only). Yes as well when there is none of that name any more,
 * with fault.code -ENOENT to tell. No with -EBUSY: a job is on it. */
MUST_CHECK enum answer slurm_node_delete(struct slurm *slurm, struct slurm_call *call,
                                         const char *name);
