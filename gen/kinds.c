/* kinds.c - every kind we know.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "kinds.h"

#include "k8s/configmap.h"
#include "k8s/deployment.h"
#include "k8s/pod.h"
#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"

const struct kind *const all_kinds[] = {
    &k8s_configmap_kind,
    &k8s_deployment_kind,
    &k8s_pod_kind,
    &slinky_accounting_kind,
    &slinky_controller_kind,
    &slinky_loginset_kind,
    &slinky_nodeset_kind,
    &slinky_restapi_kind,
    &slinky_token_kind,
    NULL,
};
