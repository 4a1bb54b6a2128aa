/* placement.c - where the scheduler would let a worker run. */
#include "workers/placement.h"

#include <string.h>

#include "base/str.h"

/* What the DaemonSet controller adds to its pods: nodes in trouble keep their daemons. */
static const struct k8s_toleration daemon_tolerations[] = {
    { .key = "node.kubernetes.io/not-ready", .operator= "Exists", .effect = "NoExecute" },
    { .key = "node.kubernetes.io/unreachable", .operator= "Exists", .effect = "NoExecute" },
    { .key = "node.kubernetes.io/disk-pressure", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/memory-pressure", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/pid-pressure", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/unschedulable", .operator= "Exists", .effect = "NoSchedule" },
    { .key = "node.kubernetes.io/network-unavailable",
      .operator= "Exists",
      .effect = "NoSchedule" },
};

/* ------------------------------------------------------------------ reading a PodSpec */

static void add_toleration(struct placement *p, const struct json *item)
{
    p->tolerations.v[p->tolerations.n++] = (struct k8s_toleration) {
        .key = json_str_or(json_get(item, "key"), NULL),
        .operator= json_str_or(json_get(item, "operator"), NULL),
        .value = json_str_or(json_get(item, "value"), NULL),
        .effect = json_str_or(json_get(item, "effect"), NULL),
    };
}

struct placement *placement_of(struct arena *a, const struct json *pod_spec, bool as_daemon)
{
    struct placement *p = arena_make(a, struct placement);
    const struct json *selector = json_get(pod_spec, "nodeSelector");
    const struct json *tolerations = json_get(pod_spec, "tolerations");
    size_t n = json_count(tolerations);

    p->node_name = json_str_or(json_get(pod_spec, "nodeName"), NULL);
    if (selector && selector->type == JSON_OBJECT)
        for_each_member (member, selector)
            p->selector = pairs_with(a, p->selector, member->name, json_str_or(member->value, ""));
    p->terms =
        json_at(pod_spec, "affinity.nodeAffinity."
                          "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
    p->tolerations.v = arena_make_n(a, struct k8s_toleration, n + ARRAY_SIZE(daemon_tolerations));
    for (size_t i = 0; i < n; i++)
        add_toleration(p, json_item(tolerations, i));
    for (size_t i = 0; as_daemon && i < ARRAY_SIZE(daemon_tolerations); i++)
        p->tolerations.v[p->tolerations.n++] = daemon_tolerations[i];
    return p;
}

/* ------------------------------------------------------------------ affinity */

static bool has_value(const struct json *values, const char *value)
{
    for (size_t i = 0; i < json_count(values); i++)
        if (str_eq(json_str_or(json_item(values, i), NULL), value))
            return true;
    return false;
}

/* Gt and Lt compare whole numbers; anything else does not match. */
static bool compares(const char *have, const struct json *values, bool greater)
{
    const char *bound = json_str_or(json_item(values, 0), NULL);
    int64_t x, y;

    if (json_count(values) != 1 || !str_int(have, &x) || !str_int(bound, &y))
        return false;
    return greater ? x > y : x < y;
}

static bool meets(const char *have, const struct json *requirement)
{
    const char *operator= json_str_or(json_get(requirement, "operator"), "");
    const struct json *values = json_get(requirement, "values");

    if (!strcmp(operator, "In"))
        return have && has_value(values, have);
    if (!strcmp(operator, "NotIn"))
        return !have || !has_value(values, have);
    if (!strcmp(operator, "Exists"))
        return have;
    if (!strcmp(operator, "DoesNotExist"))
        return !have;
    if (!strcmp(operator, "Gt") || !strcmp(operator, "Lt"))
        return have && compares(have, values, *operator== 'G');
    return false;
}

static bool term_matches(const struct json *term, const struct machine *machine)
{
    const struct json *expressions = json_get(term, "matchExpressions");
    const struct json *fields = json_get(term, "matchFields");

    if (!json_count(expressions) && !json_count(fields))
        return false; /* an empty term matches nothing */
    for (size_t i = 0; i < json_count(expressions); i++) {
        const struct json *one = json_item(expressions, i);
        const char *key = json_str_or(json_get(one, "key"), "");

        if (!meets(pairs_get(machine->labels, key), one))
            return false;
    }
    for (size_t i = 0; i < json_count(fields); i++) {
        const struct json *one = json_item(fields, i);

        if (!str_eq(json_str_or(json_get(one, "key"), NULL), "metadata.name") ||
            !meets(machine->name, one))
            return false;
    }
    return true;
}

static bool matches(const struct placement *p, const struct machine *machine)
{
    if (!str_empty(p->node_name) && !str_eq(p->node_name, machine->name))
        return false;
    for_each (pair, p->selector)
        if (!str_eq(pairs_get(machine->labels, pair->key), pair->value))
            return false;
    if (!p->terms)
        return true;
    for (size_t i = 0; i < json_count(p->terms); i++)
        if (term_matches(json_item(p->terms, i), machine))
            return true;
    return false;
}

/* ------------------------------------------------------------------ taints */

static bool tolerates(const struct k8s_toleration *t, const struct k8s_taint *taint)
{
    bool exists = str_eq(t->operator, "Exists");

    if (!str_empty(t->effect) && !str_eq(t->effect, taint->effect))
        return false;
    if (str_empty(t->key))
        return exists;
    if (!str_eq(t->key, taint->key))
        return false;
    return exists || str_eq(t->value ?: "", taint->value ?: "");
}

static bool is_tolerated(const struct placement *p, const struct k8s_taint *taint)
{
    for_each (toleration, p->tolerations)
        if (tolerates(toleration, taint))
            return true;
    return false;
}

enum fit placement_fit(const struct placement *p, const struct machine *machine)
{
    enum fit fit = FIT_RUN;

    if (!matches(p, machine))
        return FIT_NEVER;
    if (!machine->taints)
        return fit;
    for_each (taint, *machine->taints) {
        bool evicts = str_eq(taint->effect, "NoExecute");

        if ((!evicts && !str_eq(taint->effect, "NoSchedule")) || is_tolerated(p, taint))
            continue;
        if (evicts)
            return FIT_NEVER;
        fit = FIT_CONTINUE;
    }
    return fit;
}
