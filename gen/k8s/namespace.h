/* namespace.h - Namespace of the core group/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"

/* What became of it. */
struct k8s_namespace_status {
    const char *phase; /* Active or Terminating. */
};

/* A room for names. */
struct k8s_namespace {
    struct k8s_meta meta; /* Metadata of an object. */
    struct k8s_namespace_status status; /* What became of it. */
};

extern const struct type k8s_namespace_status_type;
extern const struct type k8s_namespace_type;
extern const struct kind k8s_namespace_kind;

/* Deep copies that live as long as the arena. */
struct k8s_namespace *k8s_namespace_keep(struct arena *a, const struct k8s_namespace *from);
