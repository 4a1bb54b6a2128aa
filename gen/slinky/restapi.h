/* restapi.h - RestApi of slinky.slurm.net/v1beta1.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"
#include "k8s/meta.h"
#include "slinky/types.h"

/* The REST interface as it should be. */
struct slinky_restapi_spec {
    struct slinky_local_ref controller_ref; /* Controller whose cluster is served. */
    struct maybe_int replicas; /* How many slurmrestd pods run. */
    const struct json *slurmrestd; /* The slurmrestd container; fields of a core/v1 Container. */
    struct slinky_pod_template *template; /* What to add to the slurmrestd pods. */
    /* The Service clients reach slurmrestd by; port 6820 unless changed. */
    struct slinky_service *service;
};

/* The REST interface as last seen. */
struct slinky_restapi_status {
    struct maybe_int observed_generation; /* Generation of the spec that the status speaks of. */
    /* What is known about the object now; Ready sums it up. */
    struct k8s_condition_list conditions;
};

/* The REST interface of a Slurm cluster, served by slurmrestd. */
struct slinky_restapi {
    struct k8s_meta meta; /* Metadata of an object. */
    struct slinky_restapi_spec spec; /* The REST interface as it should be. */
    struct slinky_restapi_status status; /* The REST interface as last seen. */
};

extern const struct type slinky_restapi_spec_type;
extern const struct type slinky_restapi_status_type;
extern const struct type slinky_restapi_type;
extern const struct kind slinky_restapi_kind;

/* Deep copies that live as long as the arena. */
struct slinky_restapi *slinky_restapi_keep(struct arena *a, const struct slinky_restapi *from);
