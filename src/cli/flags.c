/* flags.c - options of several verbs, read. */
#include "cli/flags.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"

struct strs flags_list(struct cli *cli, const char *name)
{
    struct strs list = { 0 };
    char *copy = arena_str(cli->arena, cli_text(cli, name) ?: "");
    char *rest = NULL;

    list.v = arena_make_n(cli->arena, const char *, strlen(copy) + 1);
    for (char *word = strtok_r(copy, ", \t", &rest); word; word = strtok_r(NULL, ", \t", &rest))
        list.v[list.n++] = word;
    return list;
}

int flags_log(struct cli *cli)
{
    const char *text = cli_text(cli, "zap-log-level");
    enum log_level level = LOG_INFO;
    bool devel = cli_bool(cli, "zap-devel");
    const char *encoder = cli_text(cli, "zap-encoder") ?: devel ? "console" : "json";
    int64_t number;

    if (str_int(text, &number))
        level = number > 1 ? LOG_TRACE : number == 1 ? LOG_DEBUG : LOG_INFO;
    else if (str_eq(text, "panic"))
        level = LOG_ERROR;
    else if (text && !log_level_parse(text, &level))
        return cli_misuse(cli, "--zap-log-level: '%s' is not debug, info, error, panic or a number",
                          text);
    log_configure(devel && level < LOG_DEBUG ? LOG_DEBUG : level,
                  str_eq(encoder, "console") ? LOG_TEXT : LOG_JSON);
    return 0;
}
