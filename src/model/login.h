/* login.h - login nodes: sshd, sssd and sackd. */
#pragma once
#include "k8s/deployment.h"
#include "model/cluster.h"

enum { SSH_PORT = 22 };

struct model_login {
    struct model_home home;
    struct model_cluster cluster;
    struct model_object workload; /* the Deployment */
    struct model_pods pods;
    struct model_service service;
    struct model_object ssh_config; /* the ConfigMap */
    struct model_object host_keys;  /* the Secret */
    struct model_key sssd_conf;     /* a Secret */
    int64_t replicas;
    struct k8s_deployment_strategy *strategy; /* NULL: the server's default */
    const char *sshd_extra;                   /* lines of sshd_config */
    const char *authorized_keys;              /* of root */
    const struct json *login, *initconf;
};
