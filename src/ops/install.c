/* install.c - what is applied, and what is waited for. */
#include "ops/install.h"

#include <errno.h>

#include "base/str.h"
#include "net/url.h"
#include "ops/check.h"
#include "ops/ready.h"

#define LOOK_EVERY (300 * USEC_MSEC)

/* ------------------------------------------------------------------ before anything is written */

static int refuse_helm(struct install *in, struct error *err)
{
    for_each (r, in->resources)
        if (!in->force && resource_helm_release(r))
            return fail(err, -EEXIST,
                        "%s belongs to the helm release '%s': change that with helm, or take it "
                        "over with --force",
                        resource_title(in->session->arena, r), resource_helm_release(r));
    return 0;
}

int install_plan(struct install *in, struct error *err)
{
    struct arena *a = in->session->arena;
    int rc = 0;

    in->changes = arena_make_n(a, enum resource_change, in->resources.n);
    for (size_t i = 0; rc == 0 && i < in->resources.n; i++) {
        rc = resource_look(in->session, &in->resources.v[i], err);
        if (rc == 0)
            in->changes[i] = resource_compare(a, &in->resources.v[i]);
    }
    return rc ?: refuse_helm(in, err);
}

int install_alone(struct install *in, struct error *err)
{
    struct arena *a = in->session->arena;
    struct json *deployments = NULL;
    struct finding finding;
    const char *home;

    if (in->force)
        return 0;
    if (session_get(in->session, check_operators_path(a), &deployments, err) < 0)
        return wrap(err, "whether another operator runs is not known (--force goes on without)");
    finding = judge_operators(a, deployments);
    home = judge_home(deployments);
    if (finding.verdict == VERDICT_FAIL)
        return fail(err, -EEXIST, "%s; %s, or go on with --force", finding.text, finding.todo);
    if (home && !str_eq(home, in->namespace))
        return fail(err, -EEXIST,
                    "windlass runs in namespace %s already: upgrade it with -n %s, or go on with "
                    "--force if each is to look after namespaces of its own",
                    home, home);
    return 0;
}

/* ------------------------------------------------------------------ writing */

int install_apply(struct install *in, struct error *err)
{
    struct arena *a = in->session->arena;

    for (size_t i = 0; i < in->resources.n; i++) {
        const struct resource *r = &in->resources.v[i];
        bool writes = in->changes[i] == RESOURCE_CREATED || in->changes[i] == RESOURCE_CHANGED;

        if (writes && resource_apply(in->session, r, err) < 0)
            return err->code;
        in->on_done(in->userdata,
                    fmt(a, "%s %s", resource_title(a, r), resource_change_name(in->changes[i])));
    }
    return 0;
}

/* ------------------------------------------------------------------ waiting */

/* What the pods of a Deployment say about why they are not there; "" when they say nothing. */
static const char *why_of_pods(struct session *s, const struct resource *r)
{
    struct arena *a = s->arena;
    const char *app = json_str_or(
        json_get(json_at(r->json, "spec.selector.matchLabels"), "app.kubernetes.io/name"), NULL);
    struct json *pods = NULL;

    if (!app || !str_eq(r->kind.kind, "Deployment") ||
        session_get(s,
                    fmt(a, "/api/v1/namespaces/%s/pods?limit=50&labelSelector=%s", r->namespace,
                        url_escape(a, fmt(a, "app.kubernetes.io/name=%s", app))),
                    &pods, NULL) < 0)
        return "";
    for (size_t i = 0; i < json_count(json_get(pods, "items")); i++) {
        const char *trouble = ready_pod_trouble(a, json_item(json_get(pods, "items"), i));

        if (trouble)
            return fmt(a, " (%s)", trouble);
    }
    return "";
}

/* The first that is not up yet, and what it lacks; NULL when all are. */
static const char *first_missing(struct install *in, struct session *s, bool *up)
{
    for (size_t i = 0; i < in->resources.n; i++) {
        struct resource r = in->resources.v[i];
        struct error err = { 0 };
        const char *lacks;

        if (up[i])
            continue;
        lacks = resource_look(s, &r, &err) < 0 ? arena_str(s->arena, error_text(&err))
                                               : ready_lacks(s->arena, r.live);
        if (lacks)
            return fmt(s->arena, "%s: %s%s", resource_title(s->arena, &r), lacks,
                       why_of_pods(s, &r));
        up[i] = true;
    }
    return NULL;
}

int install_wait(struct install *in, struct error *err)
{
    bool *up = arena_make_n(in->session->arena, bool, in->resources.n);

    for (;;) {
        scoped(arena) struct arena *a = arena_new();
        struct session round = session_round(in->session, a);
        const char *missing = first_missing(in, &round, up);

        if (!missing)
            return 0;
        if (clock_now() > in->deadline)
            return fail(err, -ETIMEDOUT,
                        "everything is applied, but not all of it came up in time: %s; look with "
                        "'kubectl -n %s describe pods', or wait longer with --timeout",
                        missing, in->namespace);
        in->on_wait(in->userdata, missing);
        session_pause(LOOK_EVERY);
    }
}
