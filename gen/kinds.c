/* kinds.c - every kind we know.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "kinds.h"

#include "k8s/binding.h"
#include "k8s/built_pod.h"
#include "k8s/configmap.h"
#include "k8s/controllerrevision.h"
#include "k8s/crd.h"
#include "k8s/deployment.h"
#include "k8s/event.h"
#include "k8s/eviction.h"
#include "k8s/job.h"
#include "k8s/lease.h"
#include "k8s/mutating_webhooks.h"
#include "k8s/namespace.h"
#include "k8s/node.h"
#include "k8s/pdb.h"
#include "k8s/pod.h"
#include "k8s/pvc.h"
#include "k8s/scale.h"
#include "k8s/secret.h"
#include "k8s/service.h"
#include "k8s/serviceaccount.h"
#include "k8s/servicemonitor.h"
#include "k8s/statefulset.h"
#include "k8s/subjectaccessreview.h"
#include "k8s/tokenreview.h"
#include "k8s/validating_webhooks.h"
#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"

const struct kind *const all_kinds[] = {
    &k8s_binding_kind,
    &k8s_configmap_kind,
    &k8s_namespace_kind,
    &k8s_node_kind,
    &k8s_pvc_kind,
    &k8s_pod_kind,
    &k8s_built_pod_kind,
    &k8s_secret_kind,
    &k8s_service_kind,
    &k8s_serviceaccount_kind,
    &k8s_mutating_webhooks_kind,
    &k8s_validating_webhooks_kind,
    &k8s_crd_kind,
    &k8s_controllerrevision_kind,
    &k8s_deployment_kind,
    &k8s_statefulset_kind,
    &k8s_tokenreview_kind,
    &k8s_subjectaccessreview_kind,
    &k8s_scale_kind,
    &k8s_job_kind,
    &k8s_lease_kind,
    &k8s_event_kind,
    &k8s_servicemonitor_kind,
    &k8s_eviction_kind,
    &k8s_pdb_kind,
    &slinky_accounting_kind,
    &slinky_controller_kind,
    &slinky_loginset_kind,
    &slinky_nodeset_kind,
    &slinky_restapi_kind,
    &slinky_token_kind,
    NULL,
};
