/* build/accounting.h - the objects of slurmdbd; all NULL when it is external. */
#pragma once
#include "k8s/secret.h"
#include "k8s/service.h"
#include "k8s/statefulset.h"
#include "model/accounting.h"

struct k8s_service *accounting_service(struct arena *a, const struct model_accounting *m);
/* slurmdbd.conf, in .data. */
struct k8s_secret *accounting_config(struct arena *a, const struct model_accounting *m);
struct k8s_statefulset *accounting_statefulset(struct arena *a, const struct model_accounting *m);
