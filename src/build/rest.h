/* build/rest.h - the objects of slurmrestd. */
#pragma once
#include "k8s/deployment.h"
#include "k8s/service.h"
#include "model/rest.h"

struct k8s_service *rest_service(struct arena *a, const struct model_rest *m);
struct k8s_deployment *rest_deployment(struct arena *a, const struct model_rest *m);
