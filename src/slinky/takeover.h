/* takeover.h - workloads are applied, or left as another operator made them: see build/adopt.h. */
#pragma once
#include "k8s/configmap.h"
#include "k8s/deployment.h"
#include "k8s/statefulset.h"
#include "kube/controller.h"

int takeover_statefulset(struct reconcile *r, struct k8s_statefulset *want);
int takeover_deployment(struct reconcile *r, struct k8s_deployment *want);
/* 1 when it was left as it is, 0 when it is to be applied. */
int takeover_configmap(struct reconcile *r, const struct k8s_configmap *want, const char *content);
/* Whether takeover_statefulset() would leave the live one as it is; what is mounted into it has to
 * fit it then. */
bool takeover_leaves(struct reconcile *r, const struct k8s_statefulset *want);
