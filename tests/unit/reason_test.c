/* reason_test.c - who owns a drain, and who may lift it. */
#include <string.h>

#include "slurm/reason.h"
#include "support/test.h"

TEST(reason_tells_who_wrote_it)
{
    CHECK_STR(drain_owner_name(reason_owner("slurm-operator: Pod (a/b) was cordoned")), "slinky");
    CHECK_STR(drain_owner_name(reason_owner("slurm-operator:no blank")), "person");
    CHECK_STR(drain_owner_name(reason_owner("[node_problem] disk: full [prolog]")), "soperator");
    CHECK_STR(drain_owner_name(reason_owner("soperator rolling update")), "soperator");
    CHECK_STR(drain_owner_name(reason_owner("windlass: gpu 3 fell off")), "windlass");
    CHECK_STR(drain_owner_name(reason_owner("Not responding")), "slurm");
    CHECK_STR(
        drain_owner_name(reason_owner("gres/gpu count reported lower than configured (0 < 2)")),
        "slurm");
    CHECK_STR(drain_owner_name(reason_owner("bad fan, ticket 4711")), "person");
    CHECK_STR(drain_owner_name(reason_owner("")), "nobody");
    CHECK_STR(drain_owner_name(reason_owner(NULL)), "nobody");
    CHECK_STR(reason_marker("x [compute_maintenance] node reboot process"),
              "[compute_maintenance] node reboot process");
    CHECK_STR(reason_marker("bad fan"), "");
}

TEST(reason_is_cleaned_and_cut_by_characters)
{
    scoped(arena) struct arena *a = arena_new();
    char wide[1024] = "";

    CHECK_STR(reason_clean(a, " \tdisk\nfull\r\x01 now  "), "disk full  now");
    CHECK_STR(reason_clean(a, " \n "), "unknown");
    CHECK_STR(reason_clean(a, NULL), "unknown");
    for (int i = 0; i < 300; i++)
        strcat(wide, "ü");
    CHECK_INT(strlen(reason_clean(a, wide)), 2 * REASON_MAX);
    CHECK_STR(reason_sign(a, DRAIN_BY_SLINKY, "Pod is terminating"),
              "slurm-operator: Pod is terminating");
    CHECK_STR(reason_sign(a, DRAIN_BY_SOPERATOR, "[user_problem] x"), "[user_problem] x");
}

static struct drain_plan drain(struct arena *a, const char *state, const char *reason,
                               bool override)
{
    return reason_plan_drain(a, DRAIN_BY_SLINKY, node_state_of_text(state), reason, "cordoned",
                             override);
}

TEST(drain_keeps_the_reason_that_stands)
{
    scoped(arena) struct arena *a = arena_new();
    struct drain_plan plan = drain(a, "IDLE", "", false);

    CHECK(plan.call);
    CHECK_STR(plan.reason, "slurm-operator: cordoned");
    plan = drain(a, "IDLE", "bad fan", false);
    CHECK(plan.call);
    CHECK_STR(plan.reason, "bad fan");
    CHECK(!drain(a, "IDLE+DRAIN", "bad fan", false).call);
    CHECK(!drain(a, "IDLE+DRAIN", "slurm-operator: cordoned", true).call);
    plan = drain(a, "IDLE+DRAIN", "slurm-operator: other", true);
    CHECK(plan.call);
    CHECK_STR(plan.reason, "slurm-operator: cordoned");
    CHECK(drain(a, "IDLE+DRAIN+UNDRAIN", "slurm-operator: cordoned", false).call);
}

static bool undrains(struct arena *a, const char *state, const char *reason)
{
    return reason_plan_undrain(a, DRAIN_BY_SLINKY, node_state_of_text(state), reason, NULL).call;
}

TEST(undrain_lifts_only_what_is_ours)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK(undrains(a, "IDLE+DRAIN", "slurm-operator: x"));
    CHECK(undrains(a, "IDLE+DRAIN", ""));
    CHECK(!undrains(a, "IDLE+DRAIN", "bad fan"));
    CHECK(!undrains(a, "IDLE+DRAIN", "[node_problem] x"));
    CHECK(!undrains(a, "IDLE+DRAIN", "Not responding"));
    CHECK(!undrains(a, "IDLE", "slurm-operator: x"));
    CHECK(!undrains(a, "IDLE+DRAIN+UNDRAIN", "slurm-operator: x"));
    CHECK(!undrains(a, "", "slurm-operator: x"));
    CHECK(!undrains(a, "IDLE+DRAIN+QUANTUM", "slurm-operator: x"));
}
