/* render.c - windlass render: what the operator would make, without a cluster. */
#include <stdio.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/str.h"
#include "cli/verbs.h"
#include "slinky/render.h"
#include "json/yaml.h"

static const struct option options[] = {
    { .name = "filename",
      .letter = 'f',
      .type = OPTION_TEXTS,
      .value = "FILE",
      .help = "A file or directory of manifests, - for standard input; may be given again." },
    { .name = "output",
      .letter = 'o',
      .standard = "yaml",
      .choices = "yaml|json",
      .help = "How to print the objects." },
    { .name = "namespace",
      .letter = 'n',
      .value = "NAME",
      .standard = "default",
      .help = "Namespace of manifests that name none." },
    { .name = "cluster-domain",
      .value = "DOMAIN",
      .standard = SLINKY_DOMAIN,
      .help = "What the names of Services end with." },
    { 0 },
};

static void say(void *userdata, const char *text)
{
    const struct cli *cli = userdata;

    fprintf(stderr, "%s: %s\n", cli->name, text);
}

static int read_all_of(struct cli *cli, struct manifests *m, struct error *err)
{
    const char *const *files = cli_texts(cli, "filename");
    int rc = 0;

    for (; rc == 0 && *files; files++)
        rc = manifests_read(m, *files, err);
    for (int i = 0; rc == 0 && i < cli->arg_count; i++)
        rc = manifests_read(m, cli->args[i], err);
    return rc ?: manifests_ready(m, err);
}

static void print_json(struct arena *a, const struct rendering *all)
{
    scoped(buf) struct buf out = { 0 };
    struct json *list = json_object(a);
    struct json *items = json_array(a);

    json_set_str(a, list, "apiVersion", "v1");
    json_set_str(a, list, "kind", "List");
    json_set(a, list, "items", items);
    for (size_t i = 0; i < all->n; i++)
        json_add(a, items, kind_json(a, all->v[i].kind, all->v[i].object));
    json_write(list, JSON_PRETTY, &out);
    puts(buf_text(&out));
}

static void print_yaml(struct arena *a, const struct rendering *all)
{
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < all->n; i++) {
        if (i)
            buf_str(&out, "---\n");
        yaml_write(kind_json(a, all->v[i].kind, all->v[i].object), &out);
    }
    fputs(buf_text(&out), stdout);
}

static int run(struct cli *cli)
{
    struct manifests m = {
        .arena = cli->arena,
        .namespace = cli_text(cli, "namespace"),
        .on_note = say,
        .userdata = cli,
    };
    struct rendering all;
    struct error err = { 0 };

    if (!cli_texts(cli, "filename")[0] && !cli->arg_count)
        return cli_misuse(cli, "name a file of manifests with -f, or - for standard input");
    if (read_all_of(cli, &m, &err) < 0)
        return cli_fail(cli, &err);
    slinky_render(cli->arena, &m, cli_text(cli, "cluster-domain"), &all);
    for (size_t i = 0; i < all.error_count; i++)
        say(cli, all.errors[i]);
    if (all.error_count)
        return 1;
    if (str_eq(cli_text(cli, "output"), "json"))
        print_json(cli->arena, &all);
    else
        print_yaml(cli->arena, &all);
    return 0;
}

const struct verb render_verb = {
    .name = "render",
    .args = "FILE...",
    .summary = "print every object the operator would make of manifests",
    .description =
        "Reads Controllers, NodeSets, LoginSets, Accountings, RestApis and Tokens, with the "
        "Secrets, ConfigMaps and Nodes that they depend on, and prints the objects that the "
        "operator would make of them. Nothing is asked of a cluster, and the same manifests give "
        "the same output: host keys and tokens are placeholders unless their Secrets are given.",
    .options = options,
    .run = run,
};
