/* controllerrevision.c - ControllerRevision of apps/v1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "k8s/controllerrevision.h"

static const struct field k8s_controllerrevision_fields[] = {
    FIELD(k8s_controllerrevision, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(k8s_controllerrevision, data, RAW, "data", .doc = "What it looked like."),
    FIELD(k8s_controllerrevision, revision, INT, "revision", .doc = "Its place in the history."),
    { 0 },
};
const struct type k8s_controllerrevision_type =
    TYPE(k8s_controllerrevision, k8s_controllerrevision_fields);

const struct kind k8s_controllerrevision_kind = {
    .group = "apps",
    .version = "v1",
    .kind = "ControllerRevision",
    .plural = "controllerrevisions",
    .namespaced = true,
    .type = &k8s_controllerrevision_type,
};

struct k8s_controllerrevision *
k8s_controllerrevision_keep(struct arena *a, const struct k8s_controllerrevision *from)
{
    return table_copy(a, &k8s_controllerrevision_type, from);
}
