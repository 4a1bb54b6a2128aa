/* shared.h - what the reconcilers of slinky.slurm.net have in common. */
#pragma once
#include "kube/controller.h"
#include "slinky/front.h"
#include "slinky/slinky.h"

/* Lookups through the caches of a pass: kinds of ours are all there, and anything else is followed
 * by name, so that its changes wake the resource. */
struct slinky_world world_of(struct reconcile *r);

/* What a translation returned: a reference that is not there becomes waiting(), and *ret_stop is
 * then true. */
int translated(struct reconcile *r, int rc, bool *ret_stop);

/* Ready, Progressing and Degraded from how the workload fares; live NULL: not there yet. was: the
 * conditions so far, so that an event tells when Ready changes. */
struct k8s_condition_list;
struct k8s_deployment;
struct k8s_statefulset;
void tell_deployment(struct reconcile *r, const struct k8s_condition_list *was,
                     const struct k8s_deployment *live, int64_t wanted);
void tell_statefulset(struct reconcile *r, const struct k8s_condition_list *was,
                      const struct k8s_statefulset *live, int64_t wanted);
/* Ready for a resource that has nothing to run. */
void tell_ready(struct reconcile *r, const struct k8s_condition_list *was, const char *reason,
                const char *words);

/* The controllers, each in the file of its kind. */
extern const struct controller controller_controller;
extern const struct controller restapi_controller;
extern const struct controller accounting_controller;
extern const struct controller nodeset_controller;
extern const struct controller loginset_controller;
extern const struct controller slurmclient_controller;
extern const struct controller token_controller;

/* NodeSets are woken by what happens in Slurm, from slinky_start() to slinky_stop(). */
void nodeset_subscribe(struct slinky *s);
void nodeset_unsubscribe(struct slinky *s);
