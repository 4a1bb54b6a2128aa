/* uninstall.c - out of a cluster again: what we made, and nothing else. */
#include <errno.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "kinds.h"
#include "ops/install.h"
#include "ops/manifest.h"

#define LOOK_EVERY (300 * USEC_MSEC)

/* What users made, in the order in which it may go: workers need the controller to leave in peace.
 */
static const struct kind *const first_kinds[] = { &slinky_nodeset_kind, &slinky_loginset_kind,
                                                  &slinky_token_kind, &slinky_restapi_kind, NULL };
static const struct kind *const last_kinds[] = { &slinky_controller_kind, &slinky_accounting_kind,
                                                 NULL };

/* ------------------------------------------------------------------ custom resources */

/* How many there are, and the first of them as "nodeset hpc/a". */
static int count_users(struct session *s, const struct kind *const *kinds, size_t *ret_n,
                       const char **ret_first, struct error *err)
{
    for (; *kinds; kinds++) {
        struct objects found = { 0 };
        struct error why = { 0 };
        int rc = session_list(s, *kinds, NULL, NULL, &found, &why);

        if (rc < 0 && rc != -ENOENT)
            return fail(err, rc, "%s", error_text(&why));
        *ret_n += found.n;
        if (found.n && !*ret_first) {
            const struct k8s_meta *meta = found.v[0];

            *ret_first = fmt(s->arena, "%s %s/%s", (*kinds)->kind, meta->namespace, meta->name);
        }
    }
    return 0;
}

static int delete_all(struct install *in, const struct kind *kind, struct error *err)
{
    struct objects found = { 0 };
    struct error why = { 0 };
    int rc = session_list(in->session, kind, NULL, NULL, &found, &why);

    if (rc < 0 && rc != -ENOENT)
        return fail(err, rc, "%s", error_text(&why));
    for_each (object, found) {
        const struct k8s_meta *meta = *object;

        rc = client_delete(in->session->client, in->session->arena, kind, meta->namespace,
                           meta->name, meta->uid, err);
        if (rc < 0 && rc != -ENOENT && rc != -ESTALE)
            return wrap(err, "%s %s/%s", kind->kind, meta->namespace, meta->name);
        error_clear(err);
        in->on_done(in->userdata, fmt(in->session->arena, "%s %s/%s deleted", kind->kind,
                                      meta->namespace, meta->name));
    }
    return 0;
}

static int wait_for_users(struct install *in, const struct kind *const *kinds, struct error *err)
{
    for (;;) {
        scoped(arena) struct arena *a = arena_new();
        struct session round = session_round(in->session, a);
        const char *first = NULL;
        size_t n = 0;
        int rc = count_users(&round, kinds, &n, &first, err);

        if (rc < 0 || n == 0)
            return rc;
        if (clock_now() > in->deadline)
            return fail(err, -ETIMEDOUT,
                        "%zu custom resources are still going, the first is %s; the operator is "
                        "still there to finish that: run this again, or wait longer with --timeout",
                        n, first);
        in->on_wait(in->userdata, fmt(a, "%s and %zu more to go", first, n - 1));
        session_pause(LOOK_EVERY);
    }
}

static int delete_users(struct install *in, const struct kind *const *kinds, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && kinds[i]; i++)
        rc = delete_all(in, kinds[i], err);
    return rc ?: wait_for_users(in, kinds, err);
}

static int see_to_users(struct install *in, const struct uninstall_options *options,
                        struct error *err)
{
    const char *first = NULL;
    size_t n = 0;
    int rc = count_users(in->session, first_kinds, &n, &first, err)
                 ?: count_users(in->session, last_kinds, &n, &first, err);

    if (rc < 0 || n == 0)
        return rc;
    if (options->with_clusters)
        return delete_users(in, first_kinds, err) ?: delete_users(in, last_kinds, err);
    if (options->with_crds)
        return fail(err, -EBUSY,
                    "%zu custom resources are still there (%s ...), and deleting their definitions "
                    "deletes them: say --with-clusters if that is what you want",
                    n, first);
    if (!options->keep_clusters)
        return fail(err, -EBUSY,
                    "%zu custom resources are still there (%s ...): --with-clusters deletes them, "
                    "jobs and all; --keep-clusters leaves them running with nobody to look after "
                    "them",
                    n, first);
    return 0;
}

/* ------------------------------------------------------------------ our own objects */

/* What the programs themselves made in their namespace. */
static const struct {
    const char *version, *kind, *name;
} made[] = {
    { "v1", "Secret", MANIFEST_WEBHOOK "-ca" },
    { "coordination.k8s.io/v1", "Lease", MANIFEST_OPERATOR },
};

static void made_of(struct install *in, size_t i, struct resource *ret)
{
    struct arena *a = in->session->arena;
    struct json *object = json_object(a);
    struct json *meta = json_object(a);

    json_set_str(a, meta, "name", made[i].name);
    json_set_str(a, meta, "namespace", in->namespace);
    json_set_str(a, object, "apiVersion", made[i].version);
    json_set_str(a, object, "kind", made[i].kind);
    json_set(a, object, "metadata", meta);
    resource_of(a, object, ret, NULL);
}

static int wait_gone(struct install *in, const struct resource *wanted, struct error *err)
{
    for (;;) {
        scoped(arena) struct arena *a = arena_new();
        struct session round = session_round(in->session, a);
        struct resource r = *wanted;
        int rc = resource_look(&round, &r, err);

        if (rc < 0 || !r.live)
            return rc;
        if (clock_now() > in->deadline)
            return fail(err, -ETIMEDOUT, "%s is still going; run this again to go on",
                        resource_title(a, &r));
        in->on_wait(in->userdata, fmt(a, "%s to go", resource_title(a, &r)));
        session_pause(LOOK_EVERY);
    }
}

static int remove_one(struct install *in, struct resource *r, struct error *err)
{
    int rc;

    if (!r->live)
        return 0;
    rc = resource_delete(in->session, r, err) ?: wait_gone(in, r, err);
    if (rc == 0)
        in->on_done(in->userdata,
                    fmt(in->session->arena, "%s deleted", resource_title(in->session->arena, r)));
    return rc;
}

/* ------------------------------------------------------------------ the namespace */

/* Something of others in the namespace, as "pod/x"; "" for nothing, NULL when it is not known. */
static const char *stranger_in(struct install *in)
{
    static const char *const paths[] = { "/api/v1/namespaces/%s/pods",
                                         "/api/v1/namespaces/%s/services",
                                         "/api/v1/namespaces/%s/persistentvolumeclaims",
                                         "/api/v1/namespaces/%s/secrets",
                                         "/api/v1/namespaces/%s/configmaps" };
    struct arena *a = in->session->arena;

    for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
        const char *kind = paths[i] + sizeof "/api/v1/namespaces/%s/" - 1;
        struct json *list = NULL;
        const struct json *items;

        if (session_get(in->session,
                        fmt(a, "/api/v1/namespaces/%s/%s?limit=50", in->namespace, kind), &list,
                        NULL) < 0)
            return NULL;
        items = json_get(list, "items");
        for (size_t j = 0; j < json_count(items); j++) {
            const struct json *meta = json_get(json_item(items, j), "metadata");
            const char *name = json_str_or(json_get(meta, "name"), "");

            if (!str_eq(name, "kube-root-ca.crt") &&
                !str_starts(
                    json_str_or(json_get(json_get(meta, "labels"), "app.kubernetes.io/name"), ""),
                    MANIFEST_OPERATOR))
                return fmt(a, "%.*s/%s", (int)(__builtin_strlen(kind) - 1), kind, name);
        }
    }
    return "";
}

static int remove_namespace(struct install *in, struct resource *r, struct error *err)
{
    const char *stranger;

    if (!r->live)
        return 0;
    stranger = resource_is_ours(r) ? stranger_in(in) : "";
    if (resource_is_ours(r) && str_eq(stranger, ""))
        return remove_one(in, r, err);
    in->on_done(in->userdata, fmt(in->session->arena, "namespace/%s kept: %s", r->name,
                                  !resource_is_ours(r) ? "we did not make it"
                                  : stranger ? fmt(in->session->arena, "it holds %s", stranger)
                                             : "what it holds is not known"));
    return 0;
}

/* ------------------------------------------------------------------ all of it */

static int remove_rest(struct install *in, bool with_crds, struct error *err)
{
    int rc = 0;

    for (size_t i = in->resources.n; rc == 0 && i-- > 0;) {
        struct resource *r = &in->resources.v[i];
        bool crd = str_eq(r->kind.kind, "CustomResourceDefinition");

        if (str_eq(r->kind.kind, "Namespace") || (crd && !with_crds))
            continue;
        if (r->live && !resource_is_ours(r) && !in->force)
            in->on_done(in->userdata,
                        fmt(in->session->arena, "%s kept: we did not make it; --force deletes it",
                            resource_title(in->session->arena, r)));
        else
            rc = remove_one(in, r, err);
    }
    for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(made); i++) {
        struct resource r;

        made_of(in, i, &r);
        rc = resource_look(in->session, &r, err) ?: remove_one(in, &r, err);
    }
    for (size_t i = 0; rc == 0 && i < in->resources.n; i++)
        if (str_eq(in->resources.v[i].kind.kind, "Namespace"))
            rc = remove_namespace(in, &in->resources.v[i], err);
    return rc;
}

int uninstall(struct install *in, const struct uninstall_options *options, struct error *err)
{
    int rc = install_plan(in, err);

    if (rc < 0)
        return rc;
    return see_to_users(in, options, err) ?: remove_rest(in, options->with_crds, err);
}
