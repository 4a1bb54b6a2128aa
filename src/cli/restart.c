/* restart.c - windlass restart: the pods of a resource, made anew. */
#include <errno.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/str.h"
#include "cli/reach.h"
#include "cli/verbs.h"
#include "kinds.h"
#include "ops/target.h"
#include "slinky/nodeset.h"

#define RESTARTED_AT "kubectl.kubernetes.io/restartedAt"

/* spec.template.metadata.annotations: what kubectl rollout restart does elsewhere. */
static struct json *patch_of(struct arena *a)
{
    struct json *notes = json_object(a), *meta = json_object(a), *template = json_object(a);
    struct json *spec = json_object(a), *patch = json_object(a);

    json_set_str(a, notes, RESTARTED_AT, time_text(a, clock_wall(), false));
    json_set(a, meta, "annotations", notes);
    json_set(a, template, "metadata", meta);
    json_set(a, spec, "template", template);
    json_set(a, patch, "spec", spec);
    return patch;
}

static const char *outlook(const struct daemon_kind *kind, const void *object)
{
    const struct slinky_nodeset *set = object;
    const struct slinky_nodeset_update_strategy *strategy;

    if (kind->kind != &slinky_nodeset_kind)
        return "its pods are made anew; jobs go on";
    strategy = set->spec.update_strategy;
    if (strategy && str_eq(strategy->type, "OnDelete"))
        return "its update strategy is OnDelete: each worker is made anew when you delete its pod";
    return "workers are drained, and made anew when their jobs have ended, a few at a time";
}

static int restart(struct cli *cli, struct session *s, const struct daemon_kind *kind,
                   const char *name, struct error *err)
{
    const char *namespace = reach_namespace(cli, s);
    void *object = NULL;
    int rc = client_get(s->client, s->arena, kind->kind, namespace, name, &object, err);

    if (rc == -ENOENT)
        return fail(err, rc,
                    "there is no %s '%s' in namespace %s; 'windlass status' shows what there "
                    "is",
                    kind->kind->kind, name, namespace);
    rc = rc ?: session_patch(s, kind->kind, namespace, name, NULL, patch_of(s->arena), err);
    if (rc == 0)
        printf("%s %s: %s\n", kind->word, name, outlook(kind, object));
    return rc;
}

static int run(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    const struct daemon_kind *kind;
    struct error err = { 0 };
    const char *name;

    if (cli->arg_count < 1 || cli->arg_count > 2)
        return cli_misuse(cli, "name what to restart, such as nodeset/gpu");
    if (target_parse(cli->arena, cli->args[0], &kind, &name, &err) < 0)
        return cli_misuse(cli, "%s", error_text(&err));
    if (cli->arg_count == 2 && name)
        return cli_misuse(cli, "'%s' is one argument too many", cli->args[1]);
    name = name ?: cli->args[1];
    if (!name)
        return cli_misuse(cli, "which %s? say %s/NAME", kind->word, kind->word);
    if (reach_open(cli, &s))
        return 1;
    return restart(cli, &s, kind, name, &err) == 0 ? 0 : cli_fail(cli, &err);
}

static const struct option options[] = { REACH_OPTIONS, REACH_NAMESPACE, { 0 } };

const struct verb restart_verb = {
    .name = "restart",
    .args = "KIND/NAME",
    .summary = "make the pods of a resource anew",
    .description =
        "Changes an annotation in the template of a controller, nodeset, loginset, accounting or "
        "restapi, so that the operator makes its pods anew. Workers are drained first and their "
        "jobs end in peace.",
    .options = options,
    .run = run,
};
