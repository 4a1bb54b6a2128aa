/* clidocs.c - help, man page and completions, from the table of verbs. */
#include <ctype.h>
#include <string.h>

#include "cli/cli.h"

enum { LINE_WIDTH = 80 };

/* ------------------------------------------------------------------ help */

/* Words in lines that fit a terminal. */
static void paragraph(const char *text, FILE *out)
{
    size_t column = 0;

    while (*text) {
        size_t len = strcspn(text, " ");

        if (column && column + 1 + len > LINE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        column += (size_t)fprintf(out, "%s%.*s", column ? " " : "", (int)len, text);
        text += len + strspn(text + len, " ");
    }
    fputc('\n', out);
}

static int wide(const struct option *o)
{
    return (int)(strlen(o->name) + (o->value ? strlen(o->value) + 1 : 0));
}

static void option_line(const struct option *o, int width, FILE *out)
{
    char letter[8] = "    ";

    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    fprintf(out, "  %s--%s%s%s%*s  %s", letter, o->name, o->value ? " " : "", o->value ?: "",
            width - wide(o), "", o->help);
    if (o->choices)
        fprintf(out, " (%s)", o->choices);
    if (o->standard && *o->standard && o->type != OPTION_BOOL)
        fprintf(out, " [%s]", o->standard);
    if (o->env)
        fprintf(out, " {$%s}", o->env);
    fputc('\n', out);
}

static void options_help(const struct verb *verb, FILE *out)
{
    int width = 4;

    for (const struct option *o = verb->options; o && o->name; o++)
        width = wide(o) > width ? wide(o) : width;
    fputs("\nOptions:\n", out);
    for (const struct option *o = verb->options; o && o->name; o++)
        option_line(o, width, out);
    fprintf(out, "  -h, --help%*s  show this help\n", width - 4, "");
}

static void verbs_help(const struct verb *verb, FILE *out)
{
    int width = 0;

    for (const struct verb *v = verb->verbs; v->name; v++)
        width = (int)strlen(v->name) > width ? (int)strlen(v->name) : width;
    fputs("\nVerbs:\n", out);
    for (const struct verb *v = verb->verbs; v->name; v++)
        fprintf(out, "  %-*s  %s\n", width, v->name, v->summary);
}

void cli_help(const struct verb *verb, const char *name, FILE *out)
{
    fprintf(out, "Usage: %s%s%s%s\n\n", name, verb->verbs ? " VERB" : " [OPTION...]",
            verb->args ? " " : "", verb->args ?: "");
    paragraph(verb->description ?: verb->summary, out);
    if (verb->verbs) {
        verbs_help(verb, out);
        fprintf(out, "\n'%s help VERB' tells more about one of them.\n", name);
    } else {
        options_help(verb, out);
    }
}

/* ------------------------------------------------------------------ man page */

static void man_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* Help texts are notes; in a manual they are sentences. */
static void man_sentence(const char *text, FILE *out)
{
    size_t len = strlen(text);

    if (*text == '-')
        fputs("\\-", out);
    else
        fputc(toupper((unsigned char)*text), out);
    man_text(text + 1, out);
    if (len && text[len - 1] != '.')
        fputc('.', out);
}

static void man_option(const struct option *o, FILE *out)
{
    fputs(".TP\n.B ", out);
    if (o->letter)
        fprintf(out, "\\-%c, ", o->letter);
    fputs("\\-\\-", out);
    man_text(o->name, out);
    if (o->value)
        fprintf(out, " \\fI%s\\fR", o->value);
    fputc('\n', out);
    man_sentence(o->help, out);
    if (o->choices)
        fprintf(out, " One of %s.", o->choices);
    if (o->standard && *o->standard)
        fprintf(out, " Default: %s.", o->standard);
    if (o->env)
        fprintf(out, " Environment: %s.", o->env);
    fputc('\n', out);
}

static void man_verb(const struct verb *verb, const char *prefix, FILE *out)
{
    char name[256];

    snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? " " : "", verb->name);
    if (verb->verbs) {
        for (const struct verb *v = verb->verbs; v->name; v++)
            man_verb(v, name, out);
        return;
    }
    fputs(".SS ", out);
    man_text(name, out);
    fprintf(out, "%s%s\n", verb->args ? " " : "", verb->args ?: "");
    man_text(verb->description ?: verb->summary, out);
    fputc('\n', out);
    for (const struct option *o = verb->options; o && o->name; o++)
        man_option(o, out);
}

void cli_man(const struct verb *root, FILE *out)
{
    fprintf(out, ".TH %s 1 \"\" \"%s %s\"\n.SH NAME\n%s \\- ", root->name, root->name,
            WINDLASS_VERSION, root->name);
    man_text(root->summary, out);
    fprintf(out, "\n.SH SYNOPSIS\n.B %s\n\\fIVERB\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n",
            root->name);
    man_text(root->description, out);
    fputs("\n.SH VERBS\n", out);
    for (const struct verb *v = root->verbs; v->name; v++)
        man_verb(v, "", out);
    fputs(".SH EXIT STATUS\n0 when done, 1 when it failed, 2 when it was misused.\n", out);
}

/* ------------------------------------------------------------------ completions */

static void words(const struct verb *verb, FILE *out)
{
    for (const struct verb *v = verb->verbs; v && v->name; v++)
        fprintf(out, "%s ", v->name);
    for (const struct option *o = verb->options; o && o->name; o++)
        fprintf(out, "--%s ", o->name);
    fputs("--help", out);
}

static void bash_cases(const struct verb *verb, const char *path, FILE *out)
{
    fprintf(out, "        '%s') words='", path);
    words(verb, out);
    fputs("' ;;\n", out);
    for (const struct verb *v = verb->verbs; v && v->name; v++) {
        char below[256];

        snprintf(below, sizeof below, "%s%s%s", path, *path ? " " : "", v->name);
        bash_cases(v, below, out);
    }
}

/* 'drain'|'slurm'|'slurm conf'|...: how far words on the command line name a verb. */
static void bash_paths(const struct verb *verb, const char *path, FILE *out)
{
    for (const struct verb *v = verb->verbs; v && v->name; v++) {
        char below[256];

        snprintf(below, sizeof below, "%s%s%s", path, *path ? " " : "", v->name);
        fprintf(out, "'%s'|", below);
        bash_paths(v, below, out);
    }
}

void cli_complete_bash(const struct verb *root, FILE *out)
{
    fprintf(out, "_%s()\n{\n    local path= word words i\n"
                 "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                 "        word=${path:+$path }${COMP_WORDS[i]}\n"
                 "        case $word in\n            ", root->name);
    bash_paths(root, "", out);
    fputs("'') path=$word ;;\n        esac\n    done\n    case $path in\n", out);
    bash_cases(root, "", out);
    fprintf(out, "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
                 "}\ncomplete -o default -F _%s %s\n", root->name, root->name);
}

void cli_complete_zsh(const struct verb *root, FILE *out)
{
    fprintf(out, "#compdef %s\nautoload -U +X bashcompinit && bashcompinit\n", root->name);
    cli_complete_bash(root, out);
}

/* In single quotes, as fish reads them. */
static void fish_text(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void fish_verb(const char *program, const struct verb *verb, const char *condition,
                      FILE *out)
{
    for (const struct verb *v = verb->verbs; v && v->name; v++) {
        char seen[128];

        fprintf(out, "complete -c %s -f -n '%s' -a %s -d ", program, condition, v->name);
        fish_text(v->summary, out);
        fputc('\n', out);
        snprintf(seen, sizeof seen, "__fish_seen_subcommand_from %s", v->name);
        fish_verb(program, v, seen, out);
    }
    for (const struct option *o = verb->options; o && o->name; o++) {
        fprintf(out, "complete -c %s -n '%s' -l %s -d ", program, condition, o->name);
        fish_text(o->help, out);
        fputs(o->type == OPTION_BOOL ? "\n" : " -r\n", out);
    }
}

void cli_complete_fish(const struct verb *root, FILE *out)
{
    fish_verb(root->name, root, "__fish_use_subcommand", out);
}
