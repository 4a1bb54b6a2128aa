/* controller_config.c - a configuration that Slurm would refuse is kept back; one that it takes is
 * read in place.
 *
 * When the configuration last changed stands on its ConfigMap, when a pod was told of that and when
 * its slurmctld read it stand on the pod: so an operator that was restarted in between goes on
 * where it was. A pod that is younger than the change began with it.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "build/hash.h"
#include "k8s/pod.h"
#include "kinds.h"
#include "slinky/controller_parts.h"
#include "slinky/names.h"
#include "slurm/lint.h"
#include "slurm/registry.h"

#define CONFIG_CHANGED "windlass.dev/config-changed"
#define CONFIG_HASH "windlass.dev/config-hash"
#define CONFIG_SENT "windlass.dev/config-sent"
#define CONFIG_READ_AT "windlass.dev/config-read"

/* What a kubelet takes, once its pod was touched, to refresh the files in it. */
#define REFRESH_TIME (5 * USEC_SEC)
#define ASK_AGAIN (15 * USEC_SEC)
/* How long a change waits for slurmdbd. */
#define DATABASE_TIME (120 * USEC_SEC)

/* ------------------------------------------------------------------ before it is handed out */

/* The first errors, one per line; NULL when there are none. */
static const char *errors_in(struct arena *a, const char *name, const char *text)
{
    const struct conf_doc *doc = lint_text(a, name, text, strlen(text), NULL);
    const char *told = NULL;
    size_t n = 0;

    for (size_t i = 0; i < doc->problem_count && n < 3; i++) {
        const struct conf_problem *p = &doc->problems[i];

        if (p->level != CONF_ERROR)
            continue;
        told = fmt(a, "%s%s%s:%u: %s", told ?: "", told ? "; " : "", name, p->line, p->text);
        n++;
    }
    return told && doc->errors > n ? fmt(a, "%s; and %zu more", told, doc->errors - n) : told;
}

bool controller_config_is_sound(struct reconcile *r, const struct k8s_configmap *config)
{
    const struct slinky_controller *cr = r->object;
    const char *errors = NULL;

    if (str_eq(pairs_get(cr->meta.annotations, CONFIG_CHECK), "false"))
        return true;
    for_each (file, config->data)
        errors = errors ?: errors_in(r->arena, file->key, file->value);
    if (!errors)
        return true;
    tell_config(r, CONDITION_FALSE, "Refused",
                "Slurm would refuse the new configuration, so the old one stays: %s. Change the "
                "Controller, or set the annotation " CONFIG_CHECK "=false to hand it out anyway.",
                errors);
    return false;
}

/* ------------------------------------------------------------------ when it changed */

/* Of the files that we make and of those that the user puts beside them. */
int controller_config_hash(struct reconcile *r, const struct model_controller *m,
                           const struct k8s_configmap *config, const char **ret)
{
    const char *all = hash_of_texts(r->arena, config->data);

    for_each (name, m->file_maps) {
        const void *found = NULL;
        int rc = reconcile_follow(r, &k8s_configmap_kind, r->namespace, *name, &found);

        if (rc < 0)
            return rc;
        if (found)
            all = fmt(r->arena, "%s %s %s", all, *name,
                      hash_of_texts(r->arena, ((const struct k8s_configmap *)found)->data));
    }
    *ret = m->file_maps.n ? hash_of_text(r->arena, all) : all;
    return 0;
}

void controller_config_stamp(struct reconcile *r, const struct model_controller *m,
                             struct k8s_configmap *config, const char *now)
{
    const struct k8s_configmap *live = GET(r, k8s_configmap, config->meta.name);
    const char *changed = live ? pairs_get(live->meta.annotations, CONFIG_CHANGED) : NULL;
    const char *then = live ? pairs_get(live->meta.annotations, CONFIG_HASH) : NULL;

    if (live && !then) { /* made by slurm-operator, which notes nothing */
        bool same =
            str_eq(hash_of_texts(r->arena, live->data), hash_of_texts(r->arena, config->data));

        if (same && !m->file_maps.n)
            return;
        then = same ? now : NULL;
    }
    if (live && !str_eq(then, now))
        changed = time_text(r->arena, clock_wall(), false);
    config->meta.annotations = pairs_with(r->arena, config->meta.annotations, CONFIG_HASH, now);
    if (changed)
        config->meta.annotations =
            pairs_with(r->arena, config->meta.annotations, CONFIG_CHANGED, changed);
}

enum config_step config_step_of(const struct config_news *news, usec now)
{
    if (news->started > news->changed || news->read >= news->changed)
        return CONFIG_READ;
    if (news->sent < news->changed)
        return CONFIG_SEND;
    /* a wall clock that was set back must not keep us waiting */
    return now >= news->sent && now < news->sent + REFRESH_TIME ? CONFIG_WAIT : CONFIG_ASK;
}

/* ------------------------------------------------------------------ telling the pods */

static usec time_on(const struct k8s_meta *meta, const char *annotation)
{
    usec at = 0;

    time_parse(pairs_get(meta->annotations, annotation) ?: "", &at);
    return at;
}

static int note(struct reconcile *r, const struct k8s_pod *pod, const char *annotation)
{
    struct call call = { .verb = VERB_MERGE_PATCH,
                         .kind = &k8s_pod_kind,
                         .namespace = r->namespace,
                         .name = pod->meta.name };
    int rc;

    call.body = fmt(r->arena, "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"%s\":\"%s\"}}}",
                    pod->meta.uid, annotation, time_text(r->arena, clock_wall(), false));
    rc = reconcile_call(r, &call, NULL);
    return rc == -ENOENT || rc == -ESTALE ? 0 : rc;
}

/* How far the slowest of several slurmctlds is. */
static enum config_step next_step(const struct k8s_pod *const *pods, size_t n, usec changed)
{
    static const int rank[] = { [CONFIG_SEND] = 3, [CONFIG_WAIT] = 2, [CONFIG_ASK] = 1 };
    enum config_step next = CONFIG_READ;

    for (size_t i = 0; i < n; i++) {
        struct config_news news = {
            .changed = changed,
            .started = pods[i]->meta.creation_timestamp,
            .sent = time_on(&pods[i]->meta, CONFIG_SENT),
            .read = time_on(&pods[i]->meta, CONFIG_READ_AT),
        };
        enum config_step step = config_step_of(&news, clock_wall());

        next = rank[step] > rank[next] ? step : next;
    }
    return next;
}

static int note_all(struct reconcile *r, const struct k8s_pod *const *pods, size_t n,
                    const char *annotation)
{
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++)
        rc = note(r, pods[i], annotation);
    return rc;
}

/* Nobody speaks for this cluster and no sidecar watches the files: a new pod begins with them. */
static int restart_all(struct reconcile *r, const struct k8s_pod *const *pods, size_t n)
{
    tell_config(r, CONDITION_FALSE, "Restarting",
                "slurmctld restarts to read its configuration: there is no RestApi to ask it by.");
    for (size_t i = 0; i < n; i++) {
        struct call call = { .verb = VERB_DELETE,
                             .kind = &k8s_pod_kind,
                             .namespace = r->namespace,
                             .name = pods[i]->meta.name,
                             .uid = pods[i]->meta.uid };
        int rc = reconcile_call(r, &call, NULL);

        if (rc < 0 && rc != -ENOENT && rc != -ESTALE)
            return rc;
    }
    return 0;
}

static bool any_ready(const struct k8s_pod *const *pods, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (pod_is_ready(pods[i]))
            return true;
    return false;
}

static int ask(struct reconcile *r, const struct model_controller *m,
               const struct k8s_pod *const *pods, size_t n)
{
    const struct slinky *slinky = r->context;
    const char *key = fmt(r->arena, "%s/%s", r->namespace, r->name);
    scoped(slurm) struct slurm *slurm = slurm_registry_get(slinky->slurms, key);
    struct slurm_call call = { .arena = r->arena, .deadline = r->deadline };

    again_after(r, ASK_AGAIN);
    if (!any_ready(pods, n))
        return 0; /* its start will read it, or its change will wake us */
    if (!slurm && !m->reconfigure_sidecar)
        return restart_all(r, pods, n);
    switch (slurm ? slurm_reconfigure(slurm, &call) : ANSWER_UNKNOWN) {
    case ANSWER_YES:
        reconcile_event(r, false, "Reconfigured", "Reconfigure",
                        "slurmctld read its configuration");
        return note_all(r, pods, n, CONFIG_READ_AT);
    case ANSWER_NO:
        tell_config(r, CONDITION_FALSE, "SlurmRefused", "slurmctld kept its old configuration: %s",
                    call.fault.text);
        return 0;
    case ANSWER_UNKNOWN:
        break;
    }
    tell_config(r, CONDITION_UNKNOWN, slurm ? "NoAnswer" : "NoRestApi", "%s",
                slurm ? call.fault.text
                      : "The sidecar has slurmctld read it; a RestApi would tell whether it did.");
    return 0;
}

/* A slurmctld that takes up accounting while nobody answers for slurmdbd is never registered there,
 * not even when slurmdbd comes. */
static bool waits_for_slurmdbd(struct reconcile *r, usec changed)
{
    const struct slinky_controller *cr = r->object;
    const struct slinky_accounting *accounting =
        cr->spec.accounting_ref ? GET(r, slinky_accounting, cr->spec.accounting_ref->name) : NULL;

    if (!accounting || accounting->spec.external == YES || clock_wall() > changed + DATABASE_TIME)
        return false;
    for_each (condition, accounting->status.conditions)
        if (str_eq(condition->type, "Ready"))
            return !str_eq(condition->status, "True");
    return true;
}

static int take_step(struct reconcile *r, const struct model_controller *m,
                     const struct k8s_pod *const *pods, size_t n, usec changed)
{
    enum config_step step = next_step(pods, n, changed);

    if (step == CONFIG_ASK && waits_for_slurmdbd(r, changed)) {
        again_after(r, ASK_AGAIN);
        tell_config(r, CONDITION_FALSE, "Pending",
                    "slurmctld reads it as soon as slurmdbd answers.");
        return 0;
    }
    if (step == CONFIG_SEND || step == CONFIG_WAIT) {
        again_after(r, REFRESH_TIME);
        tell_config(r, CONDITION_FALSE, "Pending", "The new configuration is on its way to %s.",
                    m->workload.name);
    }
    if (step == CONFIG_SEND)
        return note_all(r, pods, n, CONFIG_SENT);
    return step == CONFIG_ASK ? ask(r, m, pods, n) : 0;
}

/* New pods begin with the new configuration; until then the old one counts. */
static void tell_restarts(struct reconcile *r, const struct k8s_statefulset *live)
{
    bool done = live &&
                int_or(live->status.observed_generation, 0) >= int_or(live->meta.generation, 0) &&
                int_or(live->status.updated_replicas, 0) >= int_or(live->spec.replicas, 1);

    if (!done)
        tell_config(r, CONDITION_FALSE, "Restarting",
                    "slurmctld reads its configuration when it starts, which is under way.");
}

int controller_config_sync(struct reconcile *r, const struct model_controller *m,
                           const struct k8s_configmap *config)
{
    const struct k8s_pod **pods =
        arena_make_n(r->arena, const struct k8s_pod *, (size_t)m->replicas);
    usec changed = time_on(&config->meta, CONFIG_CHANGED);
    size_t n = 0;

    for (int i = 0; i < m->replicas; i++) {
        const struct k8s_pod *pod =
            GET(r, k8s_pod, slinky_controller_pod_name(r->arena, r->name, i));

        if (pod && !pod->meta.deletion_timestamp)
            pods[n++] = pod;
    }
    if (any_ready(pods, n))
        tell_config(r, CONDITION_TRUE, "Applied", "slurmctld runs with this configuration.");
    else
        tell_config(r, CONDITION_FALSE, "NotRunning", "No slurmctld is ready to read it.");
    if (m->restart_on_config || n == 0)
        tell_restarts(r, GET(r, k8s_statefulset, m->workload.name));
    else if (changed)
        return take_step(r, m, pods, n, changed);
    return 0;
}
