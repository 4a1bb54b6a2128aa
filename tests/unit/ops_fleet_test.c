/* ops_fleet_test.c - workers and clusters as the API server tells of them. */
#include <string.h>

#include "base/str.h"
#include "ops/columns.h"
#include "ops/fleet.h"
#include "ops/target.h"
#include "support/test.h"
#include "json/yaml.h"

static const struct k8s_pod *pod(struct arena *a, const char *conditions, const char *notes)
{
    const char *text = fmt(a,
                           "{metadata: {name: gpu-0, namespace: hpc, labels: "
                           "{app.kubernetes.io/instance: gpu}, annotations: {%s}}, spec: "
                           "{nodeName: n0, hostname: node-0}, status: {conditions: [%s]}}",
                           notes, conditions);
    struct k8s_pod *ret = arena_make(a, struct k8s_pod);
    struct json *documents = NULL;
    struct error err = { 0 };

    CHECK_OK(yaml_parse(a, text, strlen(text), &documents, &err), err);
    CHECK_OK(table_read_json(a, &k8s_pod_type, json_item(documents, 0), ret, &err), err);
    return ret;
}

#define IS(type_) "{type: " type_ ", status: 'True'},"
#define IS_NOT(type_) "{type: " type_ ", status: 'False'},"
#define DRAINED_BY(why)                                                                            \
    IS("SlurmNodeStateIdle")                                                                       \
    IS_NOT("SlurmNodeBusy") "{type: SlurmNodeStateDrain, status: 'True', message: '" why "'},"

TEST(a_worker_of_which_slurm_says_nothing_is_unknown)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker_view w = worker_view_of(a, pod(a, "", ""), false);
    struct count_view count = { 0 };

    CHECK_STR(w.state, "unknown");
    CHECK(w.busy == UNSET && w.drain == UNSET && w.down == UNSET && w.drained == UNSET);
    count_worker(&count, &w);
    CHECK(count.unknown == 1 && count.idle == 0 && count.busy == 0);
}

TEST(a_worker_is_what_its_conditions_say)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker_view w = worker_view_of(
        a, pod(a, IS("SlurmNodeStateMixed") IS("SlurmNodeStateDrain") IS("SlurmNodeBusy"), ""),
        false);

    CHECK_STR(w.state, "mixed+drain");
    CHECK_STR(w.name, "node-0");
    CHECK(w.busy == YES && w.drain == YES && w.down == NO);
    CHECK(worker_is_called(&w, "gpu-0") && worker_is_called(&w, "node-0"));
    CHECK(!worker_is_called(&w, "n0"));
}

TEST(a_worker_that_does_not_answer_is_not_idle)
{
    scoped(arena) struct arena *a = arena_new();
    const char *conditions =
        IS("SlurmNodeStateIdle") IS("SlurmNodeStateNotResponding") IS_NOT("SlurmNodeBusy");
    struct worker_view w = worker_view_of(a, pod(a, conditions, ""), false);
    struct count_view count = { 0 };

    count_worker(&count, &w);
    CHECK_STR(w.state, "idle+notresponding");
    CHECK(count.nodes == 1 && count.idle == 0);
}

TEST(what_the_operator_has_not_heard_of_lately_is_unknown)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker_view w =
        worker_view_of(a, pod(a, IS("SlurmNodeStateIdle") IS_NOT("SlurmNodeBusy"), ""), true);

    CHECK_STR(w.state, "unknown");
    CHECK(w.busy == UNSET);
}

TEST(undrain_lifts_our_own_cordon_and_nobody_elses)
{
    scoped(arena) struct arena *a = arena_new();
    static const char ours[] = "nodeset.slinky.slurm.net/pod-cordon: 'true'";
    static const struct {
        const char *reason, *why, *word;
    } cases[] = {
        { "slurm-operator: Pod (hpc/gpu-0) was cordoned", "", NULL },
        { "bad fan", "", "scontrol update nodename=node-0 state=resume" },
        { "Not responding", "", "someone else (slurm" },
        { "", ", windlass.dev/cordon: node", "kubectl uncordon n0" },
        { "", ", windlass.dev/cordon: leaving", "scale that up" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const char *conditions = fmt(a, DRAINED_BY("%s"), cases[i].reason);
        struct worker_view w =
            worker_view_of(a, pod(a, conditions, fmt(a, "%s%s", ours, cases[i].why)), false);
        const char *refusal = worker_refuses_undrain(a, &w);

        CHECK(!cases[i].word == !refusal);
        CHECK(!refusal || strstr(refusal, cases[i].word));
    }
}

TEST(the_outlook_of_a_drain_never_takes_unknown_for_idle)
{
    scoped(arena) struct arena *a = arena_new();
    struct worker_view w = worker_view_of(a, pod(a, "", ""), false);

    CHECK(strstr(worker_drain_outlook(a, &w), "not known"));
    w.busy = NO;
    CHECK(strstr(worker_drain_outlook(a, &w), "none runs"));
    w.busy = YES;
    CHECK(time_parse("2026-01-02T03:04:05Z", &w.deadline));
    CHECK(strstr(worker_drain_outlook(a, &w), "2026-01-02T03:04:05Z"));
}

TEST(health_is_unknown_until_the_operator_looked_at_the_newest_generation)
{
    struct k8s_condition ready = { .type = "Ready",
                                   .status = "True",
                                   .observed_generation = SOME(1) };
    struct k8s_condition_list one = { &ready, 1 }, none = { 0 };

    CHECK_STR(health_of(&one, 1).state, "ready");
    CHECK_STR(health_of(&one, 2).state, "unknown");
    CHECK_STR(health_of(&none, 1).state, "unknown");
    ready.status = "False";
    ready.message = "no key";
    CHECK_STR(health_of(&one, 1).state, "not ready");
    CHECK_STR(health_of(&one, 1).message, "no key");
}

TEST(columns_are_as_wide_as_their_widest_cell)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf out = { 0 };
    struct columns table = columns_new(a, (const char *const[]) { "A", "LONG", "C", NULL });

    COLUMNS_ADD(&table, "wider", "x", NULL);
    COLUMNS_ADD(&table, "y", NULL, "last");
    columns_write(&table, &out);
    CHECK_STR(buf_text(&out), "A      LONG  C\nwider  x\ny            last\n");
}

TEST(many_healthy_nodes_are_counted_and_those_in_trouble_listed)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf out = { 0 };
    struct worker_view workers[40];
    struct set_view set = { .namespace = "hpc",
                            .name = "gpu",
                            .cluster = "c",
                            .health = { "ready", NULL },
                            .workers = { workers, 40 } };
    struct cluster_view cluster = {
        .namespace = "hpc", .name = "c", .health = { "ready", NULL }, .sets = { &set, 1 }
    };
    struct fleet fleet = { .clusters = { &cluster, 1 } };

    for (size_t i = 0; i < ARRAY_SIZE(workers); i++) {
        workers[i] =
            worker_view_of(a, pod(a, IS("SlurmNodeStateIdle") IS_NOT("SlurmNodeBusy"), ""), false);
        workers[i].name = fmt(a, "w%zu", i);
        if (i == 7)
            workers[i].down = YES;
        count_worker(&cluster.count, &workers[i]);
    }
    fleet_write_text(a, &fleet, false, &out);
    CHECK(strstr(buf_text(&out), "\nw7 ") && !strstr(buf_text(&out), "\nw8 "));
    CHECK(strstr(buf_text(&out), "39 nodes that are well are not listed"));
    buf_clear(&out);
    fleet_write_text(a, &fleet, true, &out);
    CHECK(strstr(buf_text(&out), "\nw8 "));
    CHECK_INT(json_count(json_at(fleet_json(a, &fleet), "clusters.0.nodeSets.0.nodes")), 40);
}

TEST(jobs_that_are_not_known_are_not_none)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf out = { 0 };
    struct slurm_job job = { .id = 7,
                             .array_task = JOB_NO_TASK,
                             .name = "train",
                             .user = "ann",
                             .partition = "all",
                             .state = job_state_of_text("PENDING"),
                             .state_reason = "Resources",
                             .nodes = "",
                             .node_count = 2 };
    struct cluster_view clusters[] = {
        { .namespace = "a",
          .name = "c",
          .health = { "ready", NULL },
          .jobs_asked = true,
          .jobs_problem = "forbidden" },
        { .namespace = "b",
          .name = "c",
          .health = { "ready", NULL },
          .jobs_asked = true,
          .jobs = { &job, 1 } },
        { .namespace = "d", .name = "c", .health = { "ready", NULL }, .jobs_asked = true },
    };
    struct fleet fleet = { .clusters = { clusters, ARRAY_SIZE(clusters) } };
    struct json *v = fleet_json(a, &fleet);

    fleet_write_text(a, &fleet, false, &out);
    CHECK(strstr(buf_text(&out), "a/c: its jobs are not known: forbidden"));
    CHECK(strstr(buf_text(&out), "PENDING  2      (Resources)"));
    CHECK(strstr(buf_text(&out), "d/c: no jobs"));
    CHECK(json_at(v, "clusters.0.jobs")->type == JSON_NULL);
    CHECK_STR(json_str_or(json_at(v, "clusters.1.jobs.0.job"), NULL), "7");
    CHECK_INT(json_at(v, "clusters.2.jobs")->type, JSON_ARRAY);
}

TEST(targets_are_named_as_people_say_them)
{
    scoped(arena) struct arena *a = arena_new();
    const struct daemon_kind *kind;
    const char *name;

    CHECK_INT(target_parse(a, "nodeset/gpu", &kind, &name, NULL), 0);
    CHECK_STR(kind->daemon, "slurmd");
    CHECK_STR(name, "gpu");
    CHECK_INT(target_parse(a, "Controllers", &kind, &name, NULL), 0);
    CHECK(!name && str_eq(kind->word, "controller"));
    CHECK(target_parse(a, "pod/x", &kind, &name, NULL) < 0);
}
