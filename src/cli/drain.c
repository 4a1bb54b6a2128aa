/* drain.c - windlass drain and undrain: workers out of work, and back. */
#include <errno.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/str.h"
#include "cli/reach.h"
#include "cli/verbs.h"
#include "kinds.h"
#include "ops/target.h"
#include "slinky/names.h"
#include "slurm/reason.h"

#define LOOK_EVERY (500 * USEC_MSEC)

/* Sets or takes away our two annotations, unless the pod has changed since we looked at it. */
static int annotate(struct session *s, const struct worker_view *w, const char *cordon,
                    const char *reason, struct error *err)
{
    struct arena *a = s->arena;
    struct json *patch = json_object(a), *meta = json_object(a), *notes = json_object(a);

    json_set(a, notes, SLINKY_POD_CORDON, json_str(a, cordon));
    json_set(a, notes, SLINKY_POD_CORDON_REASON, json_str(a, reason));
    json_set_str(a, meta, "resourceVersion", w->pod->meta.resource_version);
    json_set(a, meta, "annotations", notes);
    json_set(a, patch, "metadata", meta);
    return session_patch(s, &k8s_pod_kind, w->pod->meta.namespace, w->pod->meta.name, NULL, patch,
                         err);
}

/* ------------------------------------------------------------------ drain */

static int drain_worker(struct cli *cli, struct session *s, const struct worker_view *w,
                        struct error *err)
{
    const char *reason = cli_text(cli, "message");
    int rc;

    if (w->cordon == WORKER_CORDONED_BY_USER &&
        str_eq(pairs_get(w->pod->meta.annotations, SLINKY_POD_CORDON_REASON), reason)) {
        printf("%s: is drained already (%s)\n", w->name, w->state);
        return 0;
    }
    if (w->cordon == WORKER_LEAVING)
        return fail(err, -EBUSY, "%s drains already: it is on its way out of NodeSet %s", w->name,
                    w->set);
    rc = annotate(s, w, "true", reason, err);
    if (rc == 0)
        printf("%s: %s\n", w->name, worker_drain_outlook(s->arena, w));
    return rc;
}

/* One pod is looked at again and again, not all of them. */
static int look_at(struct session *s, const char *namespace, const char *pod,
                   struct worker_view *ret, struct error *err)
{
    void *object = NULL;
    int rc = client_get(s->client, s->arena, &k8s_pod_kind, namespace, pod, &object, err);

    if (rc == 0)
        *ret = worker_view_of(s->arena, object, false);
    return rc;
}

static int wait_drained(struct cli *cli, struct session *s, const char *name, usec deadline,
                        struct error *err)
{
    const char *namespace = reach_namespace(cli, s);
    struct worker_view w = { 0 };
    int rc = target_worker(s, namespace, name, &w, err);
    const char *pod = rc == 0 ? w.pod->meta.name : NULL;

    while (rc == 0) {
        scoped(arena) struct arena *a = arena_new();
        struct session round = session_round(s, a);

        rc = look_at(&round, namespace, pod, &w, err);
        if (rc == 0 && w.drained == YES) {
            reach_progress(NULL);
            printf("%s: drained, no job runs there\n", w.name);
            return 0;
        }
        if (rc == 0 && clock_now() > deadline)
            return fail(err, -ETIMEDOUT,
                        "%s is not drained yet (%s); it goes on by itself: look with 'windlass "
                        "status', or wait longer with --timeout",
                        w.name, w.state);
        if (rc == 0)
            reach_progress(fmt(a, "%s: %s", w.name, w.state));
        session_pause(LOOK_EVERY);
    }
    return rc;
}

/* ------------------------------------------------------------------ undrain */

static int undrain_worker(struct cli *cli, struct session *s, const struct worker_view *w,
                          struct error *err)
{
    const char *refusal = worker_refuses_undrain(s->arena, w);
    int rc;

    (void)cli;
    if (refusal)
        return fail(err, -EPERM, "%s", refusal);
    if (w->cordon == WORKER_NOT_CORDONED) {
        printf("%s: is not drained by us (%s)\n", w->name, w->state);
        return 0;
    }
    rc = annotate(s, w, NULL, NULL, err);
    if (rc == 0)
        printf("%s: back to work as soon as Slurm hears of it\n", w->name);
    return rc;
}

/* ------------------------------------------------------------------ both */

typedef int worker_fn(struct cli *cli, struct session *s, const struct worker_view *w,
                      struct error *err);

/* Once more from the start when the pod changed between the look and the write. */
static int do_one(struct cli *cli, struct session *s, const char *name, worker_fn *work,
                  struct error *err)
{
    int rc = -ESTALE;

    for (int tries = 0; rc == -ESTALE && tries < 5; tries++) {
        struct worker_view w;

        error_clear(err);
        rc = target_worker(s, reach_namespace(cli, s), name, &w, err) ?: work(cli, s, &w, err);
    }
    return rc;
}

static int do_all(struct cli *cli, struct session *s, worker_fn *work)
{
    int failed = 0;

    if (reach_open(cli, s))
        return 1;
    for (int i = 0; i < cli->arg_count; i++) {
        struct error err = { 0 };

        if (do_one(cli, s, cli->args[i], work, &err) < 0)
            failed = cli_fail(cli, &err);
    }
    return failed;
}

static int run_drain(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    usec deadline = clock_now() + cli_duration(cli, "timeout");
    int failed;

    if (!cli->arg_count)
        return cli_misuse(cli, "name the workers, by pod or by their name in Slurm");
    if (!str_empty(cli_text(cli, "message")) &&
        !str_eq(reason_clean(cli->arena, cli_text(cli, "message")), cli_text(cli, "message")))
        return cli_misuse(cli, "--message: one line of at most %d characters, please", REASON_MAX);
    failed = do_all(cli, &s, drain_worker);
    for (int i = 0; !failed && cli_bool(cli, "wait") && i < cli->arg_count; i++) {
        struct error err = { 0 };

        if (wait_drained(cli, &s, cli->args[i], deadline, &err) < 0) {
            reach_progress(NULL);
            failed = cli_fail(cli, &err);
        }
    }
    return failed;
}

static int run_undrain(struct cli *cli)
{
    scoped(session) struct session s = { 0 };

    if (!cli->arg_count)
        return cli_misuse(cli, "name the workers, by pod or by their name in Slurm");
    return do_all(cli, &s, undrain_worker);
}

static const struct option drain_options[] = {
    REACH_OPTIONS,
    REACH_NAMESPACE,
    { .name = "message", .letter = 'm', .value = "TEXT", .help = "why; stands in Slurm's reason" },
    { .name = "wait", .type = OPTION_BOOL, .help = "until no job runs there any more" },
    REACH_TIMEOUT("10m", "how long to wait with --wait"),
    { 0 },
};

const struct verb drain_verb = {
    .name = "drain",
    .args = "NODE...",
    .summary = "give workers no new jobs",
    .description = "Notes on worker pods, named by pod or by their name in Slurm, that they are to "
                   "be drained; "
                   "the operator tells Slurm. Jobs that run there may finish, and the pods stay. "
                   "It lasts until "
                   "'windlass undrain'.",
    .options = drain_options,
    .run = run_drain,
};

static const struct option undrain_options[] = { REACH_OPTIONS, REACH_NAMESPACE, { 0 } };

const struct verb undrain_verb = {
    .name = "undrain",
    .args = "NODE...",
    .summary = "put drained workers back to work",
    .description =
        "Lifts what 'windlass drain' did. What somebody else drained is left alone: a person or a "
        "health check in Slurm, a cordoned Kubernetes node, a set that is becoming smaller. It "
        "says "
        "who may lift that.",
    .options = undrain_options,
    .run = run_undrain,
};
