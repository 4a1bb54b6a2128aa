/* pod.c - pods: our containers, the user's wishes, and what restarts them. */
#include "base/scope.h"
#include "build/override.h"
#include "build/parts.h"
#include "build/scripts.h"
#include "build/values.h"

#define DEFAULT_CONTAINER "kubectl.kubernetes.io/default-container"
#define PER_NODE "kubernetes.io/hostname"
#define REQUIRED_TERMS "requiredDuringSchedulingIgnoredDuringExecution"

const struct json *container_of(struct arena *a, const struct k8s_container *ours,
                                const struct json *user)
{
    return override_container(a, table_json(a, &k8s_container_type, ours), user);
}

static const struct json *list_of(struct arena *a, const struct json *const *items)
{
    struct json *list = json_array(a);

    for (; items && *items; items++)
        json_add(a, list, (struct json *)*items);
    return list;
}

const struct json *pod_spec_of(struct arena *a, const struct k8s_pod_spec *ours,
                               const struct json *const *init_containers,
                               const struct json *const *containers, const struct json *user)
{
    const struct json *spec = table_json(a, &k8s_pod_spec_type, ours);
    const struct json *first = list_of(a, init_containers);

    if (json_count(first))
        spec = value_with(a, spec, "initContainers", first);
    spec = value_with(a, spec, "containers", list_of(a, containers));
    return override_pod_spec(a, spec, user);
}

struct k8s_pod_template template_of(struct arena *a, const struct model_home *home,
                                    const char *name, const struct model_pods *pods,
                                    struct pairs hashes, const char *default_container,
                                    const struct json *spec)
{
    struct k8s_pod_template template = {
        .meta = { .name = name, .namespace = home->namespace, .labels = pods->labels },
        .spec = spec,
    };

    template.meta.annotations = pairs_over(a, pods->annotations, pods->hashes);
    template.meta.annotations = pairs_over(a, template.meta.annotations, hashes);
    template.meta.annotations =
        pairs_with(a, template.meta.annotations, DEFAULT_CONTAINER, default_container);
    return template;
}

const struct json *with_anti_affinity(struct arena *a, const struct json *spec,
                                      const struct k8s_label_selector *selector)
{
    const struct json *affinity = json_get(spec, "affinity");
    const struct json *others = json_get(affinity, "podAntiAffinity");
    struct json *term = json_object(a);
    struct json *terms;

    json_set(a, term, "labelSelector", table_json(a, &k8s_label_selector_type, selector));
    json_set_str(a, term, "topologyKey", PER_NODE);
    terms = value_joined(a, json_get(others, REQUIRED_TERMS), NULL);
    json_add(a, terms, term);
    others = value_with(a, others, REQUIRED_TERMS, terms);
    return value_with(a, spec, "affinity", value_with(a, affinity, "podAntiAffinity", others));
}

const struct json *logfile_container(struct arena *a, const struct profile *profile,
                                     const char *file, const struct json *user)
{
    struct k8s_env_var env[] = { { .name = "SOCKET", .value = file } };
    struct k8s_volume_mount mounts[] = { { .name = "slurm-logfile", .mount_path = LOG_DIR } };
    struct k8s_container logfile = {
        .name = "logfile",
        .image = profile->helper_image,
        .command = STRS("sh", "-c", logfile_script),
        .env = LIST(env),
        .restart_policy = "Always",
        .volume_mounts = LIST(mounts),
    };

    return container_of(a, &logfile, user);
}
