/* accounting.h - slurmdbd. */
#pragma once
#include "model/parts.h"

struct model_accounting {
    struct model_home home;
    bool external;                /* nothing is made; the rest of it is not filled in */
    struct model_object workload; /* the StatefulSet; its pod is NAME-0 */
    struct model_pods pods;
    struct model_service service;
    struct model_object config; /* the Secret */
    struct model_key slurm_key, jwt_key, jwks;
    const char *conf; /* slurmdbd.conf: holds the password */
    const struct json *slurmdbd;
};
