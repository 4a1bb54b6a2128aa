/* list_key.c - the table of lists that merge by key. */
#include "json/list_key.h"

#include "base/scope.h"
#include "base/str.h"

static const struct list_rule rules[] = {
    { "addresses", { "type" } },
    { "conditions", { "type" }, .shared = true },
    { "containers", { "name" } },
    { "env", { "name" } },
    { "ephemeralContainers", { "name" }, .shared = true },
    { "finalizers", { NULL }, .shared = true },
    { "hostAliases", { "ip" } },
    { "hostIPs", { "ip" } },
    { "imagePullSecrets", { "name" } },
    { "initContainers", { "name" } },
    { "matchConditions", { "name" } },
    { "ownerReferences", { "uid" }, .shared = true },
    { "podCIDRs", { NULL } },
    { "podIPs", { "ip" } },
    { "ports", { "containerPort", "protocol" }, { NULL, "TCP" } },
    { "ports", { "port", "protocol" }, { NULL, "TCP" } },
    { "resourceClaims", { "name" } },
    { "schedulingGates", { "name" } },
    { "secrets", { "name" }, .shared = true },
    { "topologySpreadConstraints",
      { "topologyKey", "whenUnsatisfiable" },
      { NULL, "DoNotSchedule" } },
    { "volumeDevices", { "devicePath" } },
    { "volumeMounts", { "mountPath" } },
    { "volumes", { "name" } },
    { "webhooks", { "name" } },
};

/* Whether some element has the member; an empty list has no say. */
static bool has_key(const struct json *list, const char *key)
{
    for (size_t i = 0; i < json_count(list); i++)
        if (json_get(json_item(list, i), key))
            return true;
    return false;
}

const struct list_rule *list_rule_of(const char *list, const struct json *one,
                                     const struct json *other)
{
    for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
        const struct list_rule *rule = &rules[i];

        if (str_eq(list, rule->list) &&
            (!rule->keys[0] || has_key(one, rule->keys[0]) || has_key(other, rule->keys[0])))
            return rule;
    }
    return NULL;
}

const char *list_key_of(struct arena *a, const struct list_rule *rule, const struct json *element)
{
    const char *text = NULL;

    if (!rule->keys[0])
        return json_text(a, element);
    for (int i = 0; i < LIST_KEYS && rule->keys[i]; i++) {
        const struct json *value = json_get(element, rule->keys[i]);

        if (!value && !rule->defaults[i])
            return NULL;
        const char *part = value && value->type != JSON_STR ? json_text(a, value)
                                                            : json_str_or(value, rule->defaults[i]);

        text = text ? fmt(a, "%s\n%s", text, part) : part;
    }
    return text;
}
