/* scale.c - windlass scale: more or fewer workers. */
#include <errno.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/str.h"
#include "cli/reach.h"
#include "cli/verbs.h"
#include "kinds.h"
#include "ops/target.h"
#include "slinky/nodeset.h"

#define LOOK_EVERY (500 * USEC_MSEC)
enum { REPLICAS_MAX = 65536, NAMES_MAX = 5 };

/* NULL when it cannot be had, with the story in err. */
static struct slinky_nodeset *find_set(struct session *s, const char *namespace, const char *name,
                                       struct error *err)
{
    void *object = NULL;
    int rc = client_get(s->client, s->arena, &slinky_nodeset_kind, namespace, name, &object, err);

    if (rc == -ENOENT)
        fail(err, rc,
             "there is no NodeSet '%s' in namespace %s; 'windlass status' shows those that there "
             "are",
             name, namespace);
    return rc == 0 ? object : NULL;
}

/* Which jobs may delay a smaller set. The operator chooses who goes, idle workers first, so all
 * that can be said is who is busy. */
static void tell_delay(struct session *s, const struct slinky_nodeset *set, int64_t fewer)
{
    struct objects pods = { 0 };
    size_t busy = 0, unknown = 0;

    if (target_pods(s, set->meta.namespace, daemon_kind_of("nodeset"), set->meta.name, &pods, NULL))
        return;
    for_each (object, pods) {
        struct worker_view w = worker_view_of(s->arena, *object, false);

        unknown += w.busy == UNSET;
        if (w.busy == YES && busy++ < NAMES_MAX)
            printf("  %s runs jobs%s%s\n", w.name, w.deadline ? ", at the latest until " : "",
                   w.deadline ? time_text(s->arena, w.deadline, false) : "");
    }
    if (busy > NAMES_MAX)
        printf("  and %zu more\n", busy - NAMES_MAX);
    if (unknown)
        printf("  of %zu workers it is not known what they do; those stay until it is\n", unknown);
    if ((int64_t)(pods.n - busy - unknown) < fewer)
        printf("%lld workers go: idle ones at once, busy ones when their jobs end\n",
               (long long)fewer);
    else
        printf("%lld workers go; idle ones come first\n", (long long)fewer);
}

static int set_replicas(struct session *s, const struct slinky_nodeset *set, int64_t replicas,
                        struct error *err)
{
    struct arena *a = s->arena;
    struct json *patch = json_object(a), *spec = json_object(a);

    json_set(a, spec, "replicas", json_int(a, replicas));
    json_set(a, patch, "spec", spec);
    return session_patch(s, &slinky_nodeset_kind, set->meta.namespace, set->meta.name, "scale",
                         patch, err);
}

static bool is_settled(const struct slinky_nodeset *set, int64_t replicas)
{
    return int_or(set->status.observed_generation, 0) >= int_or(set->meta.generation, 0) &&
           int_or(set->status.replicas, -1) == replicas &&
           int_or(set->status.ready_replicas, 0) == replicas;
}

static int wait_settled(struct cli *cli, struct session *s, const char *name, int64_t replicas,
                        struct error *err)
{
    usec deadline = clock_now() + cli_duration(cli, "timeout");

    for (;;) {
        scoped(arena) struct arena *a = arena_new();
        struct session round = session_round(s, a);
        const struct slinky_nodeset *set = find_set(&round, reach_namespace(cli, s), name, err);
        const char *now;

        if (!set)
            return err->code;
        if (is_settled(set, replicas)) {
            reach_progress(NULL);
            printf("%s has %lld workers, all ready\n", name, (long long)replicas);
            return 0;
        }
        now = fmt(a, "%s has %lld of %lld workers ready, and %lld pods", name,
                  (long long)int_or(set->status.ready_replicas, 0), (long long)replicas,
                  (long long)int_or(set->status.replicas, 0));
        if (clock_now() > deadline)
            return fail(
                err, -ETIMEDOUT,
                "%s; it goes on by itself: look with 'windlass status', or wait longer with "
                "--timeout",
                now);
        reach_progress(now);
        session_pause(LOOK_EVERY);
    }
}

static int scale(struct cli *cli, struct session *s, const char *name, int64_t replicas,
                 struct error *err)
{
    const struct slinky_nodeset *set = find_set(s, reach_namespace(cli, s), name, err);
    int64_t now;

    if (!set)
        return err->code;
    if (str_eq(set->spec.scaling_mode, "DaemonSet"))
        return fail(err, -EINVAL,
                    "NodeSet %s has a worker on every eligible node: label or taint "
                    "nodes instead",
                    name);
    now = int_or(set->spec.replicas, 1);
    if (now == replicas) {
        printf("%s: is set to %lld already\n", name, (long long)replicas);
    } else {
        if (set_replicas(s, set, replicas, err) < 0)
            return err->code;
        printf("%s: from %lld to %lld\n", name, (long long)now, (long long)replicas);
        if (replicas < now)
            tell_delay(s, set, now - replicas);
    }
    return cli_bool(cli, "wait") ? wait_settled(cli, s, name, replicas, err) : 0;
}

static int run(struct cli *cli)
{
    scoped(session) struct session s = { 0 };
    struct error err = { 0 };
    int64_t replicas = -1;
    const char *name;

    if (cli->arg_count != 2)
        return cli_misuse(cli, "name a NodeSet and how many workers it should have");
    if (!str_int(cli->args[1], &replicas) || replicas < 0 || replicas > REPLICAS_MAX)
        return cli_misuse(cli, "'%s' is not a number from 0 to %d", cli->args[1], REPLICAS_MAX);
    name =
        str_starts(cli->args[0], "nodeset/") ? cli->args[0] + sizeof "nodeset/" - 1 : cli->args[0];
    if (reach_open(cli, &s))
        return 1;
    if (scale(cli, &s, name, replicas, &err) == 0)
        return 0;
    reach_progress(NULL);
    return cli_fail(cli, &err);
}

static const struct option options[] = {
    REACH_OPTIONS,
    REACH_NAMESPACE,
    { .name = "wait", .type = OPTION_BOOL, .help = "until there are as many, and all are ready" },
    REACH_TIMEOUT("10m", "how long to wait with --wait"),
    { 0 },
};

const struct verb scale_verb = {
    .name = "scale",
    .args = "NODESET N",
    .summary = "give a node set more or fewer workers",
    .description = "Sets how many workers a NodeSet has. A smaller set drains those that go and "
                   "waits for their "
                   "jobs; it says which workers are busy, and until when at the latest.",
    .options = options,
    .run = run,
};
