/* about.c - the program about itself: version, man page, completions. */
#include <string.h>

#include "base/str.h"
#include "cli/verbs.h"

static int run_version(struct cli *cli)
{
    if (str_eq(cli_text(cli, "output"), "json"))
        printf("{\"version\":\"%s\"}\n", WINDLASS_VERSION);
    else
        printf("windlass %s\n", WINDLASS_VERSION);
    return 0;
}

static int run_man(struct cli *cli)
{
    cli_man(cli->root, stdout);
    return 0;
}

static int run_completion(struct cli *cli)
{
    static const struct {
        const char *shell;
        void (*write)(const struct verb *root, FILE *out);
    } shells[] = {
        { "bash", cli_complete_bash },
        { "zsh", cli_complete_zsh },
        { "fish", cli_complete_fish },
    };

    for (size_t i = 0; cli->arg_count == 1 && i < ARRAY_SIZE(shells); i++)
        if (str_eq(cli->args[0], shells[i].shell)) {
            shells[i].write(cli->root, stdout);
            return 0;
        }
    return cli_misuse(cli, "name one shell: bash, zsh or fish");
}

static const struct option version_options[] = {
    { .name = "output", .letter = 'o', .value = "FORMAT", .standard = "text",
      .choices = "text|json", .help = "how to print it" },
    { 0 },
};

const struct verb version_verb = { .name = "version", .summary = "print the version",
                                   .options = version_options, .run = run_version };

const struct verb man_verb = { .name = "man", .summary = "print the manual page",
                               .description = "Prints the manual page; read it with "
                                              "'windlass man | man -l -'.",
                               .run = run_man };

const struct verb completion_verb = {
    .name = "completion",
    .args = "bash|zsh|fish",
    .summary = "print completions for a shell",
    .description = "Prints completions; for bash: 'source <(windlass completion bash)'.",
    .run = run_completion,
};
