/* build/controller.h - the objects of slurmctld.
 *
 * Pure: the same model gives the same objects. Each is whole as it is to be applied, its owner
 * included, and NULL when the model does not want it: an external controller gets nothing but its
 * ConfigMap. Field values that users gave are in place; what the API server fills in is not there.
 */
#pragma once
#include "k8s/configmap.h"
#include "k8s/service.h"
#include "k8s/servicemonitor.h"
#include "k8s/statefulset.h"
#include "model/controller.h"

/* Clients come here. With one replica it selects that pod; with backups only the pod that carries
 * the label of the active one, which somebody has to put there. */
struct k8s_service *controller_service(struct arena *a, const struct model_controller *m);
/* Headless: gives each pod its name. */
struct k8s_service *controller_internal_service(struct arena *a, const struct model_controller *m);
/* slurm.conf, and cgroup.conf unless the user brings one. */
struct k8s_configmap *controller_config(struct arena *a, const struct model_controller *m);
struct k8s_statefulset *controller_statefulset(struct arena *a, const struct model_controller *m);
/* Scrapes the client Service only, so that no series comes twice. */
struct k8s_servicemonitor *controller_monitor(struct arena *a, const struct model_controller *m);
