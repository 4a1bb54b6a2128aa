/* slinky.h - the front end for the kinds of slinky.slurm.net: its controllers and what they share. */
#pragma once
#include "kube/controller.h"
#include "kube/manager.h"

struct nodesets;
struct slurm_registry;

/* r->context of every controller here. */
struct slinky {
    struct manager *manager;
    struct slurm_registry *slurms; /* by "namespace/controller" */
    struct nodesets *nodesets;     /* what the passes over NodeSets remember */
    struct strs node_conditions;   /* of Kubernetes nodes, whose words become the reason of a drain */
    char *domain;                  /* of the cluster: "cluster.local" */
    usec slurm_refresh;            /* between two looks at Slurm; 0: the client's own */
};

struct slinky_options {
    struct strs node_conditions;
    usec slurm_refresh; /* 0: as the Slurm client has it */
};

/* In the order of the workers' flags: slinky_controllers[i] belongs to slinky_worker_flags[i]. */
extern const struct controller *const slinky_controllers[];
extern const char *const slinky_worker_flags[];
extern const struct cache_rule slinky_cache_rules[];

/* The cluster's domain, as a resolv.conf says it: what follows "svc." in the first such word of a
 * search line; NULL when there is none. */
char *slinky_domain(struct arena *a, const char *resolv_conf);

/* For struct manager_options; userdata is a struct slinky_options. */
int slinky_start(struct manager *m, void *userdata, void **ret_context, struct error *err);
void slinky_stop(void *context);
