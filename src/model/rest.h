/* rest.h - slurmrestd. */
#pragma once
#include "model/cluster.h"

enum { SLURMRESTD_PORT = 6820, SLURMRESTD_UID = 65534 };

struct model_rest {
    struct model_home home;
    struct model_cluster cluster;
    struct model_object workload; /* the Deployment */
    struct model_pods pods;
    struct model_service service;
    int64_t replicas;
    const struct json *slurmrestd;
};
