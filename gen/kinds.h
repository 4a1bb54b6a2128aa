/* kinds.h - every kind we know.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

/* Ended by NULL. */
extern const struct kind *const all_kinds[];

extern const struct kind k8s_configmap_kind;
extern const struct kind k8s_deployment_kind;
extern const struct kind k8s_pod_kind;
extern const struct kind slinky_accounting_kind;
extern const struct kind slinky_controller_kind;
extern const struct kind slinky_loginset_kind;
extern const struct kind slinky_nodeset_kind;
extern const struct kind slinky_restapi_kind;
extern const struct kind slinky_token_kind;

/* The kind of the object that a pointer of its type points at. */
#define KIND_OF(object) _Generic((object), \
    struct k8s_configmap *: &k8s_configmap_kind, \
    const struct k8s_configmap *: &k8s_configmap_kind, \
    struct k8s_deployment *: &k8s_deployment_kind, \
    const struct k8s_deployment *: &k8s_deployment_kind, \
    struct k8s_pod *: &k8s_pod_kind, \
    const struct k8s_pod *: &k8s_pod_kind, \
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
