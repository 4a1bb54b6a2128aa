/* status.c - windlass status: clusters, node sets and nodes at a glance. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "cli/reach.h"
#include "cli/verbs.h"
#include "ops/fleet.h"

#define INTERVAL_LEAST (200 * USEC_MSEC)

static int look(struct cli *cli, struct session *s, const char *namespace, struct buf *out,
                struct error *err)
{
    struct fleet fleet;
    bool json = str_eq(cli_text(cli, "output"), "json");
    int rc = fleet_look(s, namespace, &fleet, err);

    if (rc == -ENOENT)
        return fail(err, rc,
                    "this cluster has no kinds of slinky.slurm.net: run 'windlass install'");
    if (rc < 0)
        return rc;
    if (cli_bool(cli, "jobs"))
        fleet_look_jobs(s, &fleet);
    if (json)
        json_write(fleet_json(s->arena, &fleet),
                   cli_bool(cli, "watch") ? JSON_COMPACT : JSON_PRETTY, out);
    else
        fleet_write_text(s->arena, &fleet, cli_bool(cli, "nodes"), out);
    if (json)
        buf_char(out, '\n');
    return 0;
}

/* A terminal shows the present; a file or pipe gets one more answer whenever something changed. */
static void show(const struct buf *answer)
{
    if (isatty(STDOUT_FILENO))
        fputs("\033[H\033[2J", stdout);
    fputs(buf_text(answer), stdout);
    fflush(stdout);
}

static int watch(struct cli *cli, struct session *s, const char *namespace, struct error *err)
{
    scoped(buf) struct buf last = { 0 };
    usec pause = cli_duration(cli, "interval");

    while (!ferror(stdout)) {
        scoped(arena) struct arena *a = arena_new();
        scoped(buf) struct buf now = { 0 };
        struct session round = session_round(s, a);
        int rc = look(cli, &round, namespace, &now, err);
        if (rc < 0)
            return rc;
        if (!str_eq(buf_text(&now), buf_text(&last)))
            show(&now);
        buf_done(&last);
        last = take(now);
        session_pause(pause);
    }
    return 0;
}

static int run(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    scoped(buf) struct buf out = { 0 };
    struct error err = { 0 };
    const char *namespace;
    int rc;

    if (cli_duration(cli, "interval") < INTERVAL_LEAST)
        return cli_misuse(cli, "--interval: less than 200ms only keeps the server busy");
    if (reach_open(cli, &s))
        return 1;
    namespace = cli_bool(cli, "all-namespaces") ? NULL : reach_namespace(cli, &s);
    rc = cli_bool(cli, "watch") ? watch(cli, &s, namespace, &err)
                                : look(cli, &s, namespace, &out, &err);
    if (rc < 0)
        return cli_fail(cli, &err);
    fputs(buf_text(&out), stdout);
    return 0;
}

static const struct option options[] = {
    REACH_OPTIONS,
    REACH_NAMESPACE,
    { .name = "all-namespaces", .letter = 'A', .type = OPTION_BOOL, .help = "look everywhere" },
    { .name = "nodes",
      .type = OPTION_BOOL,
      .help = "list every node, not only those in trouble, however many there are" },
    { .name = "jobs",
      .letter = 'j',
      .type = OPTION_BOOL,
      .help = "also what is queued and runs; needs to read the cluster's JWT key" },
    { .name = "watch",
      .letter = 'w',
      .type = OPTION_BOOL,
      .help = "go on looking, and print again what changed" },
    { .name = "interval",
      .type = OPTION_DURATION,
      .value = "DURATION",
      .standard = "2s",
      .help = "how often to look with --watch" },
    { .name = "output",
      .letter = 'o',
      .value = "FORMAT",
      .standard = "table",
      .choices = "table|json",
      .help = "how to print it" },
    { 0 },
};

const struct verb status_verb = {
    .name = "status",
    .summary = "show clusters, node sets and nodes",
    .description =
        "Shows what there is and how it fares, from the custom resources and from the state in "
        "Slurm that the operator keeps on worker pods. A node is busy when a job runs there. What "
        "the "
        "operator has not heard of lately is unknown. Slurm itself is asked only for --jobs.",
    .options = options,
    .run = run,
};
