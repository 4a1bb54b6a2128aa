/* flags.h - what the options of several long-running verbs mean. */
#pragma once
#include "cli/cli.h"
#include "json/table.h"

/* Rows of the log's options, as controller-runtime programs have them. */
#define FLAGS_LOG                                                                                  \
    { .name = "zap-log-level", .value = "LEVEL", .standard = "info",                               \
      .help = "debug, info, error, panic, or a number: the higher, the more" },                    \
    { .name = "zap-encoder", .value = "FORMAT", .choices = "json|console",                         \
      .help = "how to write the log; console with --zap-devel" },                                  \
    { .name = "zap-devel", .type = OPTION_BOOL, .help = "log for developers" },                    \
    { .name = "zap-stacktrace-level", .value = "LEVEL",                                            \
      .help = "accepted for compatibility; there are no stack traces" },                           \
    { .name = "zap-time-encoding", .value = "FORMAT",                                              \
      .help = "accepted for compatibility; times are RFC 3339" }

/* Configures the log by them; 0, or 2 after telling what is wrong. */
int flags_log(struct cli *cli);
/* "a, b" as a list; empty parts are left out. */
struct strs flags_list(struct cli *cli, const char *name);
