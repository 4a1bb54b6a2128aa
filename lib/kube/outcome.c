/* outcome.c - how a pass ended: status and conditions, event, metric, log line, next visit. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/metrics.h"
#include "base/str.h"
#include "k8s/meta.h"
#include "kube/runtime.h"

/* Failures in a row before they show in the object's conditions: the first may be a conflict. */
enum { SHOW_AFTER = 2, QUIET_UNTIL = 5 };

/* ------------------------------------------------------------------ conditions */

static struct json *find_condition(const struct json *list, const char *type)
{
    for (size_t i = 0; i < json_count(list); i++) {
        const struct json *item = json_item(list, i);

        if (str_eq(json_str_or(json_get(item, "type"), NULL), type))
            return (struct json *)item;
    }
    return NULL;
}

static bool has_conditions(const struct reconcile *r)
{
    const struct kind *kind = r->pass->runner->controller->reconciles;

    return kind->status && table_find(kind->type, "status.conditions");
}

void reconcile_condition(struct reconcile *r, const char *type, enum condition_status status,
                         const char *reason, const char *format, ...)
{
    static const char *const words[] = { "False", "True", "Unknown" };
    struct arena *a = r->arena;
    struct json *condition;
    va_list args;

    if (!r->pass->conditions)
        r->pass->conditions = json_array(a);
    condition = find_condition(r->pass->conditions, type);
    if (!condition) {
        condition = json_object(a);
        json_add(a, r->pass->conditions, condition);
    }
    va_start(args, format);
    json_set_str(a, condition, "type", type);
    json_set_str(a, condition, "status", words[status]);
    json_set_str(a, condition, "reason", reason);
    json_set_str(a, condition, "message", vfmt(a, format, args));
    va_end(args);
    if (r->pass->meta->generation.set)
        json_set(a, condition, "observedGeneration", json_int(a, r->pass->meta->generation.value));
}

/* When the status of the condition last changed: now, unless it did not. */
static void set_transition_time(struct arena *a, struct json *condition, const struct json *old)
{
    const char *since = json_str_or(json_get(old, "lastTransitionTime"), NULL);

    if (!since || !str_eq(json_str_or(json_get(old, "status"), NULL),
                          json_str_or(json_get(condition, "status"), NULL)))
        since = time_text(a, clock_wall(), false);
    json_set_str(a, condition, "lastTransitionTime", since);
}

/* The conditions there were, with those of this pass in place of their namesakes. */
static struct json *merged_conditions(struct reconcile *r, const struct json *live)
{
    struct arena *a = r->arena;
    struct json *all = json_array(a);

    for (size_t i = 0; i < json_count(live); i++) {
        const struct json *old = json_item(live, i);
        const char *type = json_str_or(json_get(old, "type"), "");
        struct json *now = find_condition(r->pass->conditions, type);

        if (now)
            set_transition_time(a, now, old);
        json_add(a, all, now ?: json_copy(a, old));
    }
    for (size_t i = 0; i < json_count(r->pass->conditions); i++) {
        struct json *now = (struct json *)json_item(r->pass->conditions, i);

        if (!find_condition(live, json_str_or(json_get(now, "type"), ""))) {
            set_transition_time(a, now, NULL);
            json_add(a, all, now);
        }
    }
    return all;
}

/* ------------------------------------------------------------------ the status */

void reconcile_status(struct reconcile *r, const void *object)
{
    const struct kind *kind = r->pass->runner->controller->reconciles;

    r->pass->status = json_get(table_json(r->arena, kind->type, object), "status")
        ?: json_object(r->arena);
}

static bool is_object(const struct json *v)
{
    return v && v->type == JSON_OBJECT;
}

/* What makes want of live, as a merge patch (RFC 7386); NULL when they are equal. */
static struct json *status_patch(struct arena *a, const struct json *live, const struct json *want)
{
    struct json *patch = json_object(a);

    for_each_member(member, want) {
        const struct json *old = json_get(live, member->name);
        struct json *change = json_equal(old, member->value) ? NULL : member->value;

        if (change && is_object(old) && is_object(change))
            change = status_patch(a, old, change);
        if (change)
            json_set(a, patch, member->name, change);
    }
    if (is_object(live))
        for_each_member(member, live)
            if (!json_get(want, member->name))
                json_set(a, patch, member->name, json_null(a));
    return json_count(patch) ? patch : NULL;
}

static int write_status(struct reconcile *r)
{
    const struct kind *kind = r->pass->runner->controller->reconciles;
    struct arena *a = r->arena;
    const struct json *live = json_get(table_json(a, kind->type, r->object), "status");
    struct json *want = json_copy(a, r->pass->status ?: live ?: json_object(a));
    struct json *patch;
    struct json *body = json_object(a);
    struct call call = { .verb = VERB_MERGE_PATCH, .kind = kind, .namespace = r->namespace,
                         .name = r->name, .subresource = kind->has_status ? "status" : NULL };

    if (has_conditions(r) && (r->pass->conditions || json_get(live, "conditions")))
        json_set(a, want, "conditions", merged_conditions(r, json_get(live, "conditions")));
    patch = status_patch(a, live, want);
    if (!patch)
        return 0;
    json_set(a, body, "status", patch);
    call.body = json_text(a, body);
    return reconcile_call(r, &call, NULL);
}

/* ------------------------------------------------------------------ failures */

/* Somebody was faster, which happens; or we are on our way out. */
static bool is_quiet(int rc, unsigned tries)
{
    return (rc == -ESTALE && tries < QUIET_UNTIL) || rc == -EPERM || rc == -ECANCELED;
}

/* Whether the object says so already: then nobody needs to be told again, least of all by a process
 * that has just begun. */
static bool is_told(struct reconcile *r, const char *reason, const char *words)
{
    const struct kind *kind = r->pass->runner->controller->reconciles;
    const struct json *live = table_json(r->arena, kind->type, r->object);
    const struct json *ready = find_condition(json_at(live, "status.conditions"), "Ready");

    return str_eq(json_str_or(json_get(ready, "reason"), NULL), reason) &&
           str_eq(json_str_or(json_get(ready, "message"), NULL), words);
}

static void tell_failure(struct reconcile *r, int rc, unsigned tries)
{
    const char *reason = rc == -EINVAL ? "Invalid" : "Retrying";
    const char *words = error_text(&r->err);

    metric_add(r->pass->runner->errors, 1);
    if (is_quiet(rc, tries)) {
        log_debug(r->log, "trying again", KV("error", words));
        return;
    }
    log_error(r->log, "reconcile failed", KV("error", words), KV_INT("tries", (int64_t)tries + 1));
    if (rc != -EINVAL && tries + 1 < SHOW_AFTER)
        return;
    reconcile_condition(r, "Ready", CONDITION_FALSE, reason, "%s", words);
    if (!is_told(r, reason, words))
        reconcile_event(r, true, "SyncFailed", "Sync", "%s", words);
}

/* The condition that says all is well, unless the controller has said otherwise itself. */
static void tell_success(struct reconcile *r)
{
    if (has_conditions(r) && !r->pass->meta->deletion_timestamp &&
        !find_condition(r->pass->conditions, "Ready"))
        reconcile_condition(r, "Ready", CONDITION_TRUE, "Reconciled", "As asked for.");
}

static void come_back(struct reconcile *r, int rc)
{
    struct lane *lane = r->pass->runner->lane;
    const char *key = r->pass->key;

    if (rc < 0 && rc != -EINVAL) {
        queue_retry(lane, key);
        metric_add(r->pass->runner->failed, 1);
        return;
    }
    queue_forget(lane, key);
    if (r->pass->again != USEC_NEVER)
        queue_add_after(lane, key, r->pass->again);
    metric_add(rc < 0 ? r->pass->runner->failed
                      : r->pass->again != USEC_NEVER ? r->pass->runner->again
                                                     : r->pass->runner->done, 1);
}

void outcome_record(struct reconcile *r, int rc)
{
    struct error story = r->err;
    int written;

    if (r->pass->postponed && rc == 0) {
        come_back(r, 0);
        return;
    }
    if (rc < 0)
        tell_failure(r, rc, queue_retries(r->pass->runner->lane, r->pass->key));
    else
        tell_success(r);
    written = rc == -EPERM || rc == -ECANCELED || r->pass->runner->controller->silent
        ? 0 : write_status(r);
    if (written < 0 && written != -ENOENT && (rc == 0 || rc == -EINVAL)) {
        wrap(&r->err, "status"); /* what was to be said has not been said yet: once more */
        tell_failure(r, written, 0);
        rc = written;
    } else {
        r->err = story;
    }
    come_back(r, rc);
}
