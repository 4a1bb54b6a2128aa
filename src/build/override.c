/* override.c - the user's container or pod on top of ours. */
#include "build/override.h"

#include "base/scope.h"
#include "base/str.h"
#include "build/values.h"
#include "json/merge.h"

static bool says_nothing(const struct json *v)
{
    return v->type == JSON_NULL || (v->type == JSON_STR && v->str.len == 0) ||
           ((v->type == JSON_OBJECT || v->type == JSON_ARRAY) && json_count(v) == 0);
}

/* The value without members that say nothing. Elements of lists are left as they are: an emptyDir
 * there is {} and means something. */
static const struct json *pruned(struct arena *a, const struct json *v)
{
    struct json *rest;

    if (!value_is_object(v))
        return v;
    rest = json_object(a);
    for_each_member (member, v) {
        const struct json *value = pruned(a, member->value);

        if (!says_nothing(value))
            json_append(a, rest, member->name, (struct json *)value);
    }
    return rest;
}

/* ------------------------------------------------------------------ probes and hooks */

static const char *const handlers[] = { "exec", "httpGet", "tcpSocket", "grpc", "sleep" };

/* Ours without its handler when the user brings another type of handler: only one may be there. */
static const struct json *making_way(struct arena *a, const struct json *ours,
                                     const struct json *user)
{
    const char *theirs = NULL;

    for (size_t i = 0; i < ARRAY_SIZE(handlers); i++)
        if (json_get(user, handlers[i]))
            theirs = handlers[i];
    for (size_t i = 0; theirs && i < ARRAY_SIZE(handlers); i++)
        if (!str_eq(handlers[i], theirs) && json_get(ours, handlers[i]))
            ours = value_without(a, ours, handlers[i]);
    return ours;
}

static const struct json *with_handlers(struct arena *a, const struct json *ours,
                                        const struct json *user, const char *const *names)
{
    for (; *names; names++) {
        const struct json *one = json_get(ours, *names);
        const struct json *other = json_get(user, *names);

        if (value_is_object(one) && value_is_object(other))
            ours = value_with(a, ours, *names, making_way(a, one, other));
    }
    return ours;
}

static const char *const probes[] = { "livenessProbe", "readinessProbe", "startupProbe", NULL };
static const char *const hooks[] = { "postStart", "preStop", NULL };

/* ------------------------------------------------------------------ lists */

/* Ours without the elements that the user has under the same key, because a variable or a volume
 * has one source and a mount one volume. An element that is nothing but its key leaves ours alone.
 */
static const struct json *without_replaced(struct arena *a, const struct json *ours,
                                           const struct json *user, const char *list,
                                           const char *key)
{
    const struct json *old = json_get(ours, list);
    struct json *kept;

    if (!old || !json_get(user, list))
        return ours;
    kept = json_array(a);
    for (size_t i = 0; i < value_items(old); i++) {
        const struct json *item = json_item(old, i);
        const struct json *theirs =
            value_named(json_get(user, list), key, json_str_or(json_get(item, key), NULL));

        if (!theirs || json_count(theirs) == 1)
            json_add(a, kept, (struct json *)item);
    }
    return value_with(a, ours, list, kept);
}

/* The user's list with those of ours that it does not have. */
static const struct json *with_ours(struct arena *a, const struct json *ours,
                                    const struct json *user, const char *list)
{
    const struct json *old = json_get(ours, list);
    struct json *all;

    if (!old || !json_get(user, list))
        return user;
    all = value_joined(a, json_get(user, list), NULL);
    for (size_t i = 0; i < value_items(old); i++)
        if (!value_has(all, json_item(old, i)))
            json_add(a, all, (struct json *)json_item(old, i));
    return value_with(a, user, list, all);
}

/* ------------------------------------------------------------------ containers */

const struct json *override_container(struct arena *a, const struct json *ours,
                                      const struct json *user)
{
    const struct json *lifecycle;

    if (!value_is_object(user) || !value_is_object(ours))
        return ours ?: user;
    user = pruned(a, user);
    if (json_get(user, "args") && json_get(ours, "args"))
        user = value_with(a, user, "args",
                          value_joined(a, json_get(ours, "args"), json_get(user, "args")));
    ours = with_handlers(a, ours, user, probes);
    lifecycle = json_get(ours, "lifecycle");
    if (lifecycle && json_get(user, "lifecycle"))
        ours = value_with(a, ours, "lifecycle",
                          with_handlers(a, lifecycle, json_get(user, "lifecycle"), hooks));
    ours = without_replaced(a, ours, user, "env", "name");
    ours = without_replaced(a, ours, user, "volumeMounts", "mountPath");
    return json_merge_strategic(a, ours, user);
}

/* Ours first, each with what the user says about it, then the user's own. */
static const struct json *containers(struct arena *a, const struct json *ours,
                                     const struct json *user)
{
    struct json *all = json_array(a);

    for (size_t i = 0; i < value_items(ours); i++) {
        const struct json *one = json_item(ours, i);
        const char *name = json_str_or(json_get(one, "name"), NULL);

        json_add(a, all,
                 (struct json *)override_container(a, one, value_named(user, "name", name)));
    }
    for (size_t i = 0; i < value_items(user); i++) {
        const struct json *one = json_item(user, i);
        const char *name = json_str_or(json_get(one, "name"), NULL);

        if (!value_named(ours, "name", name))
            json_add(a, all, (struct json *)one);
    }
    return all;
}

/* ------------------------------------------------------------------ pods */

static const struct json *with_searches(struct arena *a, const struct json *ours,
                                        const struct json *user)
{
    const struct json *config = json_get(user, "dnsConfig");

    if (!json_get(config, "searches"))
        return user;
    return value_with(a, user, "dnsConfig",
                      with_ours(a, json_get(ours, "dnsConfig"), config, "searches"));
}

const struct json *override_pod_spec(struct arena *a, const struct json *ours,
                                     const struct json *user)
{
    static const char *const lists[] = { "containers", "initContainers" };
    const struct json *made[ARRAY_SIZE(lists)] = { 0 };
    struct json *result;

    if (!value_is_object(user))
        return ours;
    user = pruned(a, user);
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        if (!json_get(user, lists[i]))
            continue;
        made[i] = containers(a, json_get(ours, lists[i]), json_get(user, lists[i]));
        user = value_without(a, user, lists[i]);
    }
    user = with_ours(a, ours, user, "tolerations");
    user = with_searches(a, ours, user);
    ours = without_replaced(a, ours, user, "volumes", "name");
    result = json_merge_strategic(a, ours, user);
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
        if (made[i])
            result = value_with(a, result, lists[i], made[i]);
    return result;
}
