/* judge.c - findings from what the server answered. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "ops/check.h"

enum { MINOR_LEAST = 29 }; /* as the charts' kubeVersion */

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = { [VERDICT_OK] = "ok",
                                         [VERDICT_WARN] = "warn",
                                         [VERDICT_FAIL] = "fail",
                                         [VERDICT_UNKNOWN] = "unknown" };

    return names[verdict];
}

static const struct json *items_of(const struct json *list)
{
    return json_get(list, "items");
}

static const char *name_of(const struct json *object)
{
    return json_str_or(json_at(object, "metadata.name"), "");
}

/* ------------------------------------------------------------------ the server */

struct finding judge_version(struct arena *a, const struct json *version)
{
    const char *text = json_str_or(json_get(version, "gitVersion"), NULL);
    long major = strtol(json_str_or(json_get(version, "major"), "0"), NULL, 10);
    long minor = strtol(json_str_or(json_get(version, "minor"), "0"), NULL, 10);

    if (!text || major < 1)
        return (struct finding) { "kubernetes", VERDICT_UNKNOWN,
                                  "the server does not tell its version",
                                  "look with 'kubectl version'" };
    if (major == 1 && minor < MINOR_LEAST)
        return (struct finding) { "kubernetes", VERDICT_FAIL, text,
                                  fmt(a, "upgrade to 1.%d or newer", MINOR_LEAST) };
    return (struct finding) { "kubernetes", VERDICT_OK, text, NULL };
}

/* ------------------------------------------------------------------ nodes */

static bool is_ready(const struct json *node)
{
    const struct json *conditions = json_at(node, "status.conditions");

    for (size_t i = 0; i < json_count(conditions); i++) {
        const struct json *c = json_item(conditions, i);

        if (str_eq(json_str_or(json_get(c, "type"), NULL), "Ready"))
            return str_eq(json_str_or(json_get(c, "status"), NULL), "True");
    }
    return false;
}

struct finding judge_nodes(struct arena *a, const struct json *nodes)
{
    size_t n = json_count(items_of(nodes)), ready = 0;
    const char *bad = NULL;
    const char *text;

    for (size_t i = 0; i < n; i++) {
        const struct json *node = json_item(items_of(nodes), i);

        ready += is_ready(node);
        if (!is_ready(node) && !bad)
            bad = name_of(node);
    }
    text = fmt(a, "%zu of %zu ready", ready, n);
    if (!ready)
        return (struct finding) { "nodes", VERDICT_FAIL, text,
                                  "join a node: pods have nowhere to run" };
    if (bad)
        return (struct finding) { "nodes", VERDICT_WARN, text,
                                  fmt(a, "look with 'kubectl describe node %s'", bad) };
    return (struct finding) { "nodes", VERDICT_OK, text, NULL };
}

static const char *const gpu_names[] = { "nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/xe",
                                         "gpu.intel.com/i915" };
/* What node-feature-discovery notes of a device by its vendor, plugin or not. */
static const char *const gpu_labels[] = { "feature.node.kubernetes.io/pci-10de.present",
                                          "feature.node.kubernetes.io/pci-1002.present",
                                          "nvidia.com/gpu.present" };

static int64_t gpus_of(const struct json *node, const char **ret_kind)
{
    int64_t all = 0;

    for (size_t i = 0; i < ARRAY_SIZE(gpu_names); i++) {
        int64_t n = 0;

        str_int(json_str_or(json_get(json_at(node, "status.allocatable"), gpu_names[i]), NULL), &n);
        if (n > 0)
            *ret_kind = gpu_names[i];
        all += n;
    }
    return all;
}

static bool says_gpu(const struct json *node)
{
    for (size_t i = 0; i < ARRAY_SIZE(gpu_labels); i++)
        if (str_eq(json_str_or(json_get(json_at(node, "metadata.labels"), gpu_labels[i]), NULL),
                   "true"))
            return true;
    return false;
}

struct finding judge_gpus(struct arena *a, const struct json *nodes)
{
    const char *kind = NULL, *idle = NULL;
    int64_t gpus = 0, holders = 0;

    for (size_t i = 0; i < json_count(items_of(nodes)); i++) {
        const struct json *node = json_item(items_of(nodes), i);
        int64_t n = gpus_of(node, &kind);

        gpus += n;
        holders += n > 0;
        if (!n && says_gpu(node) && !idle)
            idle = name_of(node);
    }
    if (idle)
        return (struct finding) { "gpus", VERDICT_WARN,
                                  fmt(a, "node %s has a GPU that pods cannot ask for", idle),
                                  "install the vendor's device plugin or GPU operator" };
    if (!gpus)
        return (struct finding) { "gpus", VERDICT_OK, "none", NULL };
    return (struct finding) {
        "gpus", VERDICT_OK,
        fmt(a, "%lld on %lld nodes (%s)", (long long)gpus, (long long)holders, kind), NULL
    };
}

int judge_cgroup_version(const char *metrics)
{
    static const char word[] = "\nkubelet_cgroup_version";
    const char *line = strstr(metrics, word);

    for (; line; line = strstr(line + 1, word)) {
        const char *value = line + strcspn(line + 1, " \n") + 1;
        double version = *value == ' ' ? strtod(value, NULL) : 0;

        if (version == 1 || version == 2)
            return (int)version;
    }
    return 0;
}

/* ------------------------------------------------------------------ what pods rely on */

struct finding judge_dns(struct arena *a, const struct json *services)
{
    for (size_t i = 0; i < json_count(items_of(services)); i++) {
        const struct json *service = json_item(items_of(services), i);

        if (!str_eq(name_of(service), "kube-dns") && !str_eq(name_of(service), "coredns"))
            continue;
        return (struct finding) { "dns", VERDICT_OK,
                                  fmt(a, "service %s at %s", name_of(service),
                                      json_str_or(json_at(service, "spec.clusterIP"), "?")),
                                  NULL };
    }
    return (struct finding) { "dns", VERDICT_WARN, "no kube-dns or coredns Service in kube-system",
                              "make sure that pods resolve names of Services: workers find the "
                              "controller by name" };
}

static bool is_default(const struct json *class)
{
    return str_eq(json_str_or(json_get(json_at(class, "metadata.annotations"),
                                       "storageclass.kubernetes.io/is-default-class"),
                              NULL),
                  "true");
}

struct finding judge_storage(struct arena *a, const struct json *classes)
{
    size_t n = json_count(items_of(classes));

    for (size_t i = 0; i < n; i++)
        if (is_default(json_item(items_of(classes), i)))
            return (struct finding) {
                "storage", VERDICT_OK,
                fmt(a, "%s is the default class", name_of(json_item(items_of(classes), i))), NULL
            };
    return (struct finding) {
        "storage", VERDICT_WARN, fmt(a, "none of %zu storage classes is the default", n),
        "name a class in the Controller's persistence, or mark one as default"
    };
}

/* ------------------------------------------------------------------ others of our kind */

/* Our own program is told what to be by its first argument; the operator that it replaces is not.
 */
static bool is_windlass(const struct json *deployment)
{
    const struct json *args = json_at(deployment, "spec.template.spec.containers.0.args");
    const char *verb = json_str_or(json_item(args, 0), NULL);

    return str_eq(verb, "manager") || str_eq(verb, "webhook");
}

static bool runs(const struct json *deployment)
{
    return json_int_or(json_at(deployment, "spec.replicas"), 1) > 0;
}

static const char *namespace_of(const struct json *object)
{
    return json_str_or(json_at(object, "metadata.namespace"), "");
}

const char *judge_home(const struct json *deployments)
{
    for (size_t i = 0; i < json_count(items_of(deployments)); i++) {
        const struct json *d = json_item(items_of(deployments), i);

        if (is_windlass(d) && runs(d))
            return namespace_of(d);
    }
    return NULL;
}

struct finding judge_operators(struct arena *a, const struct json *deployments)
{
    const char *home = judge_home(deployments);

    for (size_t i = 0; i < json_count(items_of(deployments)); i++) {
        const struct json *d = json_item(items_of(deployments), i);

        if (is_windlass(d) || !runs(d))
            continue;
        return (struct finding) {
            "operator",
            VERDICT_FAIL,
            fmt(a, "another operator, %s/%s, looks after the same resources", namespace_of(d),
                name_of(d)),
            fmt(a, "stop it first: kubectl -n %s scale deployment/%s --replicas=0", namespace_of(d),
                name_of(d)),
        };
    }
    return (struct finding) { "operator", VERDICT_OK,
                              home ? fmt(a, "windlass in namespace %s", home) : "not installed yet",
                              NULL };
}

static bool serves(const struct json *crd, const char *version)
{
    const struct json *versions = json_at(crd, "spec.versions");

    for (size_t i = 0; i < json_count(versions); i++)
        if (str_eq(json_str_or(json_get(json_item(versions, i), "name"), NULL), version))
            return json_bool_or(json_get(json_item(versions, i), "served"), false);
    return false;
}

struct finding judge_crds(struct arena *a, const struct json *crds)
{
    size_t n = 0;

    for (size_t i = 0; i < json_count(items_of(crds)); i++) {
        const struct json *crd = json_item(items_of(crds), i);

        if (!str_ends(name_of(crd), ".slinky.slurm.net"))
            continue;
        if (!serves(crd, "v1beta1"))
            return (struct finding) { "crds", VERDICT_FAIL,
                                      fmt(a, "%s does not serve v1beta1", name_of(crd)),
                                      "apply the newest definitions: windlass install" };
        n++;
    }
    return (struct finding) { "crds", VERDICT_OK,
                              n ? fmt(a, "%zu kinds of slinky.slurm.net", n) : "not installed yet",
                              NULL };
}
