/* convert_rules.c - how the fields of v1alpha1 and v1beta1 correspond.
 *
 * Fields that no rule names are the same in both. What v1alpha1 says by leaving something out,
 * v1beta1 says in so many words, where its own default is another.
 */
#include <string.h>

#include "base/scope.h"
#include "base/str.h"
#include "slinky/convert_parts.h"

#define NAMES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

struct rules {
    const char *kind;
    const char *const *refs;        /* v1alpha1 names a namespace, in v1beta1 it is our own */
    const char *const *ref_lists;   /* lists of those */
    const char *const *sidecars;    /* v1alpha1 has three fields of the container */
    const char *const *alpha_only;  /* of the spec */
    const char *const *beta_only;   /* of the spec */
    const char *const *beta_status; /* of the status */
    void (*up)(struct arena *a, struct json *spec);
    void (*down)(struct arena *a, struct json *spec);
};

static void remove_all(struct json *object, const char *const *names)
{
    for (; object && object->type == JSON_OBJECT && names && *names; names++)
        json_remove(object, *names);
}

static bool is_null(const struct json *v)
{
    return v && v->type == JSON_NULL;
}

static bool is_object(const struct json *v)
{
    return v && v->type == JSON_OBJECT;
}

/* ------------------------------------------------------------------ references */

static void set_namespace(struct arena *a, struct json *ref, const char *namespace)
{
    if (is_object(ref) && namespace)
        json_set_str(a, ref, "namespace", namespace);
    else if (is_object(ref))
        json_remove(ref, "namespace");
}

/* namespace NULL: references lose theirs. */
static void set_namespaces(struct arena *a, struct json *spec, const struct rules *rules,
                           const char *namespace)
{
    for (const char *const *name = rules->refs; name && *name; name++)
        set_namespace(a, member_of(spec, *name), namespace);
    for (const char *const *name = rules->ref_lists; name && *name; name++) {
        struct json *list = member_of(spec, *name);

        for (size_t i = 0; list && list->type == JSON_ARRAY && i < list->array.count; i++)
            set_namespace(a, list->array.items[i], namespace);
    }
}

/* ------------------------------------------------------------------ parts of several kinds */

/* v0.4.0 had the fields of a ServiceSpec beside the port; later ones have them below spec. */
static void service_up(struct arena *a, struct json *service)
{
    static const char *const own[] = { "metadata", "spec", "port", "nodePort", NULL };
    struct json *spec = member_of(service, "spec");
    struct json *moved = is_object(spec) ? spec : json_object(a);
    const struct json *node_port = json_at(service, "ports.0.nodePort");

    if (!is_object(service))
        return;
    for (size_t i = 0; i < service->object.count;) {
        struct json_member m = service->object.members[i];

        if (str_in(m.name, own)) {
            i++;
            continue;
        }
        json_remove(service, m.name);
        json_set(a, moved, m.name, m.value);
    }
    if (json_count(moved) && !spec)
        json_set(a, service, "spec", moved);
    if (node_port && !json_get(service, "nodePort"))
        json_set(a, service, "nodePort", json_copy(a, node_port));
}

static void template_down(struct json *template)
{
    struct json *meta = member_of(template, "metadata");

    if (is_null(json_get(meta, "labels")))
        json_remove(meta, "labels");
    if (is_null(json_get(meta, "annotations")))
        json_remove(meta, "annotations");
}

static void keep_only(struct json *object, const char *const *names)
{
    for (size_t i = 0; is_object(object) && i < object->object.count;)
        if (str_in(object->object.members[i].name, names))
            i++;
        else
            json_remove(object, object->object.members[i].name);
}

static void sidecars_down(struct json *spec, const struct rules *rules)
{
    for (const char *const *name = rules->sidecars; name && *name; name++) {
        struct json *sidecar = member_of(spec, *name);

        keep_only(sidecar, NAMES("image", "imagePullPolicy", "resources"));
        keep_only(member_of(sidecar, "resources"), NAMES("claims", "limits", "requests"));
    }
}

/* v1alpha1 has the older of the two names for the same key. */
static void jwt_down(struct arena *a, struct json *spec)
{
    struct json *key = member_of(spec, "jwtKeyRef");

    if (is_object(key))
        json_set(a, spec, "jwtHs256KeyRef", key);
    json_remove(spec, "jwtKeyRef");
}

static void nulls_down(struct json *spec, const char *const *names)
{
    for (; names && *names; names++)
        if (is_null(json_get(spec, *names)))
            json_remove(spec, *names);
}

/* ------------------------------------------------------------------ kinds */

/* The reconfigure container of v1alpha1 always ran. */
static void controller_up(struct arena *a, struct json *spec)
{
    if (!json_get(spec, "inplaceReconfigure"))
        json_set(a, spec, "inplaceReconfigure", json_bool(a, true));
}

/* One line, as v1beta1 wants it; NULL when nothing is left. */
static char *one_line(struct arena *a, const char *text)
{
    char *copy = arena_str(a, text);
    char *out = arena_alloc(a, strlen(text) + 2);
    char *end = out;
    char *rest = NULL;

    for (char *line = strtok_r(copy, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        line += strspn(line, " \t");
        if (!*line)
            continue;
        if (end > out)
            *end++ = ' ';
        end = stpcpy(end, line);
    }
    return end > out ? out : NULL;
}

static void partition_up(struct arena *a, struct json *partition)
{
    const char *config = json_str_or(json_get(partition, "config"), NULL);
    char *line = config ? one_line(a, config) : NULL;

    if (!is_object(partition))
        return;
    if (!json_get(partition, "enabled"))
        json_set(a, partition, "enabled", json_bool(a, true));
    if (config && !line)
        json_remove(partition, "config");
    else if (config && strpbrk(config, "\r\n"))
        json_set_str(a, partition, "config", line);
}

static void nodeset_up(struct arena *a, struct json *spec)
{
    struct json *strategy = member_of(spec, "updateStrategy");

    partition_up(a, member_of(spec, "partition"));
    if (is_object(strategy) && str_eq(json_str_or(json_get(strategy, "type"), NULL), ""))
        json_remove(strategy, "type");
    if (is_null(json_get(spec, "revisionHistoryLimit")))
        json_set(a, spec, "revisionHistoryLimit", json_int(a, 0));
}

/* Workers that should be replaced in a reservation of their own are not replaced unasked. */
static void nodeset_down(struct arena *a, struct json *spec)
{
    struct json *strategy = member_of(spec, "updateStrategy");
    struct json *partition = member_of(spec, "partition");

    if (is_object(strategy)) {
        json_remove(strategy, "scheduledUpdate");
        if (str_eq(json_str_or(json_get(strategy, "type"), NULL), "ScheduledUpdate"))
            json_set_str(a, strategy, "type", "OnDelete");
    }
    if (is_object(partition) && !json_get(partition, "enabled"))
        json_set(a, partition, "enabled", json_bool(a, false));
}

static const struct rules all_rules[] = {
    { .kind = "Controller",
      .refs = NAMES("accountingRef"),
      .ref_lists = NAMES("configFileRefs", "prologScriptRefs", "epilogScriptRefs"),
      .sidecars = NAMES("reconfigure", "logfile"),
      .beta_only = NAMES("jwksKeyRef", "external", "externalConfig", "ha", "inplaceReconfigure",
                         "metrics", "prologSlurmctldScriptRefs", "epilogSlurmctldScriptRefs"),
      .up = controller_up,
      .down = jwt_down },
    { .kind = "Accounting",
      .alpha_only = NAMES("initconf"),
      .beta_only = NAMES("jwksKeyRef", "external", "externalConfig"),
      .down = jwt_down },
    { .kind = "RestApi", .refs = NAMES("controllerRef") },
    { .kind = "NodeSet",
      .refs = NAMES("controllerRef"),
      .sidecars = NAMES("logfile"),
      .alpha_only = NAMES("taintKubeNodes"),
      .beta_only =
          NAMES("scalingMode", "ssh", "ordinalPadding", "pinToNode", "workloadDisruptionProtection",
                "pruneSlurmNodeRecords", "oversubscribeNode", "taintKubeNodes"),
      .beta_status = NAMES("desired", "ordinalToNode"),
      .up = nodeset_up,
      .down = nodeset_down },
    { .kind = "LoginSet",
      .refs = NAMES("controllerRef"),
      .beta_only = NAMES("initconf", "strategy") },
    { .kind = "Token", .refs = NAMES("jwtHs256KeyRef"), .down = jwt_down },
};

static const struct rules *rules_of(const char *kind)
{
    for (size_t i = 0; i < ARRAY_SIZE(all_rules); i++)
        if (str_eq(all_rules[i].kind, kind))
            return &all_rules[i];
    return NULL;
}

bool rules_know(const char *kind)
{
    return rules_of(kind) != NULL;
}

bool rules_up(struct arena *a, struct json *object)
{
    const struct rules *rules = rules_of(json_str_or(json_get(object, "kind"), ""));
    struct json *spec = member_of(object, "spec");

    if (!rules || !is_object(spec))
        return rules != NULL;
    set_namespaces(a, spec, rules, NULL);
    remove_all(spec, rules->alpha_only);
    service_up(a, member_of(spec, "service"));
    if (rules->up)
        rules->up(a, spec);
    return true;
}

bool rules_down(struct arena *a, struct json *object)
{
    const struct rules *rules = rules_of(json_str_or(json_get(object, "kind"), ""));
    const char *namespace = json_str_or(json_at(object, "metadata.namespace"), NULL);
    struct json *spec = member_of(object, "spec");
    struct json *service = member_of(spec, "service");

    if (rules)
        remove_all(member_of(object, "status"), rules->beta_status);
    if (!rules || !is_object(spec))
        return rules != NULL;
    remove_all(spec, rules->beta_only);
    nulls_down(spec, rules->ref_lists);
    sidecars_down(spec, rules);
    template_down(member_of(spec, "template"));
    remove_all(service, NAMES("metadata"));
    if (rules->down)
        rules->down(a, spec);
    if (namespace)
        set_namespaces(a, spec, rules, namespace);
    return true;
}
