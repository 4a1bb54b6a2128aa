/* convert.c - windlass convert: resources of slinky.slurm.net in another version, without a
 * cluster.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scope.h"
#include "base/str.h"
#include "cli/verbs.h"
#include "slinky/convert.h"
#include "json/yaml.h"

enum { FILE_MAX = 64 * 1024 * 1024 };

struct conversion {
    struct arena *arena;
    const char *to;
    struct json *results;
};

static int convert_any(struct conversion *c, const struct json *object, struct error *err);

static int convert_list(struct conversion *c, const struct json *list, struct error *err)
{
    const struct json *items = json_get(list, "items");

    for (size_t i = 0; i < json_count(items); i++)
        if (convert_any(c, json_item(items, i), err) < 0)
            return wrap(err, "items[%zu]", i);
    return 0;
}

/* Objects that are none of ours pass through, so that whole files can be converted. */
static int convert_any(struct conversion *c, const struct json *object, struct error *err)
{
    struct json *converted = NULL;
    bool is_list = str_ends(json_str_or(json_get(object, "kind"), ""), "List");

    if (is_list && json_get(object, "items"))
        return convert_list(c, object, err);
    if (!convert_knows(object))
        converted = json_copy(c->arena, object);
    else if (convert_object(c->arena, object, c->to, &converted, err) < 0)
        return wrap(err, "%s", json_str_or(json_at(object, "metadata.name"), "object"));
    json_add(c->arena, c->results, converted);
    return 0;
}

static int read_text(const char *name, char **ret, size_t *ret_len, struct error *err)
{
    if (str_eq(name, "-"))
        return read_all(STDIN_FILENO, FILE_MAX, ret, ret_len, err);
    return file_read(name, FILE_MAX, ret, ret_len, err);
}

static int convert_file(struct conversion *c, const char *name, struct error *err)
{
    scoped(free) char *text = NULL;
    struct json *documents = NULL;
    size_t len = 0;
    int rc = read_text(name, &text, &len, err) ?: yaml_parse(c->arena, text, len, &documents, err);

    for (size_t i = 0; rc == 0 && i < json_count(documents); i++)
        rc = convert_any(c, json_item(documents, i), err);
    return rc < 0 ? wrap(err, "%s", name) : 0;
}

static void print_yaml(const struct json *results)
{
    scoped(buf) struct buf out = { 0 };

    for (size_t i = 0; i < json_count(results); i++) {
        buf_str(&out, i ? "---\n" : "");
        yaml_write(json_item(results, i), &out);
    }
    fputs(buf_text(&out), stdout);
}

static void print_json(struct arena *a, struct json *results)
{
    scoped(buf) struct buf out = { 0 };
    struct json *list = json_object(a);

    json_set_str(a, list, "apiVersion", "v1");
    json_set_str(a, list, "kind", "List");
    json_set(a, list, "items", results);
    json_write(json_count(results) == 1 ? json_item(results, 0) : list, JSON_PRETTY, &out);
    puts(buf_text(&out));
}

static int run(struct cli *cli)
{
    struct conversion c = { .arena = cli->arena,
                            .to = fmt(cli->arena, CONVERT_GROUP "/%s", cli_text(cli, "to")),
                            .results = json_array(cli->arena) };
    const char *const *files = cli_texts(cli, "filename");
    struct error err = { 0 };
    int rc = 0;

    if (!files[0] && !cli->arg_count)
        return cli_misuse(cli, "name a file with -f, or - for standard input");
    for (; rc == 0 && *files; files++)
        rc = convert_file(&c, *files, &err);
    for (int i = 0; rc == 0 && i < cli->arg_count; i++)
        rc = convert_file(&c, cli->args[i], &err);
    if (rc < 0)
        return cli_fail(cli, &err);
    if (str_eq(cli_text(cli, "output"), "json"))
        print_json(cli->arena, c.results);
    else
        print_yaml(c.results);
    return 0;
}

static const struct option options[] = {
    { .name = "filename",
      .letter = 'f',
      .type = OPTION_TEXTS,
      .value = "FILE",
      .help = "a file of manifests, - for standard input; may be given again" },
    { .name = "to",
      .value = "VERSION",
      .standard = "v1beta1",
      .choices = "v1beta1|v1alpha1",
      .help = "the version to write" },
    { .name = "output",
      .letter = 'o',
      .standard = "yaml",
      .choices = "yaml|json",
      .help = "how to print the objects" },
    { 0 },
};

const struct verb convert_verb = {
    .name = "convert",
    .args = "FILE...",
    .summary = "rewrite manifests of slinky.slurm.net in another version",
    .description =
        "Reads manifests and prints them with the resources of slinky.slurm.net in the wanted "
        "version; other objects pass through. What that version cannot say is kept in an "
        "annotation, and comes back when the object is converted again.",
    .options = options,
    .run = run,
};
