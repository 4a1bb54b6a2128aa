/* pass.c - one pass over one object: load, reconcile or finalize, record. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "kube/event.h"
#include "kube/runtime.h"

#define PASS_TIME (120 * USEC_SEC)

/* ------------------------------------------------------------------ reading */

static struct cache *cache_of(struct reconcile *r, const struct kind *kind)
{
    struct informer *informer = informer_of(r->pass->runner->manager, kind);

    if (!informer || !informer->all)
        abort(); /* a wiring mistake: the controller's table does not name the kind */
    return informer->all;
}

const void *reconcile_get(struct reconcile *r, const struct kind *kind, const char *namespace,
                          const char *name)
{
    return cache_get(cache_of(r, kind), r->pass->view, kind->namespaced ? namespace : NULL, name);
}

struct objects reconcile_list(struct reconcile *r, const struct kind *kind, const char *namespace)
{
    return cache_list(cache_of(r, kind), r->pass->view, r->arena, namespace);
}

struct objects reconcile_find(struct reconcile *r, const struct kind *kind, const char *index,
                              const char *value)
{
    return cache_find(cache_of(r, kind), r->pass->view, r->arena, index, value);
}

struct objects reconcile_owned(struct reconcile *r, const struct kind *kind)
{
    return reconcile_find(r, kind, "@owner", r->pass->meta->uid);
}

/* ------------------------------------------------------------------ telling */

void reconcile_event(struct reconcile *r, bool warning, const char *reason, const char *action,
                     const char *format, ...)
{
    struct runner *runner = r->pass->runner;
    va_list args;
    char *note;

    va_start(args, format);
    note = vfmt(r->arena, format, args);
    va_end(args);
    recorder_event(runner->manager->recorder,
                   &(struct event_text){ .kind = runner->controller->reconciles,
                                         .about = r->pass->meta,
                                         .controller = runner->controller->name,
                                         .warning = warning,
                                         .reason = reason,
                                         .action = action,
                                         .note = note });
}

int waiting(struct reconcile *r, const char *format, ...)
{
    va_list args;
    char *words;

    va_start(args, format);
    words = vfmt(r->arena, format, args);
    va_end(args);
    r->pass->is_waiting = true;
    reconcile_condition(r, "Ready", CONDITION_FALSE, "Waiting", "%s", words);
    log_debug(r->log, "waiting", KV("for", words));
    return 0;
}

void again_after(struct reconcile *r, usec delay)
{
    if (delay < r->pass->again)
        r->pass->again = delay;
}

int postpone(struct reconcile *r, usec delay)
{
    r->pass->postponed = true;
    again_after(r, delay);
    return 0;
}

int reconcile_steps(struct reconcile *r, const struct step *steps)
{
    struct error first = { 0 };
    int failed = 0;

    for (; steps->name; steps++) {
        int rc;

        error_clear(&r->err);
        rc = steps->run(r);
        if (rc == 0)
            continue;
        wrap(&r->err, "%s", steps->name);
        if (!failed)
            first = r->err;
        else
            log_info(r->log, "another step failed", KV("error", error_text(&r->err)));
        failed = failed ?: rc;
    }
    r->err = first;
    return failed;
}

/* ------------------------------------------------------------------ finalizers */

static int write_finalizers(struct reconcile *r, const struct strs *finalizers)
{
    struct arena *a = r->arena;
    struct json *patch = json_object(a);
    struct json *meta = json_object(a);
    struct json *list = json_array(a);
    struct call call = { .verb = VERB_MERGE_PATCH, .kind = r->pass->runner->controller->reconciles,
                         .namespace = r->namespace, .name = r->name };

    for (size_t i = 0; i < finalizers->n; i++)
        json_add(a, list, json_str(a, finalizers->v[i]));
    json_set(a, meta, "finalizers", list);
    json_set_str(a, meta, "resourceVersion", r->pass->meta->resource_version);
    json_set(a, patch, "metadata", meta);
    call.body = json_text(a, patch);
    return reconcile_call(r, &call, NULL);
}

static struct strs without(struct arena *a, struct strs strs, const char *text)
{
    struct strs rest = { .v = arena_make_n(a, const char *, strs.n + 1) };

    for (size_t i = 0; i < strs.n; i++)
        if (!str_eq(strs.v[i], text))
            rest.v[rest.n++] = strs.v[i];
    return rest;
}

static int add_finalizer(struct reconcile *r, const char *finalizer)
{
    struct strs all = without(r->arena, r->pass->meta->finalizers, finalizer);

    all.v[all.n++] = finalizer;
    return write_finalizers(r, &all);
}

static int finalize(struct reconcile *r)
{
    const struct controller *c = r->pass->runner->controller;
    struct strs rest;
    int rc;

    if (!c->finalizer || !strs_has(r->pass->meta->finalizers, c->finalizer))
        return 0; /* on its way out; its children go by garbage collection */
    rc = c->finalize(r);
    if (rc < 0 || r->pass->is_waiting || r->pass->again != USEC_NEVER)
        return rc; /* not finished yet */
    rest = without(r->arena, r->pass->meta->finalizers, c->finalizer);
    rc = write_finalizers(r, &rest);
    return rc == -ENOENT ? 0 : rc;
}

/* ------------------------------------------------------------------ the pass */

static int reconcile_object(struct reconcile *r)
{
    const struct controller *c = r->pass->runner->controller;
    const char *bad = cache_bad(r->pass->runner->primary->all, r->object);

    if (bad)
        return fail(&r->err, -EINVAL, "cannot be read: %s", bad);
    if (r->pass->meta->deletion_timestamp)
        return finalize(r);
    if (c->finalizer && !strs_has(r->pass->meta->finalizers, c->finalizer)) {
        int rc = add_finalizer(r, c->finalizer);

        if (rc < 0)
            return rc;
    }
    return c->reconcile(r);
}

static void run(struct runner *runner, struct pass *pass, struct arena *a, const void *object)
{
    const struct k8s_meta *meta = object;
    const struct log *log = log_with(a, NULL, "controller", runner->controller->name);
    struct reconcile r = {
        .arena = a,
        .object = object,
        .namespace = meta->namespace,
        .name = meta->name,
        .log = log_with(a, log, "object", pass->key),
        .deadline = clock_now() + PASS_TIME,
        .context = runner->manager->context,
        .client = runner->manager->client,
        .pass = pass,
    };
    int rc;

    pass->meta = meta;
    rc = reconcile_object(&r);
    outcome_record(&r, rc);
    follow_finish(pass);
}

static int tell_gone(struct runner *runner, struct pass *pass, struct arena *a,
                     const char *namespace, const char *name)
{
    struct k8s_meta meta = { .namespace = namespace, .name = name };
    struct reconcile r = {
        .arena = a,
        .namespace = namespace,
        .name = arena_str(a, name),
        .log = log_with(a, NULL, "controller", runner->controller->name),
        .deadline = clock_now() + PASS_TIME,
        .context = runner->manager->context,
        .client = runner->manager->client,
        .pass = pass,
    };

    int rc;

    if (!runner->controller->gone)
        return 0;
    pass->meta = &meta;
    rc = runner->controller->gone(&r);
    if (rc < 0)
        log_error(r.log, "cannot let go of a deleted object", KV("object", pass->key),
                  KV("error", error_text(&r.err)));
    pass->meta = NULL;
    return rc;
}

void runner_pass(struct runner *runner, const char *key)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(view) struct view *view = view_new();
    const char *slash = strchr(key, '/');
    const char *namespace = slash == key ? NULL : arena_strn(a, key, (size_t)(slash - key));
    const void *object = cache_get(runner->primary->all, view, namespace, slash + 1);
    struct pass pass = { .runner = runner, .view = view, .key = arena_str(a, key),
                         .again = USEC_NEVER };

    if (object) {
        run(runner, &pass, a, object);
        return;
    }
    if (tell_gone(runner, &pass, a, namespace, slash + 1) < 0)
        queue_retry(runner->lane, pass.key);
    else
        queue_forget(runner->lane, pass.key);
    follow_drop(runner, pass.key);
}
