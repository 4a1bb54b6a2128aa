/* kind.h - a Kubernetes kind: where it lives in the API and what its objects look like. */
#pragma once
#include <stdbool.h>

#include "json/table.h"

/* Every object begins with this struct, named .meta, so that the runtime can read it without
 * knowing the kind. Generated from api/upstream/meta.yaml: name, namespace, uid, resource_version,
 * generation, creation_timestamp, deletion_timestamp, labels, annotations, owner_references, finalizers. */
struct k8s_meta;

struct kind {
    const char *group; /* "" for core */
    const char *version;
    const char *kind;
    const char *plural;
    bool namespaced;
    bool has_status; /* the status subresource */
    bool has_scale;
    const struct type *type;    /* its first field is the metadata, at offset 0 */
    const struct field *status; /* the row of .status, NULL when there is none */
};
