/* slinky_controller_test.c - which slurmctld is active, and when a configuration has been read. */
#include "slinky/controller_parts.h"
#include "support/test.h"

/* ------------------------------------------------------------------ the active one */

TEST(the_slurmctld_that_says_it_serves_is_active)
{
    struct active_candidate v[] = {
        { .ready = true, .labelled = true, .serves = ANSWER_NO },
        { .ready = true, .serves = ANSWER_YES },
        { .ready = true, .serves = ANSWER_NO },
    };

    CHECK_INT(active_choose(v, 3), 1);
}

TEST(the_active_slurmctld_stays_while_none_can_be_asked)
{
    struct active_candidate v[] = {
        { .ready = true },
        { .ready = true, .labelled = true },
    };

    CHECK_INT(active_choose(v, 2), 1);
}

TEST(the_active_slurmctld_stays_during_a_takeover)
{
    struct active_candidate v[] = {
        { .ready = true, .serves = ANSWER_NO },
        { .ready = true, .labelled = true, .serves = ANSWER_NO },
    };

    CHECK_INT(active_choose(v, 2), 1);
}

TEST(a_slurmctld_that_is_not_ready_gives_way)
{
    struct active_candidate v[] = {
        { .labelled = true },
        { .ready = true, .serves = ANSWER_NO },
        { .ready = true },
    };

    CHECK_INT(active_choose(v, 3), 2);
    CHECK_INT(active_choose(v, 2), 1);
    CHECK_INT(active_choose(v, 1), 0);
}

TEST(without_any_pod_the_first_one_will_be_active)
{
    struct active_candidate v[3] = { 0 };

    CHECK_INT(active_choose(v, 3), 0);
}

/* ------------------------------------------------------------------ reading the configuration */

#define NOON (INT64_C(1800000000) * USEC_SEC)

TEST(a_pod_that_is_younger_than_the_change_began_with_it)
{
    struct config_news news = { .changed = NOON, .started = NOON + USEC_SEC };

    CHECK_INT(config_step_of(&news, NOON + 2 * USEC_SEC), CONFIG_READ);
    news.started = NOON; /* perhaps before, within the same second */
    CHECK_INT(config_step_of(&news, NOON + 2 * USEC_SEC), CONFIG_SEND);
}

TEST(a_changed_configuration_is_sent_and_then_read)
{
    struct config_news news = { .changed = NOON, .started = NOON - 3600 * USEC_SEC };

    CHECK_INT(config_step_of(&news, NOON), CONFIG_SEND);
    news.sent = NOON;
    CHECK_INT(config_step_of(&news, NOON + USEC_SEC), CONFIG_WAIT);
    CHECK_INT(config_step_of(&news, NOON + 10 * USEC_SEC), CONFIG_ASK);
    news.read = NOON + 11 * USEC_SEC;
    CHECK_INT(config_step_of(&news, NOON + 12 * USEC_SEC), CONFIG_READ);
}

TEST(a_second_change_is_sent_again)
{
    struct config_news news = { .changed = NOON + 60 * USEC_SEC, .started = NOON - USEC_SEC,
                                .sent = NOON, .read = NOON + 5 * USEC_SEC };

    CHECK_INT(config_step_of(&news, NOON + 61 * USEC_SEC), CONFIG_SEND);
}

TEST(a_clock_that_was_set_back_does_not_keep_it_from_being_read)
{
    struct config_news news = { .changed = NOON, .started = NOON - USEC_SEC, .sent = NOON };

    CHECK_INT(config_step_of(&news, NOON - 3600 * USEC_SEC), CONFIG_ASK);
}
