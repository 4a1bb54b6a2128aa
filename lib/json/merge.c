/* merge.c - RFC 7386 and the strategic merge of Kubernetes. */
#include "json/merge.h"

#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "json/internal.h"
#include "json/list_key.h"

static const char DELETE_FROM[] = "$deleteFromPrimitiveList/";

static struct json *shared(const struct json *v)
{
    return (struct json *)v; /* results share their inputs and nobody changes either */
}

static bool is_object(const struct json *v)
{
    return v && v->type == JSON_OBJECT;
}

static bool is_array(const struct json *v)
{
    return v && v->type == JSON_ARRAY;
}

struct json *json_merge_patch(struct arena *a, const struct json *base, const struct json *patch)
{
    scoped(finder) struct finder changes = { 0 };
    scoped(finder) struct finder olds = { 0 };
    struct json *result;

    if (!is_object(patch))
        return shared(patch);
    result = json_object(a);
    finder_init(&changes, patch);
    finder_init(&olds, base);
    if (is_object(base)) {
        for_each_member (old, base) {
            const struct json *change = finder_get(&changes, old->name);

            if (!change)
                json_append(a, result, old->name, old->value);
            else if (change->type != JSON_NULL)
                json_append(a, result, old->name, json_merge_patch(a, old->value, change));
        }
    }
    for_each_member (change, patch)
        if (change->value->type != JSON_NULL && !finder_get(&olds, change->name))
            json_append(a, result, change->name, json_merge_patch(a, NULL, change->value));
    return result;
}

static bool is_directive(const char *name)
{
    return str_eq(name, "$patch") || str_eq(name, "$retainKeys") || str_starts(name, DELETE_FROM) ||
           str_starts(name, "$setElementOrder/");
}

static bool patch_says(const struct json *patch, const char *directive)
{
    return str_eq(json_str_or(json_get(patch, "$patch"), NULL), directive);
}

/* Whether a member of a patch has something to say where nothing was. */
static bool adds(const struct json_member *member)
{
    return member->value->type != JSON_NULL && !is_directive(member->name) &&
           !patch_says(member->value, "delete");
}

/* What a patch adds where nothing was: itself without directives, nulls and deletions. */
static struct json *added(struct arena *a, const struct json *patch)
{
    struct json *result;

    if (is_object(patch)) {
        result = json_object(a);
        for_each_member (member, patch)
            if (adds(member))
                json_append(a, result, member->name, added(a, member->value));
        return result;
    }
    if (!is_array(patch))
        return shared(patch);
    result = json_array(a);
    for (size_t i = 0; i < json_count(patch); i++)
        if (!json_get(json_item(patch, i), "$patch"))
            json_add(a, result, added(a, json_item(patch, i)));
    return result;
}

/* A list while it is merged: the patch's elements in its order, each with its place in the base. */
struct list_merge {
    struct arena *arena;
    const struct list_rule *rule;
    const struct json *base, *patch;
    struct map base_at;  /* key -> place in base + 1 */
    struct map patch_at; /* key -> place in slots + 1 */
    bool *gone;          /* base elements that were deleted or merged into a slot */
    struct slot {
        struct json *value;
        size_t base_at; /* + 1; 0: new */
    } * slots;
    size_t slot_count;
};

static struct json *merge_objects(struct arena *a, const struct json *base,
                                  const struct json *patch);

static void index_base(struct list_merge *m)
{
    for (size_t i = 0; i < json_count(m->base); i++) {
        const char *key = list_key_of(m->arena, m->rule, json_item(m->base, i));

        if (key && !map_has(&m->base_at, key))
            map_put(&m->base_at, key, (void *)(i + 1));
    }
}

static struct json *merged_element(struct arena *a, const struct json *old,
                                   const struct json *change)
{
    return is_object(old) && is_object(change) ? merge_objects(a, old, change) : shared(change);
}

static void merge_element(struct list_merge *m, const struct json *change)
{
    const char *key = list_key_of(m->arena, m->rule, change);
    size_t old = key ? (size_t)map_get(&m->base_at, key) : 0;
    size_t earlier = key ? (size_t)map_get(&m->patch_at, key) : 0;
    struct slot *slot = earlier ? &m->slots[earlier - 1] : &m->slots[m->slot_count];

    if (patch_says(change, "delete")) {
        if (old)
            m->gone[old - 1] = true;
        return;
    }
    if (earlier) { /* the patch names it twice */
        slot->value = merged_element(m->arena, slot->value, change);
        return;
    }
    slot->base_at = old && !m->gone[old - 1] ? old : 0;
    slot->value = slot->base_at ? merged_element(m->arena, json_item(m->base, old - 1), change)
                                : added(m->arena, change);
    if (slot->base_at)
        m->gone[old - 1] = true;
    m->slot_count++;
    if (key)
        map_put(&m->patch_at, key, (void *)m->slot_count);
}

/* Elements that only the base has go in front of the first slot that stood behind them there. */
static struct json *interleave(const struct list_merge *m)
{
    struct json *result = json_array(m->arena);
    size_t at = 0;

    for (size_t slot = 0; slot < m->slot_count; slot++) {
        for (; at + 1 < m->slots[slot].base_at; at++)
            if (!m->gone[at])
                json_add(m->arena, result, m->base->array.items[at]);
        json_add(m->arena, result, m->slots[slot].value);
    }
    for (; at < m->base->array.count; at++)
        if (!m->gone[at])
            json_add(m->arena, result, m->base->array.items[at]);
    return result;
}

static bool replaces_list(const struct json *patch)
{
    for (size_t i = 0; i < json_count(patch); i++)
        if (patch_says(json_item(patch, i), "replace"))
            return true;
    return false;
}

static struct json *merge_lists(struct arena *a, const char *name, const struct json *base,
                                const struct json *patch)
{
    struct list_merge m = { .arena = a, .base = base, .patch = patch };
    struct json *result;

    m.rule = list_rule_of(name, base, patch);
    if (!m.rule || replaces_list(patch))
        return m.rule ? added(a, patch) : shared(patch);
    m.gone = arena_make_n(a, bool, json_count(base));
    m.slots = arena_make_n(a, struct slot, json_count(patch));
    index_base(&m);
    for (size_t i = 0; i < json_count(patch); i++)
        merge_element(&m, json_item(patch, i));
    result = interleave(&m);
    map_done(&m.base_at, NULL);
    map_done(&m.patch_at, NULL);
    return result;
}

/* A list without the scalars that $deleteFromPrimitiveList names. */
static struct json *without(struct arena *a, const struct json *list, const struct json *scalars)
{
    struct json *result = json_array(a);

    for (size_t i = 0; i < json_count(list); i++) {
        bool drop = false;

        for (size_t j = 0; j < json_count(scalars) && !drop; j++)
            drop = json_equal(json_item(list, i), json_item(scalars, j));
        if (!drop)
            json_add(a, result, list->array.items[i]);
    }
    return result;
}

static struct json *merge_value(struct arena *a, const char *name, const struct json *base,
                                const struct json *patch)
{
    if (is_object(base) && is_object(patch))
        return merge_objects(a, base, patch);
    if (is_array(base) && is_array(patch))
        return merge_lists(a, name, base, patch);
    return base ? shared(patch) : added(a, patch);
}

/* The members that were there before, as the patch leaves them. */
static void merge_olds(struct arena *a, struct json *result, const struct json *base,
                       const struct json *patch)
{
    scoped(finder) struct finder changes = { 0 };

    finder_init(&changes, patch);
    for_each_member (old, base) {
        const struct json *change = finder_get(&changes, old->name);

        if (!change)
            json_append(a, result, old->name, old->value);
        else if (change->type != JSON_NULL)
            json_append(a, result, old->name, merge_value(a, old->name, old->value, change));
    }
}

static void delete_scalars(struct arena *a, struct json *result, const struct json *patch)
{
    for_each_member (directive, patch) {
        const char *name = directive->name + strlen(DELETE_FROM);
        const struct json *list;

        if (!str_starts(directive->name, DELETE_FROM))
            continue;
        list = json_get(result, name);
        if (is_array(list))
            json_set(a, result, name, without(a, list, directive->value));
    }
}

/* Only the members that $retainKeys names, where the patch has it. */
static struct json *retained(struct arena *a, struct json *merged, const struct json *keys)
{
    struct json *result = json_object(a);

    if (!is_array(keys))
        return merged;
    for_each_member (member, merged)
        for (size_t i = 0; i < json_count(keys); i++)
            if (str_eq(json_str_or(json_item(keys, i), NULL), member->name)) {
                json_append(a, result, member->name, member->value);
                break;
            }
    return result;
}

static struct json *merge_objects(struct arena *a, const struct json *base,
                                  const struct json *patch)
{
    scoped(finder) struct finder olds = { 0 };
    struct json *result = json_object(a);

    if (patch_says(patch, "delete"))
        return result;
    if (patch_says(patch, "replace"))
        return added(a, patch);
    merge_olds(a, result, base, patch);
    finder_init(&olds, base);
    for_each_member (change, patch)
        if (adds(change) && !finder_get(&olds, change->name))
            json_append(a, result, change->name, added(a, change->value));
    delete_scalars(a, result, patch);
    return retained(a, result, json_get(patch, "$retainKeys"));
}

struct json *json_merge_strategic(struct arena *a, const struct json *base,
                                  const struct json *patch)
{
    return merge_value(a, NULL, base, patch);
}
