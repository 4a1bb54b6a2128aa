/* install.c - windlass install: CRDs, permissions, operator and webhook into the current context.
 */
#include <errno.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/str.h"
#include "cli/reach.h"
#include "cli/verbs.h"
#include "ops/install.h"
#include "ops/manifest.h"
#include "json/yaml.h"

static void on_done(void *userdata, const char *line)
{
    const struct cli *cli = userdata;

    reach_progress(NULL);
    if (str_eq(cli_text(cli, "output"), "text"))
        puts(line);
}

/* ------------------------------------------------------------------ what would be applied */

static int print_manifests(struct cli *cli, const struct resources *resources)
{
    scoped(buf) struct buf out = { 0 };
    struct json *list = json_object(cli->arena);
    struct json *items = json_array(cli->arena);

    json_set_str(cli->arena, list, "apiVersion", "v1");
    json_set_str(cli->arena, list, "kind", "List");
    json_set(cli->arena, list, "items", items);
    for_each (r, *resources) {
        json_add(cli->arena, items, r->json);
        buf_str(&out, r == resources->v ? "" : "---\n");
        yaml_write(r->json, &out);
    }
    if (str_eq(cli_text(cli, "output"), "yaml"))
        fputs(buf_text(&out), stdout);
    else
        reach_print(list, "json");
    return 0;
}

/* ------------------------------------------------------------------ what became of it */

static size_t count(const struct install *in, enum resource_change change)
{
    size_t n = 0;

    for (size_t i = 0; i < in->resources.n; i++)
        n += in->changes[i] == change;
    return n;
}

static struct json *result_of(struct arena *a, const struct install *in, bool waited)
{
    struct json *result = json_object(a);
    struct json *objects = json_array(a);

    json_set_str(a, result, "version", WINDLASS_VERSION);
    json_set_str(a, result, "namespace", in->namespace);
    json_set(a, result, "ready", waited ? json_bool(a, true) : json_null(a));
    json_set(a, result, "objects", objects);
    for (size_t i = 0; i < in->resources.n; i++) {
        struct json *object = json_object(a);

        json_set_str(a, object, "kind", in->resources.v[i].kind.kind);
        json_set_str(a, object, "namespace", in->resources.v[i].namespace);
        json_set_str(a, object, "name", in->resources.v[i].name);
        json_set_str(a, object, "result", resource_change_name(in->changes[i]));
        json_add(a, objects, object);
    }
    return result;
}

static void tell(struct cli *cli, const struct install *in, bool dry_run, bool waited)
{
    size_t created = count(in, RESOURCE_CREATED), changed = count(in, RESOURCE_CHANGED);

    reach_progress(NULL);
    if (!str_eq(cli_text(cli, "output"), "text")) {
        reach_print(result_of(cli->arena, in, waited), cli_text(cli, "output"));
        return;
    }
    if (dry_run)
        printf("windlass %s in namespace %s: %zu would be created, %zu changed, %zu stay\n",
               WINDLASS_VERSION, in->namespace, created, changed,
               in->resources.n - created - changed);
    else
        printf("windlass %s in namespace %s: %zu created, %zu changed, %zu unchanged%s\n",
               WINDLASS_VERSION, in->namespace, created, changed,
               in->resources.n - created - changed, waited ? "; operator and webhook are up" : "");
}

/* ------------------------------------------------------------------ the verb */

static int go(struct cli *cli, struct install *in, struct error *err)
{
    bool dry_run = cli_bool(cli, "dry-run");
    bool wait = cli_bool(cli, "wait") && !dry_run;
    int rc = install_plan(in, err) ?: install_alone(in, err);

    if (rc < 0)
        return rc;
    if (dry_run)
        for (size_t i = 0; i < in->resources.n; i++)
            on_done(cli, fmt(cli->arena, "%s %s", resource_title(cli->arena, &in->resources.v[i]),
                             resource_change_name(in->changes[i])));
    else
        rc = install_apply(in, err);
    if (rc == 0 && wait)
        rc = install_wait(in, err);
    if (rc == 0)
        tell(cli, in, dry_run, wait);
    return rc;
}

static int run(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    struct manifest_options options = { .namespace = cli_text(cli, "namespace"),
                                        .image = cli_text(cli, "image") };
    struct install in = { .session = &s,
                          .namespace = options.namespace,
                          .force = cli_bool(cli, "force"),
                          .deadline = clock_now() + cli_duration(cli, "timeout"),
                          .on_done = on_done,
                          .on_wait = reach_wait,
                          .userdata = cli };
    struct error err = { 0 };

    if (manifest_read(cli->arena, &options, &in.resources, &err) < 0)
        return cli_fail(cli, &err);
    if (cli_bool(cli, "dry-run") && !str_eq(cli_text(cli, "output"), "text"))
        return print_manifests(cli, &in.resources);
    if (reach_open(cli, &s))
        return 1;
    if (go(cli, &in, &err) == 0)
        return 0;
    reach_progress(NULL);
    return cli_fail(cli, &err);
}

static const struct option options[] = {
    REACH_OPTIONS,
    REACH_HOME("where operator and webhook live; made when it is not there"),
    { .name = "image", .value = "IMAGE", .help = "their image; the one of this version" },
    { .name = "dry-run",
      .type = OPTION_BOOL,
      .help = "write nothing; with -o yaml or json print the manifests, without a cluster" },
    { .name = "output",
      .letter = 'o',
      .value = "FORMAT",
      .standard = "text",
      .choices = "text|yaml|json",
      .help = "how to tell what was done" },
    { .name = "wait",
      .type = OPTION_BOOL,
      .standard = "true",
      .help = "until operator and webhook are up; --wait=false returns at once" },
    REACH_TIMEOUT("3m", "how long to wait"),
    { .name = "force", .type = OPTION_BOOL, .help = "take over what helm installed, and go on beside another operator" },
    { 0 },
};

const struct verb install_verb = {
    .name = "install",
    .summary = "put the operator into a cluster",
    .description =
        "Applies CRDs, permissions, operator and webhook to the current context and waits until "
        "they are up. What is there already as it should be is not written again, so that it can "
        "be repeated, and a newer program upgrades what an older one installed. The manifests "
        "are those of the charts.",
    .options = options,
    .run = run,
};
