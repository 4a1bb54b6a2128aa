/* check.c - windlass check: is this cluster fit for us? */
#include "ops/check.h"

#include <stdio.h>

#include "base/str.h"
#include "cli/reach.h"
#include "cli/verbs.h"

static void print_text(const struct findings *findings)
{
    for_each (f, *findings) {
        printf("%-8s %-12s %s\n", verdict_name(f->verdict), f->what, f->text);
        if (f->todo)
            printf("%-8s %-12s -> %s\n", "", "", f->todo);
    }
}

static struct json *json_of(struct arena *a, const struct findings *findings, bool fit)
{
    struct json *answer = json_object(a);
    struct json *all = json_array(a);

    json_set(a, answer, "fit", json_bool(a, fit));
    json_set(a, answer, "findings", all);
    for_each (f, *findings) {
        struct json *one = json_object(a);

        json_set_str(a, one, "what", f->what);
        json_set_str(a, one, "verdict", verdict_name(f->verdict));
        json_set_str(a, one, "text", f->text);
        json_set_str(a, one, "todo", f->todo);
        json_add(a, all, one);
    }
    return answer;
}

static int run(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    struct findings findings;
    int rc;

    if (reach_open(cli, &s))
        return 1;
    rc = check_run(&s, cli_text(cli, "namespace"), &findings);
    if (str_eq(cli_text(cli, "output"), "json"))
        reach_print(json_of(cli->arena, &findings, rc == 0), "json");
    else
        print_text(&findings);
    return rc;
}

static const struct option options[] = {
    REACH_OPTIONS,
    REACH_HOME("where the operator lives, or would"),
    { .name = "output",
      .letter = 'o',
      .value = "FORMAT",
      .standard = "text",
      .choices = "text|json",
      .help = "how to print the findings" },
    { 0 },
};

const struct verb check_verb = {
    .name = "check",
    .summary = "tell whether a cluster is fit for the operator",
    .description =
        "Asks the cluster about versions, permissions, nodes, DNS, storage, cgroups, GPUs, other "
        "operators and the webhook. Each line is ok, warn, fail or unknown, with what to do. Ends "
        "with 1 when something failed. Nothing is written.",
    .options = options,
    .run = run,
};
