/* validate_nodeset.c - which NodeSets are let in. */
#include <ctype.h>
#include <string.h>
#include <sys/param.h>

#include "base/str.h"
#include "k8s/pvc.h"
#include "slinky/nodeset.h"
#include "slinky/validate_parts.h"

enum { LABEL_MAX = 63, PADDING_MAX = 63 };

static bool is_daemon(const struct slinky_nodeset *n)
{
    return str_eq(n->spec.scaling_mode, "DaemonSet");
}

static const char *prefix_of(const struct slinky_nodeset *n)
{
    const struct slinky_pod_template *pods = n->spec.template;

    return pods ? json_str_or(json_get(pods->spec, "hostname"), "") : "";
}

/* ---- names of workers */

/* How many characters the last worker's number has. */
static size_t digits_of(const struct slinky_nodeset *n)
{
    int64_t last = int_or(n->spec.replicas, 1) - 1;
    size_t digits = 1;

    while (last >= 10) {
        last /= 10;
        digits++;
    }
    return MAX(digits, (size_t)MAX(int_or(n->spec.ordinal_padding, 0), 0));
}

/* RFC 1123 names: labels of letters, digits and inner dashes, between dots. */
static bool is_domain(const char *text)
{
    bool in_label = false;

    for (const char *c = text; *c; c++) {
        bool is_inner = in_label && (c[0] == '-' || c[0] == '.');

        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && !is_inner)
            return false;
        if (*c == '.' && (c[-1] == '-' || c[1] == '-'))
            return false;
        in_label = *c != '.';
    }
    return in_label && !str_ends(text, "-");
}

static void check_prefix(struct problems *p, const struct slinky_nodeset *n)
{
    const char *path = "spec.template.spec.hostname";
    const char *prefix = prefix_of(n);

    if (str_empty(prefix))
        return;
    if (!is_domain(fmt(p->arena, "%s0", prefix)))
        refuse(p, path, shown_str(p, prefix),
               "workers are named by this prefix and a number; use lower case letters, digits and "
               "dashes, beginning with a letter or digit, such as gpu-");
    else if (!is_daemon(n) && strchr(prefix, '.'))
        refuse(p, path, shown_str(p, prefix), "a pod's host name has no dots; use dashes instead");
    if (!is_daemon(n) && strlen(prefix) + digits_of(n) > LABEL_MAX)
        refuse(p, path, shown_str(p, prefix),
               "a worker's name is this prefix and %zu digits, and may have 63 characters; choose "
               "a shorter prefix",
               digits_of(n));
}

/* Without a prefix workers are called as their pods are: NAME-NUMBER, which is also a label. */
static void check_worker_name(struct problems *p, const struct slinky_nodeset *n)
{
    const char *name = n->meta.name;
    size_t number = is_daemon(n) ? sizeof("-12345") - 1 : 1 + digits_of(n);

    if (str_empty(name))
        return;
    if (strlen(name) + number > LABEL_MAX)
        refuse(p, "metadata.name", shown_str(p, name),
               "pods are called NAME-NUMBER and carry that as a label of 63 characters at most; "
               "choose a name of at most %zu",
               LABEL_MAX - MIN(number, (size_t)LABEL_MAX));
    if (!is_daemon(n) && str_empty(prefix_of(n)) && strchr(name, '.'))
        refuse(p, "metadata.name", shown_str(p, name),
               "workers are named after it and a pod's host name has no dots; use dashes, or give "
               "a prefix in spec.template.spec.hostname");
}

/* ---- configuration */

static void check_extra_conf(struct problems *p, const char *conf)
{
    static const char blanks[] = " \t\n\v\f\r";

    for (const char *word = conf ? conf + strspn(conf, blanks) : ""; *word;) {
        size_t len = strcspn(word, blanks);

        if (!memchr(word, '=', len)) {
            refuse(p, "spec.extraConf", shown_str(p, arena_strn(p->arena, word, len)),
                   "extraConf is a list of Key=Value items with spaces between them; this item has "
                   "no equals sign");
            return;
        }
        word += len + strspn(word + len, blanks);
    }
}

static void check_ssh(struct problems *p, const struct slinky_nodeset_ssh *ssh)
{
    if (ssh && ssh->enabled == YES && str_empty(ssh->sssd_conf_ref.name))
        refuse(p, "spec.ssh.sssdConfRef.name", NULL,
               "nobody could log in without sssd.conf; give the name of the Secret that holds it");
}

static void check_partition(struct problems *p, const struct slinky_nodeset_partition *partition)
{
    if (!partition || !partition->config)
        return;
    if (strchr(partition->config, '\n'))
        refuse(p, "spec.partition.config", shown_str(p, partition->config),
               "a partition is one line of slurm.conf; put all options on one line");
    if (partition->enabled != YES)
        warn_of(p, "spec.partition.config", NULL, "not used unless partition.enabled is true");
}

/* ---- updates */

/* "12%" as 12; false for anything that is no percentage. */
static bool percent_of(const char *text, int64_t *ret)
{
    size_t len = text ? strlen(text) : 0;
    char digits[24];

    if (len < 2 || len >= sizeof(digits) || text[len - 1] != '%')
        return false;
    memcpy(digits, text, len - 1);
    digits[len - 1] = '\0';
    return str_int(digits, ret);
}

static void check_max_unavailable(struct problems *p, struct int_or_str max)
{
    const char *path = "spec.updateStrategy.rollingUpdate.maxUnavailable";
    const char *value = max.type == A_STR ? shown_str(p, max.text) : shown_int(p, max.value);
    int64_t amount = max.value;
    bool is_amount = max.type == AN_INT || percent_of(max.text, &amount);

    if (max.type == NEITHER)
        return;
    if (is_amount && amount < 1)
        refuse(p, path, value, "no worker could ever be replaced; use at least 1 or 1%%");
    else if (!is_amount)
        warn_of(p, path, value,
                "neither a number nor a percentage, so one worker is replaced at a time; write 2 "
                "or 10%%");
    else if (max.type == A_STR && amount >= 100)
        warn_of(p, path, value, "all workers may be replaced at once");
}

static void check_duration(struct problems *p, const char *text)
{
    const char *path = "spec.updateStrategy.scheduledUpdate.duration";
    usec minute = 60 * USEC_SEC;
    usec duration = 0;

    if (!text)
        return;
    if (!duration_parse(text, &duration))
        refuse(p, path, shown_str(p, text),
               "this is not a duration; write numbers with units h, m or s, such as 45m or 1h30m");
    else if (duration != 0 && duration < minute)
        refuse(p, path, shown_str(p, text), "Slurm reserves whole minutes; use at least 1m");
    else if (duration % minute)
        warn_of(p, path, shown_str(p, text), "Slurm reserves whole minutes; the rest is dropped");
}

static void check_schedule(struct problems *p,
                           const struct slinky_nodeset_update_strategy *strategy, usec now)
{
    const struct slinky_nodeset_update_strategy_scheduled_update *at = strategy->scheduled_update;
    bool is_scheduled = str_eq(strategy->type, "ScheduledUpdate");

    if (is_scheduled && (!at || !at->start_time || !at->duration))
        refuse(p, "spec.updateStrategy.scheduledUpdate", NULL,
               "a scheduled update needs a time; give scheduledUpdate.startTime and .duration");
    if (!at)
        return;
    check_duration(p, at->duration);
    if (is_scheduled && now && at->start_time && at->start_time < now)
        warn_of(p, "spec.updateStrategy.scheduledUpdate.startTime",
                shown_str(p, time_text(p->arena, at->start_time, false)),
                "this time has passed; choose one that is to come");
    if (!is_scheduled && at->start_time)
        warn_of(p, "spec.updateStrategy.scheduledUpdate", NULL,
                "not used unless updateStrategy.type is ScheduledUpdate");
}

static void check_strategy(struct problems *p,
                           const struct slinky_nodeset_update_strategy *strategy, usec now)
{
    if (!strategy)
        return;
    if (strategy->rolling_update)
        check_max_unavailable(p, strategy->rolling_update->max_unavailable);
    check_schedule(p, strategy, now);
}

/* ---- the rest */

static void check_counts(struct problems *p, const struct slinky_nodeset_spec *spec)
{
    int64_t padding = int_or(spec->ordinal_padding, 0);

    check_count(p, "spec.replicas", spec->replicas,
                "the number of workers cannot be negative; use 0 to run none");
    check_count(p, "spec.minReadySeconds", spec->min_ready_seconds,
                "a time to wait cannot be negative; use 0 to wait for nothing");
    check_count(p, "spec.revisionHistoryLimit", spec->revision_history_limit,
                "the number of revisions cannot be negative; use 0 to keep none");
    if (padding < 0 || padding > PADDING_MAX)
        refuse(p, "spec.ordinalPadding", shown_int(p, padding),
               "the number of digits lies between 0 and 63; use 0 for no zeros in front");
}

/* Absent, null and [] are the same; amounts compare as the API server stored them. */
static bool same_volumes(const struct json *old, const struct json *now)
{
    if (json_count(old) == 0 && json_count(now) == 0)
        return true;
    return json_equal(old, now);
}

static void check_volumes(struct problems *p, const struct json *volumes)
{
    const char *path = "spec.volumeClaimTemplates";

    if (volumes && volumes->type != JSON_ARRAY && volumes->type != JSON_NULL)
        refuse(p, path, NULL, "want an array of PersistentVolumeClaims, got %s",
               json_type_name(volumes->type));
    for (size_t i = 0; i < json_count(volumes) && volumes->type == JSON_ARRAY; i++)
        check_reads_as(p, path_of(p, "%s[%zu]", path, i), json_item(volumes, i), &k8s_pvc_type);
}

static void check_unchanged(struct problems *p, const struct slinky_nodeset *old,
                            const struct slinky_nodeset *n)
{
    const char *was = old->spec.controller_ref.name ?: "";
    const char *is = n->spec.controller_ref.name ?: "";

    if (!str_eq(was, is))
        refuse(p, "spec.controllerRef.name", shown_str(p, is),
               "workers cannot move to another cluster than %s; make a new NodeSet instead", was);
    if (!same_volumes(old->spec.volume_claim_templates, n->spec.volume_claim_templates))
        refuse(p, "spec.volumeClaimTemplates", NULL,
               "the volumes of workers cannot change; make a new NodeSet instead");
}

static void warn_of_unused(struct problems *p, const struct slinky_nodeset *n)
{
    const struct slinky_nodeset_spec *spec = &n->spec;

    if (!is_daemon(n)) {
        if (str_eq(spec->prune_slurm_node_records, "NodeNotFound"))
            warn_of(p, "spec.pruneSlurmNodeRecords", "\"NodeNotFound\"",
                    "not used unless scalingMode is DaemonSet");
        return;
    }
    if (int_or(spec->replicas, 1) > 1)
        warn_of(
            p, "spec.replicas", shown_int(p, spec->replicas.value),
            "not used with scalingMode DaemonSet, which runs one worker on every eligible node");
    if (spec->pin_to_node == YES)
        warn_of(p, "spec.pinToNode", "true", "not used unless scalingMode is StatefulSet");
    if (int_or(spec->ordinal_padding, 0) > 0)
        warn_of(p, "spec.ordinalPadding", shown_int(p, spec->ordinal_padding.value),
                "not used unless scalingMode is StatefulSet");
}

void validate_nodeset(struct problems *p, const void *old, const void *object,
                      const struct surroundings *around)
{
    const struct slinky_nodeset *n = object;
    const struct slinky_nodeset_spec *spec = &n->spec;

    if (str_empty(spec->controller_ref.name))
        refuse(p, "spec.controllerRef.name", NULL,
               "workers join one cluster; give the name of its Controller");
    check_counts(p, spec);
    check_container(p, "spec.slurmd", spec->slurmd);
    check_container(p, "spec.logfile", spec->logfile);
    check_template(p, spec->template);
    check_prefix(p, n);
    check_ssh(p, spec->ssh);
    check_extra_conf(p, spec->extra_conf);
    check_partition(p, spec->partition);
    check_volumes(p, spec->volume_claim_templates);
    check_strategy(p, spec->update_strategy, around->now);
    if (old)
        check_unchanged(p, old, n);
    else
        check_worker_name(p, n);
    warn_of_unused(p, n);
}
