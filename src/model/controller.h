/* controller.h - slurmctld: its pods, its state, its configuration. */
#pragma once
#include "k8s/volume.h"
#include "model/cluster.h"
#include "slurm/conf.h"

enum { CONTROLLER_UID = 401 }; /* user and group slurm in the images */

enum model_state {
    STATE_CLAIM_TEMPLATE, /* a claim of its own */
    STATE_CLAIM,          /* a claim that is there already */
    STATE_NONE,           /* lost with the pod */
};

struct model_endpoint {
    const char *path, *interval, *timeout;
};

struct model_endpoints {
    struct model_endpoint *v;
    size_t n;
};

/* How Prometheus is told to scrape slurmctld. */
struct model_monitor {
    bool wanted;
    struct model_object object;
    struct model_endpoints endpoints;
};

struct model_controller {
    struct model_home home;
    struct model_cluster cluster;
    struct model_object workload; /* the StatefulSet; pods are NAME-0, NAME-1, ... */
    struct model_pods pods;
    struct model_service service;         /* clients come here */
    struct model_object internal_service; /* headless, names the pods */
    struct model_object config;           /* the ConfigMap */
    struct model_monitor monitor;

    int replicas; /* the first one and its backups */
    enum model_state state;
    const char *claim;                /* STATE_CLAIM */
    struct k8s_claim_spec claim_spec; /* STATE_CLAIM_TEMPLATE */

    struct slurm_conf conf;
    bool own_cgroup_conf;     /* the user's files have none */
    struct strs file_maps;    /* ConfigMaps whose files stand beside slurm.conf, sorted */
    bool restart_on_config;   /* pods restart when the configuration changes... */
    bool reconfigure_sidecar; /* ...or a sidecar has slurmctld read it again */

    const struct json *slurmctld, *reconfigure, *logfile; /* fields of a Container */
};
