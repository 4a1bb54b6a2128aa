/* workers_rollout_test.c - how workers follow a new revision. */
#include "support/test.h"
#include "support/workers.h"
#include "workers/rollout.h"

static struct int_or_str percent(const char *text)
{
    return (struct int_or_str) { .type = A_STR, .text = text };
}

static struct int_or_str number(int64_t value)
{
    return (struct int_or_str) { .type = AN_INT, .value = value };
}

/* n workers, of which the first `old` are of an older revision. */
static struct team *team_with_old(struct arena *a, size_t n, size_t old, struct int_or_str max)
{
    struct team *t = team_of(a, n, (int64_t)n);

    t->set.max_unavailable = max;
    for (size_t i = 0; i < old; i++)
        t->workers[i].hash = "old";
    return t;
}

static size_t rolls(struct arena *a, struct team *t)
{
    return count_leaving(plan_make(a, &t->set), t, LEAVES_UPDATE);
}

TEST(a_percentage_is_rounded_up_and_nonsense_is_one)
{
    CHECK_INT(rollout_budget(percent("25%"), 1000), 250);
    CHECK_INT(rollout_budget(percent("25%"), 3), 1);
    CHECK_INT(rollout_budget(percent("50%"), 3), 2);
    CHECK_INT(rollout_budget(percent("1%"), 1), 1);
    CHECK_INT(rollout_budget((struct int_or_str) { 0 }, 8), 2); /* 25 % when nothing is said */
    CHECK_INT(rollout_budget(number(7), 3), 7);
    CHECK_INT(rollout_budget(percent("a few"), 100), 1);
    CHECK_INT(rollout_budget(percent("0%"), 100), 1);
    CHECK_INT(rollout_budget(percent("3"), 100), 3);
}

TEST(a_rolling_update_takes_no_more_than_the_budget)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_INT(rolls(a, team_with_old(a, 8, 8, percent("25%"))), 2);
    CHECK_INT(rolls(a, team_with_old(a, 8, 1, percent("25%"))), 1);
    CHECK_INT(rolls(a, team_with_old(a, 8, 0, percent("25%"))), 0);
}

TEST(a_new_worker_that_is_not_available_throttles_the_update)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 4, 3, number(1));

    t->workers[3].ready = false;
    CHECK_INT(rolls(a, t), 0);
    t->workers[3].ready = true;
    t->workers[3].ready_since = NOW - USEC_SEC;
    t->set.min_ready = 30 * USEC_SEC;
    CHECK_INT(rolls(a, t), 0);
    t->set.now += 30 * USEC_SEC;
    CHECK_INT(rolls(a, t), 1);
}

TEST(a_worker_that_ends_throttles_the_update)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 4, 4, number(1));

    t->workers[0].deleting = true;
    CHECK_INT(rolls(a, t), 0);
}

TEST(a_worker_whose_predecessor_vanished_is_made_and_the_update_goes_on)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 4, 4, number(1));
    struct plan *plan;

    t->set.count = 3; /* nobody saw number 3 go */
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->create.n, 1);
    CHECK_INT(plan->create.v[0], 3);
    CHECK_INT(count_leaving(plan, t, LEAVES_UPDATE), 0);
    t->set.count = 4;
    t->workers[3].hash = "new";
    CHECK_INT(rolls(a, t), 1);
}

TEST(old_workers_that_are_not_healthy_are_outside_the_budget)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 8, 8, number(1));

    t->workers[1].ready = t->workers[2].ready = t->workers[3].ready = false;
    CHECK_INT(rolls(a, t), 4);
}

TEST(an_unhealthy_old_worker_still_passes_the_gate)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 2, 1, number(1));
    struct plan *plan;

    t->workers[0].ready = false;
    slurm_says(&t->workers[0], "ALLOCATED", "");
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].leaving == LEAVES_UPDATE);
    CHECK(!plan->fates[0].delete);
    CHECK(plan->fates[0].drains);
    slurm_is_silent(t);
    CHECK_INT(count_deleted(plan_make(a, &t->set), t), 0);
}

TEST(on_delete_leaves_the_old_workers)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 4, 4, number(1));

    t->set.strategy = STRATEGY_ON_DELETE;
    t->workers[0].ready = false;
    CHECK(is_empty(plan_make(a, &t->set), t));
}

TEST(a_scheduled_update_replaces_what_is_inside_its_own_reservation)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 3, 3, number(1));
    struct plan *plan;

    t->set.strategy = STRATEGY_SCHEDULED;
    CHECK_INT(count_leaving(plan_make(a, &t->set), t, LEAVES_SCHEDULE), 0);
    slurm_says(&t->workers[0], "IDLE+MAINTENANCE", "");
    t->workers[0].slurm.reservation = "SlurmOperatorMaint-gpu";
    slurm_says(&t->workers[1], "IDLE+MAINTENANCE", "");
    t->workers[1].slurm.reservation = "somebody's";
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[0].leaving == LEAVES_SCHEDULE);
    CHECK_INT(count_leaving(plan, t, LEAVES_SCHEDULE), 1);
    CHECK_STR(plan->events.v[0].reason, "Scheduled Update");
}

TEST(workers_leave_in_lots_so_that_slurm_is_told_seldom)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 1000, 1000, percent("25%"));

    CHECK_INT(rolls(a, t), 250);
    for (size_t i = 0; i < 200; i++) { /* of the first lot 200 are not ready yet */
        t->workers[i].hash = "new";
        t->workers[i].ready = false;
        t->workers[i].created = NOW - USEC_SEC;
    }
    CHECK_INT(rolls(a, t), 0);
    for (size_t i = 0; i < 100; i++)
        t->workers[i].ready = true;
    CHECK_INT(rolls(a, t), 150);
}

TEST(a_lot_that_does_not_get_ready_delays_the_next_one_but_does_not_stop_it)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 100, 100, number(10));
    struct plan *plan;

    for (size_t i = 0; i < 8; i++) {
        t->workers[i].hash = "new";
        t->workers[i].ready = false;
        t->workers[i].created = NOW - USEC_SEC;
    }
    plan = plan_make(a, &t->set);
    CHECK_INT(count_leaving(plan, t, LEAVES_UPDATE), 0);
    CHECK_INT(plan->again, 4 * USEC_SEC);
    t->set.now += 4 * USEC_SEC;
    CHECK_INT(rolls(a, t), 2);
}

TEST(workers_that_drain_for_the_update_stay_chosen)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 4, 4, number(1));
    struct plan *plan;

    t->workers[1].cordon = CORDON_LEAVES;
    t->workers[1].deadline = NOW + 3600 * USEC_SEC;
    slurm_says(&t->workers[1], "ALLOCATED+DRAIN", "slurm-operator: x");
    plan = plan_make(a, &t->set);
    CHECK(plan->fates[1].leaving == LEAVES_UPDATE);
    CHECK_INT(count_leaving(plan, t, LEAVES_UPDATE), 1);
}

TEST(an_update_that_was_taken_back_puts_its_victims_back_to_work)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_with_old(a, 2, 0, number(1));
    struct plan *plan;

    t->set.strategy = STRATEGY_ON_DELETE; /* whatever the strategy */
    t->workers[1].cordon = CORDON_LEAVES;
    slurm_says(&t->workers[1], "ALLOCATED+DRAIN", "slurm-operator: x");
    plan = plan_make(a, &t->set);
    CHECK_INT(plan->undrain.n, 1);
    CHECK(plan->fates[1].cordon == CORDON_NONE);
}
