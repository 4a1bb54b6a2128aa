/* kinds.h - every kind we know.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

/* Ended by NULL. */
extern const struct kind *const all_kinds[];

extern const struct kind k8s_binding_kind;
extern const struct kind k8s_configmap_kind;
extern const struct kind k8s_namespace_kind;
extern const struct kind k8s_node_kind;
extern const struct kind k8s_pvc_kind;
extern const struct kind k8s_pod_kind;
extern const struct kind k8s_built_pod_kind;
extern const struct kind k8s_secret_kind;
extern const struct kind k8s_service_kind;
extern const struct kind k8s_serviceaccount_kind;
extern const struct kind k8s_mutating_webhooks_kind;
extern const struct kind k8s_validating_webhooks_kind;
extern const struct kind k8s_crd_kind;
extern const struct kind k8s_controllerrevision_kind;
extern const struct kind k8s_deployment_kind;
extern const struct kind k8s_statefulset_kind;
extern const struct kind k8s_tokenreview_kind;
extern const struct kind k8s_subjectaccessreview_kind;
extern const struct kind k8s_scale_kind;
extern const struct kind k8s_job_kind;
extern const struct kind k8s_lease_kind;
extern const struct kind k8s_event_kind;
extern const struct kind k8s_servicemonitor_kind;
extern const struct kind k8s_eviction_kind;
extern const struct kind k8s_pdb_kind;
extern const struct kind slinky_accounting_kind;
extern const struct kind slinky_controller_kind;
extern const struct kind slinky_loginset_kind;
extern const struct kind slinky_nodeset_kind;
extern const struct kind slinky_restapi_kind;
extern const struct kind slinky_token_kind;

/* The kind of the object that a pointer of its type points at. */
#define KIND_OF(object) _Generic((object), \
    struct k8s_binding *: &k8s_binding_kind, \
    const struct k8s_binding *: &k8s_binding_kind, \
    struct k8s_configmap *: &k8s_configmap_kind, \
    const struct k8s_configmap *: &k8s_configmap_kind, \
    struct k8s_namespace *: &k8s_namespace_kind, \
    const struct k8s_namespace *: &k8s_namespace_kind, \
    struct k8s_node *: &k8s_node_kind, \
    const struct k8s_node *: &k8s_node_kind, \
    struct k8s_pvc *: &k8s_pvc_kind, \
    const struct k8s_pvc *: &k8s_pvc_kind, \
    struct k8s_pod *: &k8s_pod_kind, \
    const struct k8s_pod *: &k8s_pod_kind, \
    struct k8s_built_pod *: &k8s_built_pod_kind, \
    const struct k8s_built_pod *: &k8s_built_pod_kind, \
    struct k8s_secret *: &k8s_secret_kind, \
    const struct k8s_secret *: &k8s_secret_kind, \
    struct k8s_service *: &k8s_service_kind, \
    const struct k8s_service *: &k8s_service_kind, \
    struct k8s_serviceaccount *: &k8s_serviceaccount_kind, \
    const struct k8s_serviceaccount *: &k8s_serviceaccount_kind, \
    struct k8s_mutating_webhooks *: &k8s_mutating_webhooks_kind, \
    const struct k8s_mutating_webhooks *: &k8s_mutating_webhooks_kind, \
    struct k8s_validating_webhooks *: &k8s_validating_webhooks_kind, \
    const struct k8s_validating_webhooks *: &k8s_validating_webhooks_kind, \
    struct k8s_crd *: &k8s_crd_kind, \
    const struct k8s_crd *: &k8s_crd_kind, \
    struct k8s_controllerrevision *: &k8s_controllerrevision_kind, \
    const struct k8s_controllerrevision *: &k8s_controllerrevision_kind, \
    struct k8s_deployment *: &k8s_deployment_kind, \
    const struct k8s_deployment *: &k8s_deployment_kind, \
    struct k8s_statefulset *: &k8s_statefulset_kind, \
    const struct k8s_statefulset *: &k8s_statefulset_kind, \
    struct k8s_tokenreview *: &k8s_tokenreview_kind, \
    const struct k8s_tokenreview *: &k8s_tokenreview_kind, \
    struct k8s_subjectaccessreview *: &k8s_subjectaccessreview_kind, \
    const struct k8s_subjectaccessreview *: &k8s_subjectaccessreview_kind, \
    struct k8s_scale *: &k8s_scale_kind, \
    const struct k8s_scale *: &k8s_scale_kind, \
    struct k8s_job *: &k8s_job_kind, \
    const struct k8s_job *: &k8s_job_kind, \
    struct k8s_lease *: &k8s_lease_kind, \
    const struct k8s_lease *: &k8s_lease_kind, \
    struct k8s_event *: &k8s_event_kind, \
    const struct k8s_event *: &k8s_event_kind, \
    struct k8s_servicemonitor *: &k8s_servicemonitor_kind, \
    const struct k8s_servicemonitor *: &k8s_servicemonitor_kind, \
    struct k8s_eviction *: &k8s_eviction_kind, \
    const struct k8s_eviction *: &k8s_eviction_kind, \
    struct k8s_pdb *: &k8s_pdb_kind, \
    const struct k8s_pdb *: &k8s_pdb_kind, \
    struct slinky_accounting *: &slinky_accounting_kind, \
    const struct slinky_accounting *: &slinky_accounting_kind, \
    struct slinky_controller *: &slinky_controller_kind, \
    const struct slinky_controller *: &slinky_controller_kind, \
    struct slinky_loginset *: &slinky_loginset_kind, \
    const struct slinky_loginset *: &slinky_loginset_kind, \
    struct slinky_nodeset *: &slinky_nodeset_kind, \
    const struct slinky_nodeset *: &slinky_nodeset_kind, \
    struct slinky_restapi *: &slinky_restapi_kind, \
    const struct slinky_restapi *: &slinky_restapi_kind, \
    struct slinky_token *: &slinky_token_kind, \
    const struct slinky_token *: &slinky_token_kind)
