/* cli.h - one table of verbs and options; help, man pages and completions come from it.
 *
 * Options are written as --name value, --name=value, or -n value; one dash does for long names too,
 * as in Go programs. A boolean is --name or --name=true|false. An option that is not given takes its
 * value from its environment variable, then from its file in the configuration directory, then its
 * default. An unknown option or a value of the wrong type is a misuse: exit code 2.
 *
 * Answers go to stdout, talk to stderr; 0 is done, 1 failed, 2 misused.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

enum option_type {
    OPTION_TEXT,
    OPTION_INT,
    OPTION_BOOL,
    OPTION_DURATION,
    OPTION_TEXTS, /* may be given again; every value counts */
};

struct option {
    const char *name;
    char letter; /* '\0': none */
    enum option_type type;
    const char *value;    /* what to call its argument in the help */
    const char *standard; /* default, as text */
    const char *env;      /* environment variable, or NULL */
    const char *file;     /* key in the configuration directory, or NULL */
    const char *choices;  /* "json|yaml", or NULL */
    const char *help;
};

struct verb;

/* One invocation. */
struct cli {
    struct arena *arena;
    const struct verb *root; /* of the whole table */
    const struct verb *verb;
    const char *name; /* "windlass manager" */
    char **args;      /* what is left after the options, NULL-terminated */
    int arg_count;
    const char **values; /* of the verb's options, in their order */
    bool *given;
};

struct verb {
    const char *name;
    const char *args;    /* "FILE...", or NULL for none */
    const char *summary; /* one line */
    const char *description;
    const struct option *options; /* ended by a NULL name */
    const struct verb *verbs;     /* verbs below it, ended by a NULL name; then .run is NULL */
    int (*run)(struct cli *cli);
};

/* Runs argv against the table; returns the exit code. */
int cli_main(const struct verb *root, int argc, char **argv);

/* Values; naming an option that the verb's table does not have ends the process. */
const char *cli_text(const struct cli *cli, const char *name); /* NULL: no value */
/* Every value of an OPTION_TEXTS, in order, ended by NULL. */
const char *const *cli_texts(const struct cli *cli, const char *name);
int64_t cli_int(const struct cli *cli, const char *name);
bool cli_bool(const struct cli *cli, const char *name);
int64_t cli_duration(const struct cli *cli, const char *name); /* microseconds */
bool cli_given(const struct cli *cli, const char *name); /* on the command line */

/* The error on stderr, with how to get help; returns 2. */
int cli_misuse(const struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "windlass verb: error" on stderr; returns 1. */
int cli_fail(const struct cli *cli, const struct error *err);

/* What is made from the table (clidocs.c). */
void cli_help(const struct verb *verb, const char *name, FILE *out);
void cli_man(const struct verb *root, FILE *out);
void cli_complete_bash(const struct verb *root, FILE *out);
void cli_complete_zsh(const struct verb *root, FILE *out);
void cli_complete_fish(const struct verb *root, FILE *out);
