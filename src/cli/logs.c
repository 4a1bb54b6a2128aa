/* logs.c - windlass logs: what the daemons of a cluster print. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/reach.h"
#include "cli/verbs.h"
#include "kinds.h"
#include "ops/logs.h"
#include "ops/manifest.h"
#include "ops/target.h"

/* Our own programs, which are Deployments and no resources of ours. */
static const struct daemon_kind own[] = {
    { "operator", NULL, MANIFEST_OPERATOR, "slurm-operator" },
    { "webhook", NULL, MANIFEST_WEBHOOK, "webhook" },
};

struct choice {
    const struct daemon_kind *kind;
    const char *namespace;
    struct objects pods;
};

static int find_own(struct cli *cli, struct session *s, const char *word, struct choice *ret,
                    struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE(own); i++)
        if (str_eq(word, own[i].word)) {
            ret->kind = &own[i];
            ret->namespace = cli_text(cli, "namespace") ?: MANIFEST_NAMESPACE;
            return target_pods(s, ret->namespace, ret->kind, NULL, &ret->pods, err);
        }
    return -ENOENT;
}

static int find_worker(struct session *s, const char *name, struct choice *ret, struct error *err)
{
    struct worker_view w;
    int rc = target_worker(s, ret->namespace, name, &w, err);

    if (rc < 0)
        return rc;
    ret->kind = daemon_kind_of("nodeset");
    ret->pods.v = arena_make_n(s->arena, const void *, 1);
    ret->pods.v[ret->pods.n++] = w.pod;
    return 0;
}

/* operator, webhook; KIND or KIND/NAME; "login" and "worker" as people say; or the name of a
 * worker. */
static int find(struct cli *cli, struct session *s, const char *target, struct choice *ret,
                struct error *err)
{
    const char *text = str_eq(target, "worker") ? "nodeset" : target;
    const char *name;
    int rc = find_own(cli, s, text, ret, err);

    if (rc != -ENOENT || ret->kind)
        return rc;
    ret->namespace = reach_namespace(cli, s);
    if (target_parse(cli->arena, text, &ret->kind, &name, NULL) == 0)
        return target_pods(s, ret->namespace, ret->kind, name, &ret->pods, err);
    rc = find_worker(s, target, ret, err);
    if (rc == -ENOENT)
        return wrap(err, "'%s' is neither operator, webhook, worker, nor one of %s", target,
                    daemon_kind_words(cli->arena));
    return rc;
}

static int copy(struct cli *cli, struct session *s, const struct choice *choice, size_t i,
                struct error *err)
{
    const struct k8s_pod *pod = choice->pods.v[i];
    struct logs_options options = {
        .namespace = choice->namespace,
        .pod = pod->meta.name,
        .container = cli_text(cli, "container") ?: choice->kind->container,
        .follow = cli_bool(cli, "follow"),
        .previous = cli_bool(cli, "previous"),
        .tail = cli_int(cli, "tail"),
        .since = cli_duration(cli, "since"),
        .fd = STDOUT_FILENO,
    };

    if (choice->pods.n > 1)
        fprintf(stderr, "==> %s %s <==\n", pod->meta.name, options.container);
    return logs_copy(s, &options, err);
}

static int copy_all(struct cli *cli, struct session *s, const struct choice *choice,
                    struct error *err)
{
    const struct k8s_pod *first = choice->pods.v[0];

    if (cli_bool(cli, "follow") && choice->pods.n > 1)
        return fail(err, -EINVAL, "%zu pods answer to that: to follow one, name it, such as %s",
                    choice->pods.n, first->meta.name);
    for (size_t i = 0; i < choice->pods.n; i++) {
        int rc = copy(cli, s, choice, i, err);

        if (rc < 0)
            return rc == -EPIPE ? 0 : rc;
    }
    return 0;
}

static int run(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    struct choice choice = { 0 };
    struct error err = { 0 };

    if (cli->arg_count != 1)
        return cli_misuse(cli,
                          "whose log? operator, webhook, worker, a worker's name, or one of %s",
                          daemon_kind_words(cli->arena));
    if (reach_open(cli, &s))
        return 1;
    if (find(cli, &s, cli->args[0], &choice, &err) < 0 || copy_all(cli, &s, &choice, &err) < 0)
        return cli_fail(cli, &err);
    return 0;
}

static const struct option options[] = {
    REACH_OPTIONS,
    REACH_NAMESPACE,
    { .name = "container",
      .letter = 'c',
      .value = "NAME",
      .help = "which container, such as logfile; the daemon's own" },
    { .name = "follow", .letter = 'f', .type = OPTION_BOOL, .help = "go on as more is printed" },
    { .name = "previous",
      .letter = 'p',
      .type = OPTION_BOOL,
      .help = "of the container before it was started again" },
    { .name = "tail",
      .type = OPTION_INT,
      .value = "N",
      .standard = "-1",
      .help = "only the last N lines; -1 for all" },
    { .name = "since",
      .type = OPTION_DURATION,
      .value = "DURATION",
      .standard = "0",
      .help = "only what is younger" },
    { 0 },
};

const struct verb logs_verb = {
    .name = "logs",
    .args = "TARGET",
    .summary = "print what a daemon logs",
    .description = "Prints the log of the operator, the webhook, a worker by the name of its pod "
                   "or of its node "
                   "in Slurm, or of a resource as KIND or KIND/NAME: controller, nodeset, "
                   "loginset, accounting, "
                   "restapi.",
    .options = options,
    .run = run,
};
