/* uninstall.c - windlass uninstall: what install made, out of the cluster again. */
#include <stdio.h>

#include "base/clock.h"
#include "cli/reach.h"
#include "cli/verbs.h"
#include "ops/install.h"
#include "ops/manifest.h"

static void on_done(void *userdata, const char *line)
{
    (void)userdata;
    reach_progress(NULL);
    puts(line);
}

static int run(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    struct manifest_options place = { .namespace = cli_text(cli, "namespace") };
    struct uninstall_options what = { .with_clusters = cli_bool(cli, "with-clusters"),
                                      .keep_clusters = cli_bool(cli, "keep-clusters"),
                                      .with_crds = cli_bool(cli, "with-crds") };
    struct install in = { .session = &s,
                          .namespace = place.namespace,
                          .force = cli_bool(cli, "force"),
                          .deadline = clock_now() + cli_duration(cli, "timeout"),
                          .on_done = on_done,
                          .on_wait = reach_wait,
                          .userdata = cli };
    struct error err = { 0 };

    if (what.with_clusters && what.keep_clusters)
        return cli_misuse(cli, "--with-clusters and --keep-clusters: which of them?");
    if (manifest_read(cli->arena, &place, &in.resources, &err) < 0)
        return cli_fail(cli, &err);
    if (reach_open(cli, &s))
        return 1;
    if (uninstall(&in, &what, &err) == 0)
        return 0;
    reach_progress(NULL);
    return cli_fail(cli, &err);
}

static const struct option options[] = {
    REACH_OPTIONS,
    REACH_HOME("where operator and webhook live"),
    { .name = "with-clusters",
      .type = OPTION_BOOL,
      .help = "delete every cluster first, with the jobs that run there" },
    { .name = "keep-clusters",
      .type = OPTION_BOOL,
      .help = "leave clusters running with nobody to look after them" },
    { .name = "with-crds",
      .type = OPTION_BOOL,
      .help = "also delete the definitions of the custom resources" },
    REACH_TIMEOUT("5m", "how long to wait for things to go"),
    { .name = "force", .type = OPTION_BOOL, .help = "also what helm or somebody else installed" },
    { 0 },
};

const struct verb uninstall_verb = {
    .name = "uninstall",
    .summary = "take the operator out of a cluster",
    .description =
        "Deletes what install made. While there are clusters it refuses, unless told what is to "
        "become of them. The definitions of the custom resources stay unless asked for, and so "
        "does the namespace when it was there before or holds something else.",
    .options = options,
    .run = run,
};
