/* slurm.c - windlass slurm lint, windlass slurm hostlist. */
#include "cli/verbs.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"
#include "slurm/hostlist.h"
#include "slurm/lint.h"
#include "json/json.h"

static bool wants_json(const struct cli *cli)
{
    return str_eq(cli_text(cli, "output"), "json");
}

static const char *level_name(enum conf_level level)
{
    return level == CONF_ERROR ? "error" : "warning";
}

static void print_json(const struct json *value)
{
    scoped(buf) struct buf out = { 0 };

    json_write(value, JSON_PRETTY, &out);
    printf("%s\n", buf_text(&out));
}

static void print_problems(const struct conf_doc *doc)
{
    for (const struct conf_problem *p = doc->problems; p < doc->problems + doc->problem_count; p++)
        printf("%s:%u: %s: %s\n", p->file, p->line, level_name(p->level), p->text);
    if (doc->errors + doc->warnings > doc->problem_count)
        printf("and %zu more\n", doc->errors + doc->warnings - doc->problem_count);
}

static void add_problems(struct arena *a, struct json *list, const struct conf_doc *doc)
{
    for (const struct conf_problem *p = doc->problems; p < doc->problems + doc->problem_count;
         p++) {
        struct json *item = json_object(a);

        json_set_str(a, item, "file", p->file);
        json_set(a, item, "line", json_int(a, p->line));
        json_set_str(a, item, "level", level_name(p->level));
        json_set_str(a, item, "message", p->text);
        json_add(a, list, item);
    }
}

/* Reads one file, "-" being standard input, and checks it as what it is or what --as says. */
static int lint_one(struct cli *cli, const char *path, struct conf_doc **ret, struct error *err)
{
    struct conf_opener opener = conf_opener_beside(cli->arena, path);
    const char *as = cli_text(cli, "as");
    const struct conf_kind *kind = as ? conf_kind_of(as) : conf_kind_of(path);
    scoped(free) char *text = NULL;
    size_t len;
    int code = str_eq(path, "-") ? read_all(0, CONF_FILE_MAX, &text, &len, err)
                                 : file_read(path, CONF_FILE_MAX, &text, &len, err);

    if (code < 0)
        return code;
    if (!kind) {
        *ret = lint_text(cli->arena, as ?: path, text, len, &opener);
        return 0;
    }
    *ret = conf_read(cli->arena, path, text, len, &opener);
    lint_doc(cli->arena, *ret, kind, path);
    return 0;
}

static int run_lint(struct cli *cli)
{
    struct json *list = json_array(cli->arena);
    bool strict = cli_bool(cli, "strict"), bad = false;

    if (cli->arg_count == 0)
        return cli_misuse(cli, "name at least one file");
    for (int i = 0; i < cli->arg_count; i++) {
        struct error err = { 0 };
        struct conf_doc *doc;

        if (lint_one(cli, cli->args[i], &doc, &err) < 0) {
            cli_fail(cli, &err);
            bad = true;
            continue;
        }
        if (wants_json(cli))
            add_problems(cli->arena, list, doc);
        else
            print_problems(doc);
        bad = bad || doc->errors > 0 || (strict && doc->warnings > 0);
    }
    if (wants_json(cli))
        print_json(list);
    return bad;
}

/* All arguments as one list of names. */
static int names_of(struct cli *cli, struct strs *ret, struct error *err)
{
    scoped(buf) struct buf list = { 0 };

    for (int i = 0; i < cli->arg_count; i++)
        buf_fmt(&list, "%s%s", i ? "," : "", cli->args[i]);
    return hostlist_expand(cli->arena, buf_text(&list), (size_t)cli_int(cli, "limit"), ret, err);
}

static int run_expand(struct cli *cli)
{
    struct error err = { 0 };
    struct strs names;
    struct json *list;

    if (cli->arg_count == 0)
        return cli_misuse(cli, "name at least one host list");
    if (names_of(cli, &names, &err) < 0)
        return cli_fail(cli, &err);
    if (!wants_json(cli)) {
        for (size_t i = 0; i < names.n; i++)
            printf("%s\n", names.v[i]);
        return 0;
    }
    list = json_array(cli->arena);
    for (size_t i = 0; i < names.n; i++)
        json_add(cli->arena, list, json_str(cli->arena, names.v[i]));
    print_json(list);
    return 0;
}

static int run_compress(struct cli *cli)
{
    struct error err = { 0 };
    struct strs names;
    const char *text;

    if (cli->arg_count == 0)
        return cli_misuse(cli, "name at least one host");
    if (names_of(cli, &names, &err) < 0)
        return cli_fail(cli, &err);
    text = cli_bool(cli, "sort") ? hostlist_of_set(cli->arena, names)
                                 : hostlist_fold(cli->arena, names);
    if (wants_json(cli))
        print_json(json_str(cli->arena, text));
    else
        printf("%s\n", text);
    return 0;
}

#define OUTPUT_OPTION                                                                              \
    {                                                                                              \
        .name = "output", .letter = 'o', .type = OPTION_TEXT, .value = "FORMAT",                   \
        .standard = "text", .choices = "text|json", .help = "how to print the answer"              \
    }
#define LIMIT_OPTION                                                                               \
    {                                                                                              \
        .name = "limit", .type = OPTION_INT, .value = "N", .standard = "1048576",                  \
        .help = "refuse lists that name more hosts"                                                \
    }

static const struct option lint_options[] = {
    OUTPUT_OPTION,
    { .name = "as",
      .type = OPTION_TEXT,
      .value = "NAME",
      .help = "check the files as if this were their name, such as slurm.conf" },
    { .name = "strict",
      .type = OPTION_BOOL,
      .standard = "false",
      .help = "let warnings fail as well" },
    { 0 },
};

static const struct option expand_options[] = { OUTPUT_OPTION, LIMIT_OPTION, { 0 } };

static const struct option compress_options[] = {
    OUTPUT_OPTION,
    LIMIT_OPTION,
    { .name = "sort",
      .type = OPTION_BOOL,
      .standard = "false",
      .help = "sort the hosts and name each once" },
    { 0 },
};

static const struct verb hostlist_verbs[] = {
    { .name = "expand",
      .args = "LIST...",
      .summary = "print every host of a host list",
      .description = "Prints the hosts that a list such as gpu-[00-15],login[1-2] names, one per "
                     "line, in the order of scontrol show hostnames.",
      .options = expand_options,
      .run = run_expand },
    { .name = "compress",
      .args = "HOST...",
      .summary = "write hosts as a host list",
      .description = "Folds host names into the short form that Slurm reads, as scontrol show "
                     "hostlist does.",
      .options = compress_options,
      .run = run_compress },
    { 0 },
};

static const struct verb slurm_verbs[] = {
    { .name = "lint",
      .args = "FILE...",
      .summary = "check Slurm's configuration files",
      .description = "Says what Slurm would refuse (an error) or ignore (a warning) in slurm.conf, "
                     "slurmdbd.conf, cgroup.conf, gres.conf, topology.conf, topology.yaml, "
                     "job_container.conf, mpi.conf, oci.conf, helpers.conf, acct_gather.conf, "
                     "burst_buffer.conf, plugstack.conf and in prolog and epilog scripts, with the "
                     "line and what to do. A file is known by its name; - reads standard input.",
      .options = lint_options,
      .run = run_lint },
    { .name = "hostlist", .summary = "expand and compress host lists", .verbs = hostlist_verbs },
    { 0 },
};

const struct verb slurm_verb = {
    .name = "slurm",
    .summary = "look at Slurm's files and words",
    .description = "Works on files and texts alone; no cluster is asked.",
    .verbs = slurm_verbs,
};
