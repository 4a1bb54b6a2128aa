/* restapi.c - RestApi of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#include "slinky/restapi.h"

static const struct field slinky_restapi_spec_fields[] = {
    FIELD(slinky_restapi_spec, controller_ref, OBJECT, "controllerRef", .flags = REQUIRED,
          .of = &slinky_local_ref_type, .doc = "Controller whose cluster is served."),
    FIELD(slinky_restapi_spec, replicas, INT, "replicas", .default_text = "1",
          .doc = "How many slurmrestd pods run."),
    FIELD(slinky_restapi_spec, slurmrestd, RAW, "slurmrestd",
          .doc = "The slurmrestd container; fields of a core/v1 Container."),
    FIELD(slinky_restapi_spec, template, POINTER, "template", .of = &slinky_pod_template_type,
          .doc = "What to add to the slurmrestd pods."),
    FIELD(slinky_restapi_spec, service, POINTER, "service", .of = &slinky_service_type,
          .doc = "The Service clients reach slurmrestd by; port 6820 unless changed."),
    { 0 },
};
const struct type slinky_restapi_spec_type = TYPE(slinky_restapi_spec, slinky_restapi_spec_fields);

static const struct field slinky_restapi_status_fields[] = {
    FIELD(slinky_restapi_status, observed_generation, INT, "observedGeneration",
          .doc = "Generation of the spec that the status speaks of."),
    FIELD(slinky_restapi_status, conditions, LIST, "conditions", .of = &k8s_condition_type,
          .list_key = "type", .doc = "What is known about the object now; Ready sums it up."),
    { 0 },
};
const struct type slinky_restapi_status_type =
    TYPE(slinky_restapi_status, slinky_restapi_status_fields);

static const struct field slinky_restapi_fields[] = {
    FIELD(slinky_restapi, meta, OBJECT, "metadata", .of = &k8s_meta_type,
          .doc = "Metadata of an object."),
    FIELD(slinky_restapi, spec, OBJECT, "spec", .of = &slinky_restapi_spec_type,
          .doc = "The REST interface as it should be."),
    FIELD(slinky_restapi, status, OBJECT, "status", .of = &slinky_restapi_status_type,
          .doc = "The REST interface as last seen."),
    { 0 },
};
const struct type slinky_restapi_type = TYPE(slinky_restapi, slinky_restapi_fields);

const struct kind slinky_restapi_kind = {
    .group = "slinky.slurm.net",
    .version = "v1beta1",
    .kind = "RestApi",
    .plural = "restapis",
    .namespaced = true,
    .has_status = true,
    .type = &slinky_restapi_type,
    .status = &slinky_restapi_fields[2],
};

struct slinky_restapi *slinky_restapi_keep(struct arena *a, const struct slinky_restapi *from)
{
    return table_copy(a, &slinky_restapi_type, from);
}
