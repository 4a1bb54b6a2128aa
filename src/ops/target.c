/* target.c - what a person means by a name. */
#include "ops/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kinds.h"
#include "slinky/names.h"

static const struct daemon_kind kinds[] = {
    { "controller", &slinky_controller_kind, "slurmctld", "slurmctld" },
    { "nodeset", &slinky_nodeset_kind, "slurmd", "slurmd" },
    { "loginset", &slinky_loginset_kind, "login", "login" },
    { "accounting", &slinky_accounting_kind, "slurmdbd", "slurmdbd" },
    { "restapi", &slinky_restapi_kind, "slurmrestd", "slurmrestd" },
};

const struct daemon_kind *daemon_kind_of(const char *word)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (!strcasecmp(word, kinds[i].word) || !strcasecmp(word, kinds[i].kind->plural) ||
            !strcasecmp(word, kinds[i].daemon))
            return &kinds[i];
    return NULL;
}

const char *daemon_kind_words(struct arena *a)
{
    const char *text = kinds[0].word;

    for (size_t i = 1; i < ARRAY_SIZE(kinds); i++)
        text = fmt(a, "%s, %s", text, kinds[i].word);
    return text;
}

int target_parse(struct arena *a, const char *text, const struct daemon_kind **ret_kind,
                 const char **ret_name, struct error *err)
{
    const char *slash = strchr(text, '/');
    const char *word = slash ? arena_strn(a, text, (size_t)(slash - text)) : text;

    *ret_kind = daemon_kind_of(word);
    if (!*ret_kind)
        return fail(err, -EINVAL, "there is no kind '%s'; say one of %s", word,
                    daemon_kind_words(a));
    *ret_name = slash && slash[1] ? slash + 1 : NULL;
    return 0;
}

/* ------------------------------------------------------------------ workers */

/* The first few names, so that a typo is seen at once. */
static const char *some_names(struct arena *a, const struct objects *pods)
{
    const char *text = "";

    for (size_t i = 0; i < pods->n && i < 5; i++) {
        const struct k8s_pod *pod = pods->v[i];

        text = fmt(a, "%s%s%s", text, i ? ", " : "", pod->meta.name);
    }
    return fmt(a, "%s%s", text, pods->n > 5 ? ", ..." : "");
}

int target_worker(struct session *s, const char *namespace, const char *name,
                  struct worker_view *ret, struct error *err)
{
    struct objects pods = { 0 };
    size_t found = 0;
    int rc = session_list(s, &k8s_pod_kind, namespace, SLINKY_APP_NAME "=slurmd", &pods, err);

    if (rc < 0)
        return rc;
    for_each (object, pods) {
        struct worker_view w = worker_view_of(s->arena, *object, false);

        if (worker_is_called(&w, name) && found++ == 0)
            *ret = w;
    }
    if (found == 1)
        return 0;
    if (found)
        return fail(err, -ENOTUNIQ, "%zu workers are called '%s': name the pod", found, name);
    if (!pods.n)
        return fail(err, -ENOENT, "there are no workers in namespace %s; -n names another",
                    namespace);
    return fail(err, -ENOENT, "there is no worker '%s' in namespace %s; there are %s", name,
                namespace, some_names(s->arena, &pods));
}

/* ------------------------------------------------------------------ pods of a resource */

bool target_is_ready(const struct k8s_pod *pod)
{
    for_each (c, pod->status.conditions)
        if (str_eq(c->type, "Ready"))
            return str_eq(c->status, "True");
    return false;
}

static int ready_first(const void *x, const void *y)
{
    const struct k8s_pod *const *a = x, *const *b = y;

    return (int)target_is_ready(*b) - (int)target_is_ready(*a)
               ?: strcmp((*a)->meta.name, (*b)->meta.name);
}

int target_pods(struct session *s, const char *namespace, const struct daemon_kind *kind,
                const char *name, struct objects *ret, struct error *err)
{
    const char *selector = name ? slinky_selector_text(s->arena, kind->daemon, name)
                                : fmt(s->arena, SLINKY_APP_NAME "=%s", kind->daemon);
    int rc = session_list(s, &k8s_pod_kind, namespace, selector, ret, err);

    if (rc < 0)
        return rc;
    if (!ret->n)
        return fail(err, -ENOENT,
                    "%s%s%s has no pods in namespace %s; -n names another, 'windlass "
                    "status' shows what there is",
                    kind->word, name ? " " : "", name ?: "", namespace);
    qsort(ret->v, ret->n, sizeof *ret->v, ready_first);
    return 0;
}
