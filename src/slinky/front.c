/* front.c - labels, annotations, references: what all translations need. */
#include "slinky/front.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "k8s/configmap.h"
#include "k8s/node.h"
#include "k8s/secret.h"
#include "slinky/front_parts.h"

const struct profile slinky_profile = {
    .slurm_key_hash = "slinky.slurm.net/slurm-key-hash",
    .jwt_key_hash = "slinky.slurm.net/jwt-key-hash",
    .config_hash = "slinky.slurm.net/slurm-config-hash",
    .config_files_hash = "slinky.slurm.net/config-files-hash",
    .dbd_config_hash = "slinky.slurm.net/slurmdbd-conf-hash",
    .sshd_hash = "slinky.slurm.net/sshd-conf-hash",
    .sssd_hash = "slinky.slurm.net/sssd-conf-hash",
    .host_keys_hash = "slinky.slurm.net/ssh-host-keys-hash",
    .authorized_keys_hash = "slinky.slurm.net/authorized-keys-hash",
    .mounts_hash = "slinky.slurm.net/mounts-hash",
    .cluster = SLINKY_CLUSTER,
    .active = SLINKY_ACTIVE,
    .protect = SLINKY_POD_PROTECT,
    .revision = SLINKY_REVISION,
    .pod_name = SLINKY_POD_NAME,
    .pod_index = SLINKY_POD_INDEX,
    .pod_hostname = SLINKY_POD_HOSTNAME,
    .scaling_mode = SLINKY_SCALING_MODE,
    .topology = SLINKY_TOPOLOGY,
    .worker_taint = SLINKY_WORKER_TAINT,
    .helper_image = "alpine:3",
    .topology_variable = "SLINKY_TOPOLOGY",
    .reason_prefix = SLINKY_REASON_PREFIX,
};

/* ------------------------------------------------------------------ metadata */

struct origin origin_of(struct arena *a, const struct kind *kind, const void *cr,
                        const char *daemon, const char *component)
{
    const struct k8s_meta *meta = cr;
    struct origin from = { .kind = kind, .meta = meta, .daemon = daemon, .component = component };

    from.labels =
        pairs_with(a, slinky_selector_of(a, daemon, meta->name), SLINKY_APP_COMPONENT, component);
    return from;
}

struct model_home home_of(struct arena *a, const struct origin *from)
{
    return (struct model_home){
        .profile = &slinky_profile,
        .namespace = from->meta->namespace,
        .owner = {
            .api_version = kind_api_version(a, from->kind),
            .kind = from->kind->kind,
            .name = from->meta->name,
            .uid = from->meta->uid,
            .controller = YES,
            .block_owner_deletion = YES,
        },
    };
}

/* Notes that are about the resource itself: what kubectl applied would restart pods with every edit
 * if they carried it. */
static bool is_about_itself(const char *annotation)
{
    return str_eq(annotation, "kubectl.kubernetes.io/last-applied-configuration") ||
           str_starts(annotation, "windlass.dev/");
}

static struct pairs inherited_annotations(struct arena *a, const struct k8s_meta *meta)
{
    struct pairs kept = { .v = arena_make_n(a, struct pair, meta->annotations.n) };

    for_each (pair, meta->annotations)
        if (!is_about_itself(pair->key))
            kept.v[kept.n++] = *pair;
    return kept.n ? kept : (struct pairs){ 0 }; /* an empty list would say: none at all */
}

struct model_object object_of(struct arena *a, const struct origin *from, const char *name,
                              const struct slinky_metadata *more, bool inherits)
{
    struct model_object object = { .name = name };

    if (inherits) {
        object.labels = from->meta->labels;
        object.annotations = inherited_annotations(a, from->meta);
    }
    if (more) {
        object.labels = pairs_over(a, object.labels, more->labels);
        object.annotations = pairs_over(a, object.annotations, more->annotations);
    }
    object.labels = pairs_over(a, object.labels, from->labels);
    return object;
}

const struct slinky_metadata *template_meta(const struct slinky_pod_template *template)
{
    return template ? &template->meta : NULL;
}

const struct slinky_metadata *service_meta(const struct slinky_service *service)
{
    return service ? &service->meta : NULL;
}

struct model_pods pods_of(struct arena *a, const struct origin *from,
                          const struct slinky_pod_template *template)
{
    struct model_object object = object_of(a, from, NULL, template_meta(template), true);
    const char *roll = pairs_get(from->meta->annotations, SLINKY_ROLL_ON_CHANGE);

    return (struct model_pods) {
        .labels = object.labels,
        .annotations = object.annotations,
        .selector = slinky_selector_of(a, from->daemon, from->meta->name),
        .roll_on_change = !str_eq(roll, "false"),
        .spec = template ? template->spec : NULL,
    };
}

/* ------------------------------------------------------------------ Services */

static int check_ports(const struct k8s_service_spec *spec, const char *name, int port,
                       struct error *err)
{
    for (size_t i = 0; i < spec->ports.n; i++) {
        const struct k8s_service_port *one = &spec->ports.v[i];

        if (str_eq(one->name, name))
            return fail(err, -EINVAL,
                        "spec.service.spec.ports[%zu].name: %s is the operator's own port: leave "
                        "it out, or name it otherwise",
                        i, name);
        if (int_or(one->port, 0) == port)
            return fail(err, -EINVAL,
                        "spec.service.spec.ports[%zu].port: %d is the operator's own port: leave "
                        "it out, or set spec.service.port",
                        i, port);
    }
    return 0;
}

int front_service(struct arena *a, const struct slinky_service *in, struct model_object object,
                  const char *port_name, int usual_port, struct model_service *ret,
                  struct error *err)
{
    *ret = (struct model_service) { .object = object };
    if (!in)
        return 0;
    ret->port = (int)int_or(in->port, 0);
    ret->node_port = (int)int_or(in->node_port, 0);
    if (in->spec && table_read_json(a, &k8s_service_spec_type, in->spec, &ret->spec, err) < 0)
        return wrap(err, "spec.service.spec");
    return check_ports(&ret->spec, port_name, ret->port ?: usual_port, err);
}

/* ------------------------------------------------------------------ references */

struct model_key key_of(const struct slinky_secret_key *ref)
{
    return ref && !str_empty(ref->name) ? (struct model_key) { ref->name, ref->key }
                                        : (struct model_key) { 0 };
}

struct model_key jwks_of(const struct slinky_config_map_key *ref)
{
    return ref && !str_empty(ref->name) ? (struct model_key) { ref->name, ref->key }
                                        : (struct model_key) { 0 };
}

const struct slinky_secret_key *jwt_ref_of(const struct slinky_secret_key *ref,
                                           const struct slinky_secret_key *older)
{
    return ref && !str_empty(ref->name) ? ref : older;
}

int look_up(const struct slinky_world *world, const struct kind *kind, const char *namespace,
            const char *name, const char *field, const void **ret, struct error *err)
{
    const void *found = NULL;
    int rc;

    if (str_empty(name))
        return fail(err, -EINVAL, "%s: name a %s", field, kind->kind);
    rc = world->get(world->userdata, kind, namespace, name, &found, err);
    if (rc < 0)
        return rc;
    if (!found)
        return fail(err, -ENOENT, "%s: there is no %s %s in namespace %s: create it", field,
                    kind->kind, name, namespace);
    *ret = found;
    return 0;
}

int front_secret_value(struct arena *a, const struct slinky_world *world, const char *namespace,
                       struct model_key key, const char *field, const char **ret, size_t *ret_len,
                       struct error *err)
{
    const void *found = NULL;
    const struct k8s_secret *secret;
    const char *text, *value;
    size_t len = 0;
    int rc = look_up(world, &k8s_secret_kind, namespace, key.name, field, &found, err);

    if (rc < 0)
        return rc;
    secret = found;
    text = pairs_get(secret->data, key.key);
    if (!text)
        return fail(err, -ENOENT, "%s: Secret %s has no key %s: add it", field, key.name,
                    key.key ?: "(none named)");
    value = base64_decode(a, text, &len);
    if (!value)
        return fail(err, -EINVAL, "%s: key %s of Secret %s is not base64", field, key.key,
                    key.name);
    *ret = value;
    if (ret_len)
        *ret_len = len;
    return 0;
}

int add_secret_hash(struct arena *a, const struct slinky_world *world, const char *namespace,
                    struct model_key key, const char *field, const char *annotation,
                    struct model_pods *pods, struct error *err)
{
    const void *found = NULL;
    int rc = look_up(world, &k8s_secret_kind, namespace, key.name, field, &found, err);

    if (rc < 0)
        return rc;
    pods->hashes = pairs_with(a, pods->hashes, annotation,
                              hash_of_secret(a, ((const struct k8s_secret *)found)->data));
    return 0;
}

/* ------------------------------------------------------------------ workers */

struct worker front_worker_of_node(const struct k8s_node *node, const char *hash)
{
    const char *hostname = pairs_get(node->meta.annotations, SLINKY_HOSTNAME_OVERRIDE);

    return (struct worker) {
        .node = node->meta.name,
        .node_hostname = str_empty(hostname) ? NULL : hostname,
        .topology = pairs_get(node->meta.annotations, SLINKY_TOPOLOGY),
        .hash = hash,
    };
}
