/* kind.h - a Kubernetes kind: where it lives in the API and what its objects look like.
 *
 * Descriptors are generated from api/: slinky_nodeset_kind, k8s_pod_kind, ... All of them, for
 * those who look one up by name, are in gen/kinds.h.
 */
#pragma once
#include <stdbool.h>

#include "json/table.h"

/* Every object begins with this struct, named .meta, so that the runtime can read it without
 * knowing the kind. Generated from api/upstream/meta.yaml into gen/k8s/meta.h. */
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

/* "apps/v1", or "v1" for the core group. */
const char *kind_api_version(struct arena *a, const struct kind *kind);

/* Objects as the API takes them: with apiVersion and kind in front. */
struct json *kind_json(struct arena *a, const struct kind *kind, const void *object);
void kind_write(const struct kind *kind, const void *object, struct buf *out);
