/* check.c - the questions, in the order in which they are asked. */
#include "ops/check.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "net/url.h"
#include "ops/manifest.h"
#include "ops/session.h"

enum { FINDINGS_MAX = 16, CGROUP_NODES = 3 };

struct check {
    struct session *session;
    const char *namespace;
    struct findings *findings;
};

static void add(struct check *c, struct finding finding)
{
    if (c->findings->n < FINDINGS_MAX)
        c->findings->v[c->findings->n++] = finding;
}

static void add_unknown(struct check *c, const char *what, const struct error *err)
{
    add(c, (struct finding) { what, VERDICT_UNKNOWN, arena_str(c->session->arena, error_text(err)),
                              "ask as someone who may read this" });
}

/* One list or object, and what is to be thought of it. */
static void ask(struct check *c, const char *what, const char *path,
                struct finding (*judge)(struct arena *a, const struct json *answer))
{
    struct json *answer = NULL;
    struct error err = { 0 };

    if (session_get(c->session, path, &answer, &err) < 0)
        add_unknown(c, what, &err);
    else
        add(c, judge(c->session->arena, answer));
}

/* ------------------------------------------------------------------ permissions */

/* -1 when the server does not say. */
static int may(struct check *c, const char *namespace, const char *group, const char *resource,
               const char *verb)
{
    struct arena *a = c->session->arena;
    const char *slash = strchr(resource, '/');
    struct json *review = json_object(a), *spec = json_object(a), *about = json_object(a);
    struct json *answer = NULL;
    const struct json *allowed;

    json_set_str(a, about, "namespace", namespace);
    json_set_str(a, about, "group", group);
    json_set_str(a, about, "resource",
                 slash ? arena_strn(a, resource, (size_t)(slash - resource)) : resource);
    json_set_str(a, about, "subresource", slash ? slash + 1 : NULL);
    json_set_str(a, about, "verb", verb);
    json_set(a, spec, "resourceAttributes", about);
    json_set_str(a, review, "apiVersion", "authorization.k8s.io/v1");
    json_set_str(a, review, "kind", "SelfSubjectAccessReview");
    json_set(a, review, "spec", spec);
    if (session_post(c->session, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review,
                     &answer, NULL) < 0)
        return -1;
    allowed = json_at(answer, "status.allowed");
    return allowed ? json_bool_or(allowed, false) : -1;
}

/* What is written by install itself. Whoever grants permissions needs them too, or "escalate". */
static const char *missing_to_install(struct check *c, bool *ret_unknown)
{
    struct resources all = { 0 };
    struct manifest_options options = { .namespace = c->namespace };

    if (manifest_read(c->session->arena, &options, &all, NULL) < 0)
        return NULL;
    for_each (r, all) {
        int yes = may(c, r->namespace, r->kind.group, r->kind.plural, "patch");

        *ret_unknown |= yes < 0;
        if (yes == 0)
            return fmt(c->session->arena, "patch %s", r->kind.plural);
    }
    return NULL;
}

static const char *missing_of_rule(struct check *c, const struct json *rule, bool *ret_unknown)
{
    const struct json *groups = json_get(rule, "apiGroups");
    const struct json *resources = json_get(rule, "resources");
    const struct json *verbs = json_get(rule, "verbs");

    for (size_t i = 0; i < json_count(groups); i++)
        for (size_t j = 0; j < json_count(resources); j++)
            for (size_t k = 0; k < json_count(verbs); k++) {
                const char *resource = json_str_or(json_item(resources, j), "");
                const char *verb = json_str_or(json_item(verbs, k), "");
                int yes = may(c, NULL, json_str_or(json_item(groups, i), ""), resource, verb);

                *ret_unknown |= yes < 0;
                if (yes == 0)
                    return fmt(c->session->arena, "%s %s", verb, resource);
            }
    return NULL;
}

static const char *missing_to_grant(struct check *c, bool *ret_unknown)
{
    struct resources all = { 0 };
    struct manifest_options options = { .namespace = c->namespace };

    if (may(c, NULL, "rbac.authorization.k8s.io", "clusterroles", "escalate") == 1 ||
        manifest_read(c->session->arena, &options, &all, NULL) < 0)
        return NULL;
    for_each (r, all) {
        const struct json *rules = json_get(r->json, "rules");

        for (size_t i = 0; i < json_count(rules); i++) {
            const char *missing = missing_of_rule(c, json_item(rules, i), ret_unknown);

            if (missing)
                return missing;
        }
    }
    return NULL;
}

static void check_permissions(struct check *c)
{
    bool unknown = false;
    const char *missing;

    if (may(c, NULL, "*", "*", "*") == 1) {
        add(c, (struct finding) { "permissions", VERDICT_OK, "you may do everything", NULL });
        return;
    }
    missing = missing_to_install(c, &unknown) ?: missing_to_grant(c, &unknown);
    if (missing)
        add(c, (struct finding) { "permissions", VERDICT_FAIL,
                                  fmt(c->session->arena, "you may not %s", missing),
                                  "install as cluster-admin; the operator's own rules are smaller: "
                                  "windlass rbac" });
    else if (unknown)
        add(c, (struct finding) { "permissions", VERDICT_UNKNOWN, "the server does not say",
                                  "ask as cluster-admin" });
    else
        add(c, (struct finding) { "permissions", VERDICT_OK, "enough to install", NULL });
}

/* ------------------------------------------------------------------ cgroups */

/* Kubelets tell it in their metrics, if we may ask them. */
static int cgroup_of(struct check *c, const char *node)
{
    scoped(buf) struct buf metrics = { 0 };
    const char *path = fmt(c->session->arena, "/api/v1/nodes/%s/proxy/metrics", node);

    if (client_raw(c->session->client, "GET", path, NULL, &metrics, NULL) < 0)
        return 0;
    return judge_cgroup_version(buf_text(&metrics));
}

static void check_cgroups(struct check *c)
{
    struct json *nodes = NULL;
    struct error err = { 0 };
    int seen[3] = { 0 };

    if (session_get(c->session, fmt(c->session->arena, "/api/v1/nodes?limit=%d", CGROUP_NODES),
                    &nodes, &err) < 0) {
        add_unknown(c, "cgroups", &err);
        return;
    }
    for (size_t i = 0; i < json_count(json_get(nodes, "items")); i++)
        seen[cgroup_of(
            c,
            json_str_or(json_at(json_item(json_get(nodes, "items"), i), "metadata.name"), ""))]++;
    if (seen[1])
        add(c, (struct finding) { "cgroups", VERDICT_WARN, "version 1 on some nodes",
                                  "say CgroupPlugin=cgroup/v1 in cgroup.conf, or move the nodes to "
                                  "version 2" });
    else if (seen[2])
        add(c, (struct finding) { "cgroups", VERDICT_OK, "version 2", NULL });
    else
        add(c, (struct finding) { "cgroups", VERDICT_UNKNOWN, "kubelets do not tell us",
                                  "look on a node: stat -fc %T /sys/fs/cgroup says cgroup2fs for "
                                  "version 2" });
}

/* ------------------------------------------------------------------ the webhook */

/* A NodeSet that is not made: whatever is said of it, the webhook was asked. */
static struct json *probe_object(struct check *c)
{
    struct arena *a = c->session->arena;
    struct json *object = json_object(a), *meta = json_object(a), *spec = json_object(a);
    struct json *ref = json_object(a);

    json_set_str(a, meta, "name", "windlass-check");
    json_set_str(a, ref, "name", "windlass-check");
    json_set(a, spec, "controllerRef", ref);
    json_set_str(a, object, "apiVersion", "slinky.slurm.net/v1beta1");
    json_set_str(a, object, "kind", "NodeSet");
    json_set(a, object, "metadata", meta);
    json_set(a, object, "spec", spec);
    return object;
}

static void check_webhook(struct check *c)
{
    struct json *answer = NULL;
    struct error err = { 0 };
    const char *path =
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/" MANIFEST_WEBHOOK;
    int rc = session_get(c->session, path, &answer, &err);

    if (rc == -ENOENT) {
        add(c, (struct finding) { "webhook", VERDICT_OK, "not installed yet", NULL });
        return;
    }
    if (rc < 0) {
        add_unknown(c, "webhook", &err);
        return;
    }
    error_clear(&err);
    rc = session_post(c->session,
                      "/apis/slinky.slurm.net/v1beta1/namespaces/default/nodesets?dryRun=All",
                      probe_object(c), &answer, &err);
    if (rc < 0 && strstr(error_text(&err), "calling webhook"))
        add(c,
            (struct finding) {
                "webhook", VERDICT_FAIL, arena_str(c->session->arena, error_text(&err)),
                fmt(c->session->arena, "look at its pods: kubectl -n %s get pods", c->namespace) });
    else if (rc < 0 && rc != -EINVAL && !strstr(error_text(&err), "admission webhook"))
        add_unknown(c, "webhook", &err);
    else
        add(c, (struct finding) { "webhook", VERDICT_OK, "answers", NULL });
}

/* ------------------------------------------------------------------ all of it */

const char *check_operators_path(struct arena *a)
{
    return fmt(a, "/apis/apps/v1/deployments?labelSelector=%s",
               url_escape(a, "app.kubernetes.io/name=" MANIFEST_OPERATOR));
}

int check_run(struct session *s, const char *namespace, struct findings *ret)
{
    struct check c = { .session = s, .namespace = namespace, .findings = ret };

    *ret = (struct findings) { .v = arena_make_n(s->arena, struct finding, FINDINGS_MAX) };
    ask(&c, "kubernetes", "/version", judge_version);
    check_permissions(&c);
    ask(&c, "nodes", "/api/v1/nodes", judge_nodes);
    check_cgroups(&c);
    ask(&c, "gpus", "/api/v1/nodes", judge_gpus);
    ask(&c, "dns", "/api/v1/namespaces/kube-system/services", judge_dns);
    ask(&c, "storage", "/apis/storage.k8s.io/v1/storageclasses", judge_storage);
    ask(&c, "crds", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", judge_crds);
    ask(&c, "operator", check_operators_path(s->arena), judge_operators);
    check_webhook(&c);
    for_each (finding, *ret)
        if (finding->verdict == VERDICT_FAIL)
            return 1;
    return 0;
}
