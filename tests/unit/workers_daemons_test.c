/* workers_daemons_test.c - one worker on every Kubernetes node that is for it. */
#include <string.h>

#include "base/str.h"
#include "support/test.h"
#include "support/workers.h"
#include "workers/pins.h"
#include "workers/placement.h"

static struct placement *placed(struct arena *a, const char *pod_spec, bool as_daemon)
{
    struct json *spec;
    struct error err = { 0 };

    CHECK_OK(json_parse(a, pod_spec, strlen(pod_spec), &spec, &err), err);
    return placement_of(a, spec, as_daemon);
}

static struct team *daemons_of(struct arena *a, size_t n, const char *pod_spec)
{
    struct team *t = team_of(a, n, 0);

    t->set.mode = WORKERS_PER_NODE;
    t->set.placement = placed(a, pod_spec, true);
    for (size_t i = 0; i < n; i++) {
        t->workers[i].ordinal = -1;
        t->workers[i].host = t->machines[i].hostname;
    }
    return t;
}

static void taint(struct team *t, size_t i, const char *key, const char *effect)
{
    struct k8s_taint_list *list = arena_make(t->arena, struct k8s_taint_list);

    list->v = arena_make(t->arena, struct k8s_taint);
    list->v[0] = (struct k8s_taint) { .key = key, .effect = effect };
    list->n = 1;
    t->machines[i].taints = list;
}

TEST(every_eligible_node_gets_a_worker)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 3, "{}");
    struct plan *plan;

    CHECK(is_empty(plan_make(a, &t->set), t));
    CHECK_INT(plan_make(a, &t->set)->desired, 3);
    t->set.count = 2; /* m-0002 is new */
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->create_on.n, 1);
    CHECK_STR(plan->create_on.v[0], "m-0002");
}

TEST(a_node_that_does_not_match_loses_its_worker_after_a_drain)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 2, "{\"nodeSelector\":{\"gpu\":\"yes\"}}");
    struct plan *plan;

    t->machines[0].labels = pairs_with(a, t->machines[0].labels, "gpu", "yes");
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].leaving == STAYS);
    CHECK(plan->fates[1].leaving == LEAVES_NODE);
    CHECK(plan->fates[1].drains);
    CHECK_INT(plan->desired, 1);
}

TEST(the_worker_of_a_node_that_is_gone_leaves)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 2, "{}");

    t->set.machines.n = 1;
    t->workers[1].machine = NULL;
    CHECK(plan_make(a, &t->set)->fates[1].leaving == LEAVES_NODE);
}

TEST(a_node_in_trouble_keeps_its_worker)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 3, "{}");

    taint(t, 0, "node.kubernetes.io/not-ready", "NoExecute");
    taint(t, 1, "node.kubernetes.io/not-ready", "NoSchedule");
    taint(t, 2, "node.kubernetes.io/disk-pressure", "NoSchedule");
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(taints_keep_new_workers_away_and_only_no_execute_takes_old_ones)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 3, "{}");
    struct plan *plan;

    taint(t, 0, "mine", "NoSchedule");
    taint(t, 1, "mine", "NoExecute");
    taint(t, 2, "mine", "NoSchedule");
    t->set.count = 2;
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].leaving == STAYS);
    CHECK(plan->fates[1].leaving == LEAVES_NODE);
    CHECK_INT(plan->create_on.n, 0);
    t->set.placement =
        placed(a, "{\"tolerations\":[{\"key\":\"mine\",\"operator\":\"Exists\"}]}", true);
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[1].leaving == STAYS);
    CHECK_INT(plan->create_on.n, 1);
}

TEST(a_cordoned_node_keeps_its_worker_and_gets_no_new_one)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 2, "{}");
    struct plan *plan;

    taint(t, 0, "node.kubernetes.io/unschedulable", "NoSchedule");
    taint(t, 1, "node.kubernetes.io/unschedulable", "NoSchedule");
    t->machines[0].cordoned = t->machines[1].cordoned = true;
    t->set.count = 1;
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].leaving == STAYS);
    CHECK_INT(plan->create_on.n, 0);
    CHECK_INT(plan->desired, 1);
}

TEST(of_twins_the_one_that_runs_jobs_stays)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 2, "{}");
    struct plan *plan;

    t->workers[0].target = t->workers[1].target = t->workers[0].node;
    t->workers[1].host = t->workers[0].host;
    t->workers[0].deadline = NOW + 3600 * USEC_SEC;
    t->workers[1].created = NOW;
    t->set.machines.n = 1;
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].leaving == STAYS);
    CHECK(plan->fates[1].leaving == LEAVES_TWIN);
}

TEST(a_worker_with_another_name_than_its_node_asks_for_leaves)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 1, "{}");
    struct plan *plan;

    t->machines[0].hostname = "nice-name";
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].leaving == LEAVES_NAME);
    CHECK_STR(plan->events.v[0].reason, "HostnameMismatch");
}

TEST(failed_daemons_wait_for_their_turn)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = daemons_of(a, 1, "{}");

    t->workers[0].phase = PHASE_FAILED;
    t->workers[0].retry_at = NOW + USEC_SEC;
    CHECK(!plan_make(a, &t->set)->fates[0].delete);
    t->workers[0].retry_at = 0;
    CHECK(plan_make(a, &t->set)->fates[0].delete);
}

/* ------------------------------------------------------------------ placement */

static enum fit fit(struct arena *a, const char *operator, const char * values)
{
    struct machine machine = { .name = "m" };
    const char *spec =
        fmt(a,
            "{\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":"
            "{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"n\",\"operator\":\"%s\","
            "\"values\":%s}]}]}}}}",
            operator, values);

    machine.labels = pairs_with(a, machine.labels, "n", "5");
    return placement_fit(placed(a, spec, false), &machine);
}

TEST(node_affinity_has_six_operators)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK(fit(a, "In", "[\"4\",\"5\"]") == FIT_RUN);
    CHECK(fit(a, "In", "[\"4\"]") == FIT_NEVER);
    CHECK(fit(a, "NotIn", "[\"5\"]") == FIT_NEVER);
    CHECK(fit(a, "NotIn", "[\"4\"]") == FIT_RUN);
    CHECK(fit(a, "Exists", "[]") == FIT_RUN);
    CHECK(fit(a, "DoesNotExist", "[]") == FIT_NEVER);
    CHECK(fit(a, "Gt", "[\"4\"]") == FIT_RUN);
    CHECK(fit(a, "Gt", "[\"5\"]") == FIT_NEVER);
    CHECK(fit(a, "Lt", "[\"6\"]") == FIT_RUN);
    CHECK(fit(a, "Like", "[\"5\"]") == FIT_NEVER);
}

/* ------------------------------------------------------------------ pins */

TEST(a_number_stays_pinned_to_its_node)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 12, 12);
    struct placement *anywhere = placed(a, "{}", false);
    struct pairs pins = pins_of(a, &t->set, anywhere, (struct pairs) { 0 });

    CHECK_INT(pins.n, 12);
    CHECK_STR(pairs_get(pins, "3"), "m-0003");
    CHECK_STR(pairs_get(pins, "11"), "m-0011");
    t->set.count = 2; /* the others are away for a while */
    pins = pins_of(a, &t->set, anywhere, pins);
    CHECK_INT(pins.n, 12);
}

TEST(a_pin_goes_with_its_node)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 3);
    struct placement *picky = placed(a, "{\"nodeSelector\":{\"gpu\":\"yes\"}}", false);
    struct pairs old = { 0 };

    old = pairs_with(a, old, "7", "m-0000");
    old = pairs_with(a, old, "8", "m-0001");
    old = pairs_with(a, old, "9", "nowhere");
    t->machines[0].labels = pairs_with(a, t->machines[0].labels, "gpu", "yes");
    t->set.count = 0;
    old = pins_of(a, &t->set, picky, old);
    CHECK_INT(old.n, 1);
    CHECK_STR(pairs_get(old, "7"), "m-0000");
}

TEST(a_worker_that_runs_elsewhere_moves_its_pin)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);
    struct pairs old = pairs_with(a, (struct pairs) { 0 }, "0", "m-0001");

    t->set.machines.n = 2;
    t->machines[1].name = "m-0001";
    CHECK_STR(pairs_get(pins_of(a, &t->set, placed(a, "{}", false), old), "0"), "m-0000");
}
