/* ready.c - whether what was installed has come up, and what it waits for. */
#include "ops/ready.h"

#include "base/str.h"

static const struct json *condition(const struct json *live, const char *type)
{
    const struct json *all = json_at(live, "status.conditions");

    for (size_t i = 0; i < json_count(all); i++)
        if (str_eq(json_str_or(json_get(json_item(all, i), "type"), NULL), type))
            return json_item(all, i);
    return NULL;
}

static bool is_true(const struct json *condition)
{
    return str_eq(json_str_or(json_get(condition, "status"), NULL), "True");
}

static const char *crd_lacks(struct arena *a, const struct json *live)
{
    const struct json *names = condition(live, "NamesAccepted");

    if (is_true(condition(live, "Established")))
        return NULL;
    if (names && !is_true(names))
        return fmt(a, "its names are not accepted: %s",
                   json_str_or(json_get(names, "message"), "no reason given"));
    return "is not established yet";
}

static const char *deployment_lacks(struct arena *a, const struct json *live)
{
    int64_t want = json_int_or(json_at(live, "spec.replicas"), 1);
    int64_t updated = json_int_or(json_at(live, "status.updatedReplicas"), 0);
    int64_t available = json_int_or(json_at(live, "status.availableReplicas"), 0);
    int64_t all = json_int_or(json_at(live, "status.replicas"), 0);

    if (json_int_or(json_at(live, "status.observedGeneration"), 0) <
        json_int_or(json_at(live, "metadata.generation"), 0))
        return "has not been looked at yet";
    if (updated < want || available < want)
        return fmt(a, "%lld of %lld pods available",
                   (long long)(available < updated ? available : updated), (long long)want);
    return all > updated ? "old pods are still leaving" : NULL;
}

static const char *webhook_lacks(struct arena *a, const struct json *live)
{
    const struct json *hooks = json_get(live, "webhooks");

    for (size_t i = 0; i < json_count(hooks); i++)
        if (str_empty(json_str_or(json_at(json_item(hooks, i), "clientConfig.caBundle"), NULL)))
            return fmt(a, "%s has no caBundle yet",
                       json_str_or(json_get(json_item(hooks, i), "name"), "an entry"));
    return NULL;
}

const char *ready_lacks(struct arena *a, const struct json *live)
{
    static const struct {
        const char *kind;
        const char *(*lacks)(struct arena *a, const struct json *live);
    } kinds[] = {
        { "CustomResourceDefinition", crd_lacks },
        { "Deployment", deployment_lacks },
        { "ValidatingWebhookConfiguration", webhook_lacks },
        { "MutatingWebhookConfiguration", webhook_lacks },
    };

    if (!live)
        return "is not there";
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (str_eq(json_str_or(json_get(live, "kind"), NULL), kinds[i].kind))
            return kinds[i].lacks(a, live);
    return NULL;
}

/* ------------------------------------------------------------------ pods */

static const char *container_trouble(struct arena *a, const struct json *container)
{
    const char *name = json_str_or(json_get(container, "name"), "a container");
    const struct json *waiting = json_at(container, "state.waiting");
    const struct json *ended = json_at(container, "state.terminated");
    const char *reason = json_str_or(json_get(waiting, "reason"), NULL);
    static const char *const usual[] = { "PodInitializing", "ContainerCreating", NULL };

    if (reason && !str_in(reason, usual))
        return fmt(a, "%s: %s%s%s", name, reason, json_get(waiting, "message") ? ": " : "",
                   json_str_or(json_get(waiting, "message"), ""));
    if (ended && json_int_or(json_get(ended, "exitCode"), 0))
        return fmt(a, "%s ended with status %lld", name,
                   (long long)json_int_or(json_get(ended, "exitCode"), 0));
    return NULL;
}

const char *ready_pod_trouble(struct arena *a, const struct json *pod)
{
    static const char *const lists[] = { "status.initContainerStatuses",
                                         "status.containerStatuses" };
    const struct json *scheduled = condition(pod, "PodScheduled");

    if (scheduled && !is_true(scheduled))
        return fmt(a, "waits for a node: %s", json_str_or(json_get(scheduled, "message"), ""));
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        const struct json *containers = json_at(pod, lists[i]);

        for (size_t j = 0; j < json_count(containers); j++) {
            const char *trouble = container_trouble(a, json_item(containers, j));

            if (trouble)
                return trouble;
        }
    }
    return NULL;
}
