/* workers_cordon_test.c - cordons become drains, and go with their cause. */
#include "support/test.h"
#include "support/workers.h"
#include "workers/cordon.h"

TEST(a_cordoned_node_drains_its_worker_with_the_bare_fact)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 2);
    struct plan *plan;

    t->machines[1].cordoned = true;
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->drain.n, 1);
    CHECK_STR(plan->drain.v[0].text, "slurm-operator: Node (m-0001) was cordoned, "
                                     "Pod (hpc/gpu-1) must be cordoned");
    CHECK(plan->fates[1].cordon == CORDON_NODE);
    CHECK_INT(plan->events.n, 1);
    CHECK_STR(plan->events.v[0].reason, "NodeCordon");
}

TEST(a_cordoned_node_says_why_by_annotation_before_its_conditions)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 2);
    struct plan *plan;

    t->machines[0].cordoned = t->machines[1].cordoned = true;
    t->machines[0].cordon_reason = " disk\tfull\n";
    t->machines[0].conditions = "(A: b)";
    t->machines[1].conditions = "(A: b); (C: d)";
    plan = plan_make(a, &t->set);
    CHECK_STR(plan->drain.v[0].text, "slurm-operator: disk full");
    CHECK_STR(plan->drain.v[1].text, "slurm-operator: (A: b); (C: d)");
    t->machines[0].cordon_reason = "";
    CHECK_STR(plan_make(a, &t->set)->drain.v[0].text, "slurm-operator: unknown");
}

TEST(a_cordon_is_told_once)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);

    t->machines[0].cordoned = true;
    t->workers[0].cordon = CORDON_NODE;
    slurm_says(&t->workers[0], "IDLE+DRAIN", "slurm-operator: Node (m-0000) was cordoned");
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(an_uncordoned_node_puts_its_worker_back_to_work_whatever_the_strategy)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);

    t->workers[0].cordon = CORDON_NODE;
    slurm_says(&t->workers[0], "IDLE+DRAIN", "slurm-operator: Node (m-0000) was cordoned");
    for (t->set.strategy = STRATEGY_ROLLING; t->set.strategy <= STRATEGY_SCHEDULED;
         t->set.strategy++) {
        struct plan *plan = plan_make(a, &t->set);

        CHECK_INT(plan->undrain.n, 1);
        CHECK(plan->fates[0].cordon == CORDON_NONE);
    }
}

TEST(a_cordon_that_a_user_set_drains_and_is_never_taken_away)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);
    struct plan *plan;

    t->workers[0].cordon = CORDON_USER;
    plan = plan_make(a, &t->set);
    CHECK_STR(plan->drain.v[0].text, "slurm-operator: Pod (hpc/gpu-0) was cordoned");
    CHECK(plan->fates[0].cordon == CORDON_USER);
    slurm_says(&t->workers[0], "IDLE+DRAIN", plan->drain.v[0].text);
    CHECK(is_empty(plan_make(a, &t->set), t));
    t->workers[0].cordon = CORDON_NONE; /* the user took it away */
    CHECK_INT(plan_make(a, &t->set)->undrain.n, 1);
}

TEST(what_a_user_says_beside_a_cordon_stands_in_the_reason)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);

    t->workers[0].cordon = CORDON_USER;
    t->workers[0].cordon_reason = "new memory";
    CHECK_STR(plan_make(a, &t->set)->drain.v[0].text,
              "slurm-operator: Pod (hpc/gpu-0) was cordoned: new memory");
}

TEST(the_drain_of_an_administrator_is_never_touched)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 3);

    slurm_says(&t->workers[0], "IDLE+DRAIN", "bad fan");
    slurm_says(&t->workers[1], "IDLE+DRAIN", "bad fan");
    t->machines[1].cordoned = true;
    slurm_says(&t->workers[2], "IDLE+DRAIN", "");
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(a_node_that_does_not_answer_is_left_alone)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 2);

    slurm_says(&t->workers[0], "DOWN+NOT_RESPONDING", "slurm-operator: x; Not responding");
    slurm_says(&t->workers[1], "DOWN+NOT_RESPONDING", "Not responding");
    t->machines[0].cordoned = t->machines[1].cordoned = true;
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(a_silent_slurm_changes_no_cordon)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 3);

    t->machines[0].cordoned = true;
    t->workers[1].cordon = CORDON_NODE;
    t->workers[2].cordon = CORDON_USER;
    slurm_is_silent(t);
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(a_worker_that_slurm_does_not_know_yet_changes_no_cordon)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);

    t->machines[0].cordoned = true;
    t->workers[0].ready_since = NOW;
    t->workers[0].slurm = (struct slurm_facts) { .registered = ANSWER_NO };
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(a_worker_that_is_being_deleted_is_left_alone)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);

    t->machines[0].cordoned = true;
    t->workers[0].deleting = true;
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(what_slurm_said_before_it_was_told_something_is_no_answer)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 1);
    struct plan *plan;

    t->machines[0].cordoned = true;
    t->workers[0].told = t->workers[1].told = true;
    slurm_says(&t->workers[1], "IDLE+DRAIN", "slurm-operator: x"); /* perhaps no longer */
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->drain.n + plan->undrain.n, 0);
    CHECK(plan->fates[1].leaving == LEAVES_SCALE);
    CHECK(!plan->fates[1].delete);
}

TEST(a_worker_that_was_stopped_while_drained_is_resumed_once_it_is_back)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);
    struct plan *plan;

    slurm_says(&t->workers[0], "DOWN+DRAIN", "slurm-operator: Pod is terminating");
    t->workers[0].slurm.reason_time = NOW - 700 * USEC_SEC;
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->resume.n, 1); /* UNDRAIN alone would leave it DOWN, without a word of ours */
    CHECK_INT(plan->undrain.n, 0);
    t->workers[0].ready = false;
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->resume.n + plan->undrain.n, 0);
}

TEST(a_worker_that_came_back_within_the_second_is_resumed_and_one_that_is_stopped_just_now_is_not)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);
    struct worker_facts *w = &t->workers[0];
    struct plan *plan;

    slurm_says(w, "DOWN", "slurm-operator: Pod is terminating");
    w->created = w->ready_since = w->slurm.reason_time = NOW - USEC_SEC;
    CHECK_INT(plan_make(a, &t->set)->resume.n, 1);
    w->created = NOW - 600 * USEC_SEC; /* a container that starts again in the same pod */
    CHECK_INT(plan_make(a, &t->set)->resume.n, 0);
    w->ready_since = NOW;
    CHECK_INT(plan_make(a, &t->set)->resume.n, 1);
    w->ready_since = NOW - 590 * USEC_SEC; /* its own hook runs, or Slurm's clock is ahead */
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->resume.n, 0);
    CHECK_INT(plan->again, 29 * USEC_SEC);
    w->slurm.reason_time = NOW - 31 * USEC_SEC;
    CHECK_INT(plan_make(a, &t->set)->resume.n, 1);
}

TEST(workers_that_come_back_one_after_another_are_put_to_work_together)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 100, 100);
    struct plan *plan;

    for (size_t i = 0; i < 10; i++) {
        slurm_says(&t->workers[i], "IDLE+DRAIN", "slurm-operator: x");
        t->workers[i].ready_since = NOW - USEC_SEC;
    }
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->undrain.n, 0);
    CHECK_INT(plan->again, USEC_SEC);
    t->set.now += USEC_SEC;
    CHECK_INT(plan_make(a, &t->set)->undrain.n, 10);
}
