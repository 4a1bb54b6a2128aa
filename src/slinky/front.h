/* front.h - from the resources of slinky.slurm.net to the model of a cluster.
 *
 * Every translation applies the defaults of the API, puts names, labels and annotations together,
 * looks up what the resource refers to, and leaves a model that src/build makes objects of. They
 * are pure but for the lookups. Results borrow from the resource and from what was looked up.
 *
 *     -ENOENT   something it refers to is not there; the story names it. Wait for it.
 *     -EAGAIN   it could not be found out whether it is there. Ask again.
 *     -EINVAL   the resource itself is wrong; the story names the field. Wait for an edit.
 */
#pragma once
#include "model/accounting.h"
#include "model/controller.h"
#include "model/login.h"
#include "model/rest.h"
#include "model/token.h"
#include "model/workers.h"
#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"

extern const struct profile slinky_profile;

#define SLINKY_DOMAIN "cluster.local"

/* Where references are looked up: a cache, or files. Everything lies in the resource's namespace.
 */
struct slinky_world {
    /* *ret is NULL when there is none; -EAGAIN when that is not known. */
    int (*get)(void *userdata, const struct kind *kind, const char *namespace, const char *name,
               const void **ret, struct error *err);
    /* All NodeSets of the namespace that name the controller, sorted by name. */
    int (*nodesets)(void *userdata, struct arena *a, const char *namespace, const char *controller,
                    const struct slinky_nodeset ***ret, size_t *ret_n, struct error *err);
    void *userdata;
    const char *domain; /* behind the names of Services; NULL: SLINKY_DOMAIN */
};

int front_controller(struct arena *a, const struct slinky_world *world,
                     const struct slinky_controller *cr, struct model_controller *ret,
                     struct error *err);
int front_accounting(struct arena *a, const struct slinky_world *world,
                     const struct slinky_accounting *cr, struct model_accounting *ret,
                     struct error *err);
int front_restapi(struct arena *a, const struct slinky_world *world,
                  const struct slinky_restapi *cr, struct model_rest *ret, struct error *err);
int front_loginset(struct arena *a, const struct slinky_world *world,
                   const struct slinky_loginset *cr, struct model_login *ret, struct error *err);
int front_nodeset(struct arena *a, const struct slinky_world *world,
                  const struct slinky_nodeset *cr, struct model_workers *ret, struct error *err);
/* Of the token only what does not depend on the time; mint it with slurm/jwt.h. */
int front_token(struct arena *a, const struct slinky_world *world, const struct slinky_token *cr,
                struct model_token *ret, struct error *err);

/* The cluster that a resource's controllerRef names. */
int front_cluster(struct arena *a, const struct slinky_world *world, const char *namespace,
                  const char *controller, struct model_cluster *ret, struct error *err);

/* One key of a Secret, decoded, with a NUL behind it; the story names the field that asked for it.
 * ret_len may be NULL. */
int front_secret_value(struct arena *a, const struct slinky_world *world, const char *namespace,
                       struct model_key key, const char *field, const char **ret, size_t *ret_len,
                       struct error *err);

/* The worker that belongs on a Kubernetes node. */
struct k8s_node;
struct worker front_worker_of_node(const struct k8s_node *node, const char *hash);
