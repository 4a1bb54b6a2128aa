/* reach.h - what verbs share that talk to a cluster: how to reach it, and how to tell of progress.
 */
#pragma once
#include "cli/cli.h"
#include "ops/manifest.h"
#include "ops/session.h"

/* Rows of the options. */
/* clang-format off */
#define REACH_OPTIONS                                                                              \
    { .name = "kubeconfig", .value = "FILE",                                                       \
      .help = "how to reach the cluster; as kubectl has it" },                                     \
    { .name = "context", .value = "NAME", .help = "which of its contexts; the current one" }
#define REACH_NAMESPACE                                                                            \
    { .name = "namespace", .letter = 'n', .value = "NAME",                                         \
      .help = "where to look; that of the context" }
#define REACH_HOME(help_)                                                                          \
    { .name = "namespace", .letter = 'n', .value = "NAME", .standard = MANIFEST_NAMESPACE,         \
      .help = help_ }
#define REACH_TIMEOUT(standard_, help_)                                                            \
    { .name = "timeout", .type = OPTION_DURATION, .value = "DURATION", .standard = standard_,      \
      .help = help_ }
/* clang-format on */

/* Opens a session as the options say; 0, or 1 after telling what is wrong. */
int reach_open(struct cli *cli, struct session *s);
/* The namespace as given, else that of the context. */
const char *reach_namespace(const struct cli *cli, const struct session *s);
/* An answer in JSON or YAML, on stdout. */
void reach_print(const struct json *answer, const char *format);

/* One line on a terminal's stderr that each call replaces; nothing where nobody watches. NULL takes
 * it away. */
void reach_progress(const char *line);
/* The same for those who wait for something; userdata does not matter. */
void reach_wait(void *userdata, const char *line);
