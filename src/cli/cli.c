/* cli.c - from argv to a verb with its options. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"

enum { CONFIG_VALUE_MAX = 4096 };
#define CONFIG_DIR "/etc/windlass/config"

static const struct option help_option = { .name = "help", .letter = 'h', .type = OPTION_BOOL,
                                           .help = "show this help" };

/* ------------------------------------------------------------------ errors */

int cli_misuse(const struct cli *cli, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: ", cli->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry '%s --help'.\n", cli->name);
    return 2;
}

int cli_fail(const struct cli *cli, const struct error *err)
{
    fprintf(stderr, "%s: %s\n", cli->name, error_text(err));
    return 1;
}

/* ------------------------------------------------------------------ values */

static size_t option_count(const struct verb *verb)
{
    size_t n = 0;

    while (verb->options && verb->options[n].name)
        n++;
    return n;
}

static const struct option *option_find(const struct verb *verb, const char *name, size_t len)
{
    for (const struct option *o = verb->options; o && o->name; o++) {
        if (strlen(o->name) == len && !strncmp(o->name, name, len))
            return o;
        if (len == 1 && o->letter == *name)
            return o;
    }
    if ((len == 4 && !strncmp(name, "help", 4)) || (len == 1 && *name == 'h'))
        return &help_option;
    return NULL;
}

static size_t option_index(const struct cli *cli, const char *name)
{
    size_t n = option_count(cli->verb);

    for (size_t i = 0; i < n; i++)
        if (!strcmp(cli->verb->options[i].name, name))
            return i;
    abort(); /* a mistake in the program: the table has no such option */
}

const char *cli_text(const struct cli *cli, const char *name)
{
    return cli->values[option_index(cli, name)];
}

const char *const *cli_texts(const struct cli *cli, const char *name)
{
    const char *all = cli_text(cli, name) ?: "";
    const char **texts = arena_make_n(cli->arena, const char *, strlen(all) + 2);
    size_t n = 0;

    while (*all) {
        size_t len = strcspn(all, "\n");

        texts[n++] = arena_strn(cli->arena, all, len);
        all += len + (all[len] == '\n');
    }
    return texts;
}

bool cli_given(const struct cli *cli, const char *name)
{
    return cli->given[option_index(cli, name)];
}

int64_t cli_int(const struct cli *cli, const char *name)
{
    int64_t value = 0;

    str_int(cli_text(cli, name), &value);
    return value;
}

bool cli_bool(const struct cli *cli, const char *name)
{
    return str_in(cli_text(cli, name), (const char *const[]){ "true", "1", "yes", NULL });
}

int64_t cli_duration(const struct cli *cli, const char *name)
{
    usec value = 0;

    duration_parse(cli_text(cli, name), &value);
    return value;
}

static bool is_choice(const char *choices, const char *text)
{
    size_t len = strlen(text);

    for (const char *at = choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (!strncmp(at, text, len) && (at[len] == '|' || !at[len]))
            return true;
    return false;
}

/* What is wrong with the value, NULL when nothing is. */
static const char *problem_with(const struct option *o, const char *text)
{
    int64_t number;
    usec span;

    if (o->choices && !is_choice(o->choices, text))
        return o->choices;
    if (o->type == OPTION_INT && !str_int(text, &number))
        return "a whole number";
    if (o->type == OPTION_DURATION && !duration_parse(text, &span))
        return "a duration such as 30s or 5m";
    if (o->type == OPTION_BOOL &&
        !str_in(text, (const char *const[]){ "true", "false", "1", "0", "yes", "no", NULL }))
        return "true or false";
    return NULL;
}

static int set_value(struct cli *cli, const struct option *o, const char *text, const char *from)
{
    const char *wanted = problem_with(o, text);
    const char *before = cli->values[o - cli->verb->options];

    if (wanted)
        return cli_misuse(cli, "%s: '%s' is not %s", from, text, wanted);
    if (o->type == OPTION_TEXTS && before)
        text = fmt(cli->arena, "%s\n%s", before, text);
    cli->values[o - cli->verb->options] = text;
    return 0;
}

/* ------------------------------------------------------------------ sources below the command line */

static const char *from_file(struct cli *cli, const struct option *o)
{
    scoped(free) char *text = NULL;
    const char *dir = getenv("WINDLASS_CONFIG_DIR") ?: CONFIG_DIR;

    if (!o->file || file_read(fmt(cli->arena, "%s/%s", dir, o->file), CONFIG_VALUE_MAX, &text,
                              NULL, NULL) < 0)
        return NULL;
    text[strcspn(text, "\r\n")] = '\0';
    return arena_str(cli->arena, text);
}

static int fill_in(struct cli *cli)
{
    for (const struct option *o = cli->verb->options; o && o->name; o++) {
        size_t i = (size_t)(o - cli->verb->options);
        const char *env = o->env ? getenv(o->env) : NULL;
        const char *file = cli->given[i] || env ? NULL : from_file(cli, o);
        int rc = 0;

        if (cli->given[i])
            continue;
        cli->values[i] = o->standard;
        if (env)
            rc = set_value(cli, o, env, fmt(cli->arena, "$%s", o->env));
        else if (file)
            rc = set_value(cli, o, file, fmt(cli->arena, "configuration key %s", o->file));
        if (rc)
            return rc;
    }
    return 0;
}

/* ------------------------------------------------------------------ argv */

enum { SHOW_HELP = -1 };

/* One option at argv[*at]; moves *at past its value. */
static int parse_option(struct cli *cli, char **argv, int *at)
{
    const char *text = argv[*at];
    const char *name = text + strspn(text, "-");
    size_t len = strcspn(name, "=");
    const struct option *o = option_find(cli->verb, name, len);
    const char *value = name[len] == '=' ? name + len + 1 : NULL;

    if (!o)
        return cli_misuse(cli, "there is no option %.*s", (int)(name - text + (long)len), text);
    if (o == &help_option)
        return SHOW_HELP;
    if (!value && o->type == OPTION_BOOL)
        value = "true";
    else if (!value)
        value = argv[++*at];
    if (!value)
        return cli_misuse(cli, "--%s needs a value", o->name);
    cli->given[o - cli->verb->options] = true;
    return set_value(cli, o, value, fmt(cli->arena, "--%s", o->name));
}

static int parse(struct cli *cli, int argc, char **argv)
{
    bool only_args = false;

    cli->args = arena_make_n(cli->arena, char *, (size_t)argc + 1);
    for (int i = 0; i < argc; i++) {
        int rc = 0;

        if (!only_args && !strcmp(argv[i], "--"))
            only_args = true;
        else if (!only_args && argv[i][0] == '-' && argv[i][1])
            rc = parse_option(cli, argv, &i);
        else
            cli->args[cli->arg_count++] = argv[i];
        if (rc)
            return rc;
    }
    if (cli->arg_count && !cli->verb->args)
        return cli_misuse(cli, "'%s' is one argument too many", cli->args[0]);
    return fill_in(cli);
}

static int run_verb(struct arena *a, const struct verb *root, const struct verb *verb,
                    const char *name, int argc, char **argv)
{
    struct cli cli = { .arena = a, .root = root, .verb = verb, .name = name };
    int rc;

    cli.values = arena_make_n(a, const char *, option_count(verb) + 1);
    cli.given = arena_make_n(a, bool, option_count(verb) + 1);
    rc = parse(&cli, argc, argv);
    if (rc == SHOW_HELP) {
        cli_help(verb, name, stdout);
        return 0;
    }
    return rc ?: verb->run(&cli);
}

static bool asks_for_help(const char *word)
{
    return str_in(word, (const char *const[]){ "help", "--help", "-help", "-h", NULL });
}

static int run(struct arena *a, const struct verb *root, const struct verb *verb, const char *name,
               int argc, char **argv)
{
    struct cli cli = { .arena = a, .root = root, .verb = verb, .name = name };

    if (!verb->verbs)
        return run_verb(a, root, verb, name, argc, argv);
    if (argc && asks_for_help(argv[0]) && argc == 1) {
        cli_help(verb, name, stdout);
        return 0;
    }
    if (argc && !strcmp(argv[0], "help")) { /* help VERB... is VERB... --help */
        memmove(argv, argv + 1, (size_t)(argc - 1) * sizeof *argv);
        argv[argc - 1] = (char *)"--help";
    }
    for (const struct verb *v = verb->verbs; argc && v->name; v++)
        if (!strcmp(v->name, argv[0]))
            return run(a, root, v, fmt(a, "%s %s", name, v->name), argc - 1, argv + 1);
    if (argc)
        return cli_misuse(&cli, "there is no verb '%s'", argv[0]);
    cli_help(verb, name, stderr);
    return 2;
}

int cli_main(const struct verb *root, int argc, char **argv)
{
    scoped(arena) struct arena *a = arena_new();

    return run(a, root, root, root->name, argc - 1, argv + 1);
}
