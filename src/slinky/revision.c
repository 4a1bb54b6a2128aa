/* revision.c - what a revision of a NodeSet stores.
 *
 * The hash of a revision decides whether a pod is old. So that a cluster taken over from
 * slurm-operator keeps its pods, the stored value is written as its Go types write it: zero values
 * of plain fields are left out, a container always has a name and resources, a pod spec always has
 * containers. What cannot be known here (a quantity in an unusual spelling) is caught by comparing
 * values, see workers_revision_same().
 */
#include "base/str.h"
#include "slinky/front_parts.h"

/* Plain fields of the core types, whose zero value their JSON leaves out; pointers keep theirs. */
static const char *const plain[] = {
    "hostNetwork",
    "hostPID",
    "hostIPC",
    "stdin",
    "stdinOnce",
    "tty",
    "readOnly",
    "hostPort",
    "periodSeconds",
    "timeoutSeconds",
    "successThreshold",
    "failureThreshold",
    "initialDelaySeconds",
    NULL,
};
static const char *const maps[] = { "limits",      "requests",    "nodeSelector", "labels",
                                    "annotations", "matchLabels", "overhead",     NULL };
static const char *const quantities[] = { "limits", "requests", "overhead", NULL };
static const char *const containers[] = { "containers", "initContainers", NULL };

static struct json *value_of(struct arena *a, const char *name, const struct json *v);

static bool is_left_out(const char *name, const struct json *v)
{
    switch (v->type) {
    case JSON_NULL:
        return true;
    case JSON_STR:
        return v->str.len == 0;
    case JSON_ARRAY:
        return json_count(v) == 0;
    case JSON_OBJECT:
        return json_count(v) == 0 && str_in(name, maps);
    case JSON_BOOL:
        return !v->yes && str_in(name, plain);
    case JSON_INT:
        return v->integer == 0 && str_in(name, plain);
    default:
        return false;
    }
}

static struct json *object_value(struct arena *a, const char *name, const struct json *v)
{
    struct json *result = json_object(a);

    for_each_member (member, v) {
        bool is_number = member->value->type == JSON_INT || member->value->type == JSON_REAL;

        if (is_left_out(member->name, member->value))
            continue;
        if (is_number && str_in(name, quantities))
            json_append(a, result, member->name, json_str(a, json_text(a, member->value)));
        else
            json_append(a, result, member->name, value_of(a, member->name, member->value));
    }
    return result;
}

/* A container as it is always written. */
static struct json *container_value(struct arena *a, const struct json *v)
{
    struct json *result = v && v->type == JSON_OBJECT ? object_value(a, NULL, v) : json_object(a);

    if (!json_get(result, "name"))
        json_set(a, result, "name", json_str(a, ""));
    if (!json_get(result, "resources"))
        json_set(a, result, "resources", json_object(a));
    return result;
}

static struct json *value_of(struct arena *a, const char *name, const struct json *v)
{
    struct json *list;

    if (v->type == JSON_OBJECT)
        return object_value(a, name, v);
    if (v->type != JSON_ARRAY)
        return (struct json *)v;
    list = json_array(a);
    for (size_t i = 0; i < json_count(v); i++) {
        const struct json *item = json_item(v, i);

        json_add(a, list,
                 str_in(name, containers) ? container_value(a, item) : value_of(a, NULL, item));
    }
    return list;
}

/* A part that a rollback would put back as a whole. */
static void add_part(struct arena *a, struct json *spec, const char *name, struct json *part)
{
    json_set_str(a, part, "$patch", "replace");
    json_set(a, spec, name, part);
}

static bool has_members(const struct json *v)
{
    return v && v->type == JSON_OBJECT && json_count(v) > 0;
}

static struct json *template_value(struct arena *a, const struct slinky_pod_template *template)
{
    struct json *result = json_object(a);
    struct json *spec = template && has_members(template->spec)
                            ? object_value(a, NULL, template->spec)
                            : json_object(a);

    if (!json_get(spec, "containers"))
        json_set(a, spec, "containers", json_null(a));
    json_set(a, result, "metadata",
             template ? object_value(a, NULL, table_json(a, &slinky_metadata_type, &template->meta))
                      : json_object(a));
    json_set(a, result, "spec", spec);
    return result;
}

static bool ssh_says_something(const struct slinky_nodeset_ssh *ssh)
{
    return ssh && (ssh->enabled == YES || !str_empty(ssh->extra_sshd_config) ||
                   !str_empty(ssh->sssd_conf_ref.name) || !str_empty(ssh->sssd_conf_ref.key));
}

static struct json *ssh_value(struct arena *a, const struct slinky_nodeset_ssh *ssh)
{
    struct json *result = json_object(a);
    struct json *ref = json_object(a);

    json_set(a, result, "enabled", json_bool(a, ssh->enabled == YES));
    if (!str_empty(ssh->extra_sshd_config))
        json_set_str(a, result, "extraSshdConfig", ssh->extra_sshd_config);
    if (!str_empty(ssh->sssd_conf_ref.name))
        json_set_str(a, ref, "name", ssh->sssd_conf_ref.name);
    json_set(a, ref, "key", json_str(a, ssh->sssd_conf_ref.key ?: ""));
    if (ssh->sssd_conf_ref.optional != UNSET)
        json_set(a, ref, "optional", json_bool(a, ssh->sssd_conf_ref.optional == YES));
    json_set(a, result, "sssdConfRef", ref);
    return result;
}

const struct json *slinky_revision(struct arena *a, const struct slinky_nodeset *cr)
{
    const struct slinky_nodeset_spec *in = &cr->spec;
    struct json *result = json_object(a);
    struct json *spec = json_object(a);

    if (!str_empty(in->extra_conf))
        json_set_str(a, spec, "extraConf", in->extra_conf);
    if (has_members(in->logfile))
        add_part(a, spec, "logfile", container_value(a, in->logfile));
    json_set(a, spec, "ordinalPadding", json_int(a, int_or(in->ordinal_padding, 0)));
    json_set(a, spec, "oversubscribeNode", json_bool(a, in->oversubscribe_node == YES));
    add_part(a, spec, "slurmd", container_value(a, in->slurmd));
    if (ssh_says_something(in->ssh))
        add_part(a, spec, "ssh", ssh_value(a, in->ssh));
    add_part(a, spec, "template", template_value(a, in->template));
    json_set(a, result, "spec", spec);
    return result;
}
