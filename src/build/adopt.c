/* adopt.c - the template of another operator, kept while it says the same as ours. */
#include "build/adopt.h"

#include "base/scope.h"
#include "base/str.h"
#include "build/hash.h"
#include "build/values.h"

static const char *const helpers[] = { "logfile", "reconfigure", "initconf", NULL };

/* Our container with the other one's script: commands that differ in nothing but their last word.
 */
static const struct json *with_script(struct arena *a, const struct json *ours,
                                      const struct json *theirs)
{
    const struct json *command = json_get(ours, "command");
    const struct json *other = json_get(theirs, "command");
    size_t n = value_items(command);

    if (n == 0 || value_items(other) != n)
        return ours;
    for (size_t i = 0; i + 1 < n; i++)
        if (!json_equal(json_item(command, i), json_item(other, i)))
            return ours;
    return value_with(a, ours, "command", other);
}

static const struct json *with_scripts(struct arena *a, const struct json *spec,
                                       const struct json *live)
{
    const struct json *ours = json_get(spec, "initContainers");
    struct json *kept = json_array(a);

    if (!ours)
        return spec;
    for (size_t i = 0; i < value_items(ours); i++) {
        const struct json *one = json_item(ours, i);
        const char *name = json_str_or(json_get(one, "name"), NULL);

        if (str_in(name, helpers))
            one = with_script(a, one, value_named(json_get(live, "initContainers"), "name", name));
        json_add(a, kept, (struct json *)one);
    }
    return value_with(a, spec, "initContainers", kept);
}

/* Our annotations without those hashes that live never had. */
static struct pairs without_missing(struct arena *a, struct pairs ours, struct pairs live,
                                    struct pairs hashes)
{
    struct pairs kept = { 0 };

    for_each (pair, ours)
        if (pairs_get(live, pair->key) || !pairs_get(hashes, pair->key))
            kept = pairs_with(a, kept, pair->key, pair->value);
    return kept.n ? kept : (struct pairs) { 0 };
}

static bool adopt(struct arena *a, const struct k8s_meta *live_meta,
                  const struct k8s_pod_template *live, struct k8s_meta *meta,
                  struct k8s_pod_template *want, struct pairs hashes)
{
    const char *then = pairs_get(live_meta->annotations, ADOPTED);
    const char *now = hash_of_texts(a, hashes);
    struct k8s_pod_template kept = *want;

    if (then && !str_eq(then, now))
        return false;
    kept.spec = with_scripts(a, want->spec, live->spec);
    kept.meta.annotations =
        without_missing(a, want->meta.annotations, live->meta.annotations, hashes);
    if (!table_covers(a, &k8s_pod_template_type, live, &kept, NULL))
        return false;
    if (table_covers(a, &k8s_pod_template_type, live, want, NULL))
        return false; /* nothing to forgive */
    *want = kept;
    meta->annotations = pairs_with(a, meta->annotations, ADOPTED, now);
    return true;
}

struct k8s_statefulset *adopt_statefulset(struct arena *a, const struct k8s_statefulset *live,
                                          struct k8s_statefulset *want, struct pairs hashes)
{
    struct k8s_statefulset kept;

    if (!live || !want)
        return want;
    kept = *want;
    if (!adopt(a, &live->meta, &live->spec.template, &kept.meta, &kept.spec.template, hashes))
        return want;
    return k8s_statefulset_keep(a, &kept);
}

struct k8s_deployment *adopt_deployment(struct arena *a, const struct k8s_deployment *live,
                                        struct k8s_deployment *want, struct pairs hashes)
{
    struct k8s_deployment kept;

    if (!live || !want)
        return want;
    kept = *want;
    if (!adopt(a, &live->meta, &live->spec.template, &kept.meta, &kept.spec.template, hashes))
        return want;
    return k8s_deployment_keep(a, &kept);
}
