/* cluster.h - what every daemon of a Slurm cluster has to know about it. */
#pragma once
#include "model/parts.h"

struct model_cluster {
    const char *name;         /* of the cluster's own resource, the value of its label */
    const char *cluster_name; /* ClusterName */
    const char *domain;       /* behind the names of Services: "cluster.local" */
    bool external;            /* somebody else runs slurmctld */
    bool accounting;          /* there is a slurmdbd */
    bool gpus;                /* GresTypes has gpu, so that nodes may say how many they have */
    const char *host;         /* where clients find slurmctld */
    int port;
    const char *config;      /* the ConfigMap with slurm.conf */
    const char *workers;     /* the headless Service that names the workers */
    const char *workers_pdb; /* the PodDisruptionBudget of busy workers */
    /* The labels of every worker of the cluster; the first one is on the workers of all. */
    struct pairs worker_selector;
    struct model_key slurm_key, jwt_key; /* Secrets */
    struct model_key jwks;               /* a ConfigMap */
};
