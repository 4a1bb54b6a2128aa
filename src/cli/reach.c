/* reach.c - what verbs share that talk to a cluster. */
#include "cli/reach.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"
#include "json/yaml.h"

int reach_open(struct cli *cli, struct session *s)
{
    struct error err = { 0 };

    if (session_open(s, cli->arena, cli_text(cli, "kubeconfig"), cli_text(cli, "context"), &err) ==
        0)
        return 0;
    return cli_fail(cli, &err);
}

const char *reach_namespace(const struct cli *cli, const struct session *s)
{
    return cli_text(cli, "namespace") ?: s->config.namespace;
}

void reach_print(const struct json *answer, const char *format)
{
    scoped(buf) struct buf out = { 0 };

    if (str_eq(format, "yaml"))
        yaml_write(answer, &out);
    else
        json_write(answer, JSON_PRETTY, &out);
    fputs(buf_text(&out), stdout);
    if (!str_eq(format, "yaml"))
        fputc('\n', stdout);
}

static int width_of_terminal(void)
{
    struct winsize size = { 0 };

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col - 1 : 79;
}

void reach_progress(const char *line)
{
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K%.*s", width_of_terminal(), line ?: "");
    fflush(stderr);
}

void reach_wait(void *userdata, const char *line)
{
    (void)userdata;
    reach_progress(line);
}
