/* front_parts.h - what the translations of the kinds share; only for them. */
#pragma once
#include "slinky/front.h"
#include "slinky/names.h"
#include "slinky/types.h"

/* What one resource says about all objects that are made of it. */
struct origin {
    const struct kind *kind;
    const struct k8s_meta *meta;
    const char *daemon, *component; /* of its labels */
    struct pairs labels;            /* ours: daemon, resource, component, ... */
};

struct origin origin_of(struct arena *a, const struct kind *kind, const void *cr,
                        const char *daemon, const char *component);
struct model_home home_of(struct arena *a, const struct origin *from);
/* Labels and annotations: the resource's own, then more, then ours. inherits false leaves out the
 * resource's own. */
struct model_object object_of(struct arena *a, const struct origin *from, const char *name,
                              const struct slinky_metadata *more, bool inherits);
struct model_pods pods_of(struct arena *a, const struct origin *from,
                          const struct slinky_pod_template *template);
/* -EINVAL: the user's spec cannot be read, or a port of it gets in the way of ours. */
int front_service(struct arena *a, const struct slinky_service *in, struct model_object object,
                  const char *port_name, int usual_port, struct model_service *ret,
                  struct error *err);
const struct slinky_metadata *template_meta(const struct slinky_pod_template *template);
const struct slinky_metadata *service_meta(const struct slinky_service *service);

struct model_key key_of(const struct slinky_secret_key *ref);
struct model_key jwks_of(const struct slinky_config_map_key *ref);
/* jwtKeyRef, or the older field. */
const struct slinky_secret_key *jwt_ref_of(const struct slinky_secret_key *ref,
                                           const struct slinky_secret_key *older);

/* The object, which must be there; field names who asks for it. */
int look_up(const struct slinky_world *world, const struct kind *kind, const char *namespace,
            const char *name, const char *field, const void **ret, struct error *err);
/* Adds the hash of a whole Secret to what restarts the pods. */
int add_secret_hash(struct arena *a, const struct slinky_world *world, const char *namespace,
                    struct model_key key, const char *field, const char *annotation,
                    struct model_pods *pods, struct error *err);
/* Adds the hash of the Secrets and ConfigMaps that the user's part of the pods and these containers
 * mention. Those that are not there count as empty: the pods wait for them, or do without. */
int add_mounts_hash(struct arena *a, const struct slinky_world *world, const char *namespace,
                    const struct json *const *containers, size_t n, struct model_pods *pods,
                    struct error *err);

/* slurm.conf of a Controller, with all it refers to. */
int front_conf(struct arena *a, const struct slinky_world *world,
               const struct slinky_controller *cr, struct slurm_conf *ret, struct error *err);
int front_cluster_of(struct arena *a, const struct slinky_world *world,
                     const struct slinky_controller *cr, struct model_cluster *ret,
                     struct error *err);
const char *slinky_cluster_name(struct arena *a, const struct slinky_controller *cr);
int slinky_replicas(const struct slinky_controller *cr);
/* The Slurm NodeSet of a NodeSet. */
const char *slinky_nodeset_name(struct arena *a, const struct slinky_nodeset *cr);
/* What a revision of a NodeSet stores, as slurm-operator writes it. */
const struct json *slinky_revision(struct arena *a, const struct slinky_nodeset *cr);
