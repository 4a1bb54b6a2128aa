/* workers_plan_test.c - how many workers there are, and which of them go. */
#include "base/str.h"
#include "support/test.h"
#include "support/workers.h"
#include "workers/drain.h"
#include "workers/order.h"
#include "workers/stranger.h"

/* ------------------------------------------------------------------ scaling */

TEST(a_set_that_is_as_it_should_be_has_an_empty_plan)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1000, 1000);

    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(scaling_from_0_to_2_makes_numbers_0_and_1)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 0, 2);
    struct plan *plan = plan_make(a, &t->set);

    CHECK_INT(plan->create.n, 2);
    CHECK_INT(plan->create.v[0], 0);
    CHECK_INT(plan->create.v[1], 1);
    CHECK_STR(plan->events.v[0].reason, "ScalingUp");
}

TEST(the_lowest_free_numbers_are_given_out_and_no_name_is_used_twice)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 5);
    struct plan *plan;

    t->workers[1].ordinal = 7;
    t->workers[2].deleting = true; /* its name is taken while it ends */
    t->workers[2].of_this_mode = false;
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->create.n, 3);
    CHECK_INT(plan->create.v[0], 1);
    CHECK_INT(plan->create.v[1], 3);
    CHECK_INT(plan->create.v[2], 4);
}

TEST(workers_are_made_while_slurm_is_silent)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 3);

    slurm_is_silent(t);
    CHECK_INT(plan_make(a, &t->set)->create.n, 2);
}

TEST(scaling_from_3_to_1_drains_before_it_deletes)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 1);
    struct plan *plan = plan_make(a, &t->set);

    CHECK_INT(count_leaving(plan, t, LEAVES_SCALE), 2);
    CHECK_INT(count_deleted(plan, t), 0);
    CHECK(plan->fates[0].leaving == STAYS);
    CHECK_INT(plan->drain.n, 1);
    CHECK_INT(plan->drain.v[0].hosts.n, 2);
    CHECK_STR(plan->drain.v[0].text,
              "slurm-operator: Pod of hpc/gpu is pending termination for scale-in");
    CHECK(plan->fates[1].cordon == CORDON_LEAVES);
    slurm_says(&t->workers[1], "IDLE+DRAIN", plan->drain.v[0].text);
    slurm_says(&t->workers[2], "MIXED+DRAIN", plan->drain.v[0].text);
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[1].delete);
    CHECK(!plan->fates[2].delete); /* a busy node is waited for */
    CHECK(plan->again < USEC_NEVER);
    CHECK_INT(plan->drain.n, 0);
}

TEST(five_hundred_workers_are_drained_with_one_word)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1000, 500);
    struct plan *plan = plan_make(a, &t->set);

    CHECK_INT(plan->drain.n, 1);
    CHECK_INT(plan->drain.v[0].hosts.n, 500);
    CHECK_INT(plan->events.n, 1);
    CHECK_STR(plan->events.v[0].note, "500 are more than wanted");
}

TEST(raising_replicas_again_puts_the_survivors_back_to_work)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 3);
    struct plan *plan;

    slurm_says(&t->workers[2], "IDLE+DRAIN",
               "slurm-operator: Pod of hpc/gpu is pending termination for scale-in");
    t->workers[2].cordon = CORDON_LEAVES;
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->undrain.n, 1);
    CHECK_STR(plan->undrain.v[0], "gpu-2");
    CHECK(plan->fates[2].cordon == CORDON_NONE);
    CHECK(plan->fates[2].leaving == STAYS);
}

TEST(workers_that_end_already_count_as_gone_when_scaling_in)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 2);
    struct plan *plan;

    t->workers[0].deleting = true;
    plan = plan_make(a, &t->set);
    CHECK_INT(count_leaving(plan, t, LEAVES_SCALE), 0);
    CHECK_INT(plan->create.n, 0);
}

TEST(a_choice_once_made_is_kept_while_it_drains)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 2);

    t->workers[0].cordon = CORDON_LEAVES;
    t->workers[0].deadline = NOW + 3600 * USEC_SEC;
    slurm_says(&t->workers[0], "ALLOCATED+DRAIN", "slurm-operator: x");
    CHECK(plan_make(a, &t->set)->fates[0].leaving == LEAVES_SCALE);
}

TEST(events_are_told_once_and_not_on_every_pass)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 1);

    CHECK_INT(plan_make(a, &t->set)->events.n, 1);
    t->workers[1].cordon = CORDON_LEAVES;
    slurm_says(&t->workers[1], "ALLOCATED+DRAIN", "slurm-operator: x");
    CHECK_INT(plan_make(a, &t->set)->events.n, 0);
    slurm_is_silent(t);
    CHECK_INT(plan_make(a, &t->set)->events.n, 0);
}

/* ------------------------------------------------------------------ the gate */

TEST(what_is_not_known_about_slurm_deletes_and_drains_nothing)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 10, 0);
    struct plan *plan;

    slurm_is_silent(t);
    plan = plan_make(a, &t->set);
    CHECK_INT(count_leaving(plan, t, LEAVES_SCALE), 10);
    CHECK_INT(count_deleted(plan, t), 0);
    CHECK_INT(plan->drain.n + plan->undrain.n + plan->resume.n, 0);
}

TEST(a_state_with_a_strange_word_does_not_count_as_drained)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 0);

    slurm_says(&t->workers[0], "IDLE+DRAIN+SHINY", "slurm-operator: x");
    CHECK_INT(count_deleted(plan_make(a, &t->set), t), 0);
}

TEST(a_node_that_slurm_does_not_have_counts_as_drained_if_it_said_so_just_now)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 0);
    struct plan *plan;

    t->workers[0].slurm = (struct slurm_facts) { .registered = ANSWER_NO };
    CHECK_INT(count_deleted(plan_make(a, &t->set), t), 1);
    t->set.slurm_age = ABSENT_AGE + 1;
    plan = plan_make(a, &t->set);
    CHECK_INT(count_deleted(plan, t), 0);
    CHECK(drain_wants_news(plan, &t->set));
}

TEST(a_worker_without_a_node_goes_at_once)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 0);

    slurm_is_silent(t);
    t->workers[0].node = NULL;
    t->workers[0].machine = NULL;
    t->workers[0].phase = PHASE_PENDING;
    CHECK_INT(count_deleted(plan_make(a, &t->set), t), 1);
}

TEST(a_node_that_is_down_and_not_busy_goes_without_a_drain)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 0);
    struct plan *plan;

    slurm_says(&t->workers[0], "DOWN", "bad fan");
    slurm_says(&t->workers[1], "DOWN+COMPLETING", "bad fan");
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].delete);
    CHECK(!plan->fates[1].delete);
}

TEST(the_reason_of_an_administrator_is_kept_when_its_worker_leaves)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 0);
    struct plan *plan;

    slurm_says(&t->workers[0], "IDLE+DRAIN", "bad fan");
    slurm_says(&t->workers[1], "ALLOCATED+DRAIN", "bad fan");
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->drain.n, 0);
    CHECK(plan->fates[0].delete);
    CHECK(!plan->fates[1].delete);
}

TEST(the_reason_of_the_stop_hook_counts_as_ours)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);
    struct plan *plan;

    slurm_says(&t->workers[0], "DOWN", "slurm-operator: Pod is terminating");
    t->workers[0].slurm.reason_time = NOW - 700 * USEC_SEC; /* of the pod before this one */
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->resume.n, 1);
    t->workers[0].slurm.reason_time = NOW; /* this one is being stopped */
    CHECK_INT(plan_make(a, &t->set)->resume.n, 0);
    slurm_says(&t->workers[0], "DOWN", "bad fan");
    t->workers[0].slurm.reason_time = NOW - 700 * USEC_SEC;
    CHECK_INT(plan_make(a, &t->set)->resume.n, 0);
}

/* ------------------------------------------------------------------ repair */

TEST(pods_that_ended_are_replaced_while_a_scale_in_waits_for_a_drain)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 4, 2);
    struct plan *plan;

    t->workers[3].cordon = CORDON_LEAVES;
    slurm_says(&t->workers[3], "ALLOCATED+DRAIN", "slurm-operator: x");
    t->workers[1].phase = PHASE_FAILED;
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[1].delete);
    CHECK_INT(count_leaving(plan, t, LEAVES_SCALE), 1);
}

TEST(a_pod_that_failed_again_waits_for_its_turn)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);
    struct plan *plan;

    t->workers[0].phase = PHASE_FAILED;
    t->workers[0].retry_at = NOW + 8 * USEC_SEC;
    plan = plan_make(a, &t->set);
    CHECK(!plan->fates[0].delete);
    CHECK_INT(plan->again, 8 * USEC_SEC);
    t->set.now += 9 * USEC_SEC;
    CHECK(plan_make(a, &t->set)->fates[0].delete);
}

TEST(workers_of_the_other_mode_leave_once_the_new_ones_are_made)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 1);
    struct plan *plan;

    t->workers[0].of_this_mode = false;
    t->workers[1].of_this_mode = false;
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->create.n, 1);
    CHECK_INT(plan->create.v[0], 2);
    CHECK_INT(count_leaving(plan, t, LEAVES_MODE), 0);
    t->workers[1].of_this_mode = true;
    CHECK_INT(count_leaving(plan_make(a, &t->set), t, LEAVES_MODE), 1);
}

/* ------------------------------------------------------------------ strangers */

TEST(one_worker_that_slurm_does_not_know_is_replaced_after_a_while)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 20, 20);

    t->workers[4].slurm = (struct slurm_facts) { .registered = ANSWER_NO };
    CHECK(plan_make(a, &t->set)->fates[4].leaving == LEAVES_STRANGER);
    t->workers[4].ready_since = NOW - 60 * USEC_SEC;
    CHECK(plan_make(a, &t->set)->fates[4].leaving == STAYS);
}

TEST(a_slurm_that_forgot_all_workers_does_not_delete_them)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 20, 20);

    for (size_t i = 0; i < t->set.count; i++)
        t->workers[i].slurm = (struct slurm_facts) { .registered = ANSWER_NO };
    CHECK_INT(count_leaving(plan_make(a, &t->set), t, STAYS), 20);
    CHECK_INT(stranger_count(&t->set), 20);
}

TEST(strangers_are_replaced_one_at_a_time)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 40, 40);

    t->workers[4].slurm = t->workers[5].slurm = (struct slurm_facts) { .registered = ANSWER_NO };
    CHECK_INT(count_leaving(plan_make(a, &t->set), t, LEAVES_STRANGER), 1);
    t->workers[9].created = NOW - 10 * USEC_SEC; /* one was replaced just now */
    CHECK_INT(count_leaving(plan_make(a, &t->set), t, LEAVES_STRANGER), 0);
}

/* ------------------------------------------------------------------ order */

TEST(the_first_difference_decides_who_leaves_first)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 2);
    struct worker_facts *x = &t->workers[0], *y = &t->workers[1];

    CHECK(order_compare(x, y) > 0); /* the higher number goes first */
    x->ordinal = 1;
    x->ready_since = NOW;
    CHECK(order_compare(x, y) < 0); /* the more recently ready */
    y->cordon = CORDON_NODE;
    CHECK(order_compare(x, y) > 0); /* the cordoned */
    y->deadline = NOW;
    CHECK(order_compare(x, y) < 0); /* the one without jobs */
    x->deletion_cost = 5;
    CHECK(order_compare(x, y) > 0); /* the cheaper */
    x->ready = false;
    CHECK(order_compare(x, y) < 0); /* not ready */
    y->phase = PHASE_PENDING;
    CHECK(order_compare(x, y) > 0); /* pending before running */
    x->phase = PHASE_UNKNOWN;
    CHECK(order_compare(x, y) > 0); /* and before unknown */
    x->node = NULL;
    CHECK(order_compare(x, y) < 0); /* not on a node */
}

/* ------------------------------------------------------------------ the end of a set */

TEST(a_set_that_is_deleted_drains_its_workers_first)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 3);
    struct plan *plan;

    slurm_says(&t->workers[0], "IDLE+DRAIN", "slurm-operator: x");
    slurm_says(&t->workers[1], "ALLOCATED", "");
    plan = plan_farewell(a, &t->set);
    CHECK(plan->fates[0].delete);
    CHECK_INT(plan->drain.n, 1);
    CHECK_INT(plan->drain.v[0].hosts.n, 2);
    CHECK_STR(plan->drain.v[0].text,
              "slurm-operator: Pod of hpc/gpu is pending termination for deletion");
    CHECK_INT(plan->create.n, 0);
}
