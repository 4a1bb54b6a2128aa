/* states_test.c - node and job states: words in, answers out, and never a guess. */
#include <string.h>

#include "slurm/jobstate.h"
#include "slurm/nodestate.h"
#include "support/test.h"

#define CHECK_ANSWER(have, want) CHECK_STR(answer_text(have), want)

TEST(node_state_reads_rest_words_and_text_alike)
{
    scoped(arena) struct arena *a = arena_new();
    struct strs words = STRS("ALLOCATED", "DRAIN", "CLOUD");

    CHECK_STR(node_state_text(a, node_state_of_words(words)), "ALLOCATED+CLOUD+DRAIN");
    CHECK_STR(node_state_text(a, node_state_of_text("ALLOCATED+CLOUD+DRAIN")),
              "ALLOCATED+CLOUD+DRAIN");
    CHECK_STR(node_state_text(a, node_state_of_text("mixed*")), "MIXED+NOT_RESPONDING");
    CHECK_STR(node_state_text(a, node_state_of_text("idle~")), "IDLE+POWERED_DOWN");
    CHECK_STR(node_state_text(a, node_state_of_text("alloc@*")),
              "ALLOCATED+NOT_RESPONDING+REBOOT_REQUESTED");
    CHECK_STR(node_state_text(a, node_state_of_text("IDLE,QUANTUM")), "IDLE+?");
    CHECK_STR(node_state_text(a, node_state_of_text("")), "UNKNOWN");
}

TEST(node_state_names_every_flag_and_reads_it_back)
{
    scoped(arena) struct arena *a = arena_new();

    for (int base = NODE_DOWN; base <= NODE_FUTURE; base++) {
        for (uint32_t flag = 1; flag <= NODE_EXTERNAL; flag <<= 1) {
            struct node_state state = { .flags = flag, .base = (uint8_t)base, .known = true };
            struct node_state back = node_state_of_text(node_state_text(a, state));

            CHECK_INT(back.flags, flag);
            CHECK_INT(back.base, base);
            CHECK(strlen(node_flag_name(flag)) > 0);
        }
    }
}

struct row {
    const char *state;
    const char *busy, *idle, *drain, *draining, *drained, *down, *gone, *responding;
};

/* The whole meaning at a glance; "?" is unknown. */
/* clang-format off */
static const struct row rows[] = {
    /* state                  busy  idle  drain draing drained down gone  respond */
    { "IDLE",                 "n",  "y",  "n",  "n",  "n",  "n",  "n",  "y" },
    { "IDLE+DYNAMIC_NORM",    "n",  "y",  "n",  "n",  "n",  "n",  "n",  "y" },
    { "IDLE+PLANNED",         "n",  "y",  "n",  "n",  "n",  "n",  "n",  "y" },
    { "IDLE+DRAIN",           "n",  "n",  "y",  "n",  "y",  "n",  "n",  "y" },
    { "IDLE+DRAIN+UNDRAIN",   "n",  "n",  "n",  "n",  "n",  "n",  "n",  "y" },
    { "IDLE+COMPLETING",      "y",  "n",  "n",  "n",  "n",  "n",  "n",  "y" },
    { "IDLE+COMPLETING+DRAIN", "y", "n",  "y",  "y",  "n",  "n",  "n",  "y" },
    { "ALLOCATED",            "y",  "n",  "n",  "n",  "n",  "n",  "n",  "y" },
    { "ALLOCATED+DRAIN",      "y",  "n",  "y",  "y",  "n",  "n",  "n",  "y" },
    { "MIXED+DRAIN",          "y",  "n",  "y",  "y",  "n",  "n",  "n",  "y" },
    { "MIXED*",               "y",  "n",  "n",  "n",  "n",  "n",  "n",  "n" },
    { "DOWN",                 "n",  "n",  "n",  "n",  "n",  "y",  "n",  "y" },
    { "DOWN*",                "n",  "n",  "n",  "n",  "n",  "y",  "y",  "n" },
    { "DOWN+DRAIN",           "n",  "n",  "y",  "n",  "y",  "y",  "n",  "y" },
    { "DOWN*+DRAIN",          "n",  "n",  "y",  "n",  "y",  "y",  "y",  "n" },
    { "ERROR",                "n",  "n",  "n",  "n",  "n",  "y",  "n",  "y" },
    { "IDLE+FAIL",            "n",  "n",  "n",  "n",  "n",  "y",  "n",  "y" },
    { "IDLE~",                "n",  "n",  "n",  "n",  "n",  "n",  "n",  "n" },
    { "IDLE#",                "n",  "n",  "n",  "n",  "n",  "n",  "n",  "n" },
    { "IDLE+INVALID_REG",     "n",  "n",  "n",  "n",  "n",  "n",  "n",  "y" },
    { "FUTURE",               "n",  "n",  "n",  "n",  "n",  "n",  "n",  "n" },
    { "UNKNOWN",              "?",  "?",  "n",  "n",  "n",  "?",  "n",  "?" },
    { "UNKNOWN*",             "?",  "n",  "n",  "n",  "n",  "?",  "?",  "n" },
    { "UNKNOWN+DRAIN",        "?",  "n",  "y",  "?",  "?",  "?",  "n",  "?" },
    { "",                     "?",  "?",  "?",  "?",  "?",  "?",  "?",  "?" },
    { "DRAIN",                "?",  "?",  "?",  "?",  "?",  "?",  "?",  "?" },
    { "QUANTUM",              "?",  "?",  "?",  "?",  "?",  "?",  "?",  "?" },
    { "IDLE+QUANTUM",         "?",  "?",  "?",  "?",  "?",  "?",  "n",  "?" },
    { "IDLE+DRAIN+QUANTUM",   "?",  "n",  "?",  "?",  "?",  "?",  "n",  "?" },
    { "ALLOCATED+QUANTUM",    "y",  "n",  "?",  "?",  "n",  "?",  "n",  "?" },
};
/* clang-format on */

static void check_row(const struct row *row, const char *question, enum answer have,
                      const char *want)
{
    const char *word = *want == 'y' ? "yes" : *want == 'n' ? "no" : "unknown";

    if (strcmp(answer_text(have), word) != 0)
        test_fail(__FILE__, __LINE__, "%s: %s is %s, want %s", row->state, question,
                  answer_text(have), word);
}

TEST(node_questions_have_their_answers)
{
    for (const struct row *row = rows; row < rows + ARRAY_SIZE(rows); row++) {
        struct node_state state = node_state_of_text(row->state);

        check_row(row, "busy", node_is_busy(state), row->busy);
        check_row(row, "idle", node_is_idle(state), row->idle);
        check_row(row, "drain", node_is_drain(state), row->drain);
        check_row(row, "draining", node_is_draining(state), row->draining);
        check_row(row, "drained", node_is_drained(state), row->drained);
        check_row(row, "down", node_is_down(state), row->down);
        check_row(row, "gone", node_is_gone(state), row->gone);
        check_row(row, "responding", node_is_responding(state), row->responding);
    }
}

TEST(node_questions_about_power_and_origin)
{
    CHECK_ANSWER(node_is_powered(node_state_of_text("IDLE%")), "no");
    CHECK_ANSWER(node_is_powered(node_state_of_text("IDLE")), "yes");
    CHECK_ANSWER(node_is_rebooting(node_state_of_text("IDLE^")), "yes");
    CHECK_ANSWER(node_is_rebooting(node_state_of_text("MIXED@")), "yes");
    CHECK_ANSWER(node_is_reserved(node_state_of_text("IDLE+MAINTENANCE+RESERVED")), "yes");
    CHECK_ANSWER(node_is_dynamic(node_state_of_text("IDLE+DYNAMIC_NORM")), "yes");
    CHECK_ANSWER(node_is_dynamic(node_state_of_text("IDLE+CLOUD")), "no");
    CHECK_ANSWER(node_is_invalid(node_state_of_text("IDLE+DRAIN+INVALID_REG")), "yes");
    CHECK(node_is_unknown(node_state_of_text("UNKNOWN")));
    CHECK(node_is_unknown((struct node_state) { 0 }));
    CHECK(!node_is_unknown(node_state_of_text("DOWN*")));
}

/* Every question of every state: drained and busy at once would lose a job. */
TEST(node_is_never_drained_and_busy)
{
    for (int base = NODE_UNKNOWN; base <= NODE_FUTURE; base++) {
        for (uint32_t flags = 0; flags < 1u << 14; flags++) {
            struct node_state state = { .flags = flags, .base = (uint8_t)base, .known = true };

            CHECK(!(is_yes(node_is_drained(state)) && !is_no(node_is_busy(state))));
            CHECK(!(is_yes(node_is_drained(state)) && is_yes(node_is_draining(state))));
            CHECK(!(is_yes(node_is_idle(state)) && !is_no(node_is_busy(state))));
            CHECK(!(is_yes(node_is_idle(state)) && is_yes(node_is_drain(state))));
        }
    }
}

TEST(job_state_reads_words_of_rest_sacct_and_squeue)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(job_state_text(a, job_state_of_text("COMPLETED,COMPLETING")), "COMPLETED+COMPLETING");
    CHECK_STR(job_state_text(a, job_state_of_text("CANCELLED by 1000")), "CANCELLED");
    CHECK_STR(job_state_text(a, job_state_of_text("PD")), "PENDING");
    CHECK_STR(job_state_text(a, job_state_of_text("oom")), "OUT_OF_MEMORY");
    CHECK_STR(job_state_text(a, job_state_of_text("RUNNING,QUANTUM")), "RUNNING+?");
    CHECK_STR(job_state_text(a, (struct job_state) { 0 }), "UNKNOWN");
}

TEST(job_questions_have_their_answers)
{
    CHECK_ANSWER(job_is_running(job_state_of_text("RUNNING")), "yes");
    CHECK_ANSWER(job_is_holding(job_state_of_text("RUNNING")), "yes");
    CHECK_ANSWER(job_is_holding(job_state_of_text("SUSPENDED")), "yes");
    CHECK_ANSWER(job_is_holding(job_state_of_text("FAILED,COMPLETING")), "yes");
    CHECK_ANSWER(job_is_holding(job_state_of_text("PENDING")), "no");
    CHECK_ANSWER(job_is_holding(job_state_of_text("COMPLETED,QUANTUM")), "unknown");
    CHECK_ANSWER(job_is_ended(job_state_of_text("COMPLETED")), "yes");
    CHECK_ANSWER(job_is_ended(job_state_of_text("COMPLETED,COMPLETING")), "no");
    CHECK_ANSWER(job_is_ended(job_state_of_text("NODE_FAIL,REQUEUED")), "no");
    CHECK_ANSWER(job_is_ended(job_state_of_text("RUNNING")), "no");
    CHECK_ANSWER(job_is_ended(job_state_of_text("COMPLETED,QUANTUM")), "unknown");
    CHECK_ANSWER(job_is_ended(job_state_of_text("")), "unknown");
    CHECK_ANSWER(job_is_good(job_state_of_text("COMPLETED")), "yes");
    CHECK_ANSWER(job_is_good(job_state_of_text("TIMEOUT")), "no");
    CHECK_ANSWER(job_is_failed(job_state_of_text("TIMEOUT")), "yes");
    CHECK_ANSWER(job_is_pending(job_state_of_text("PENDING")), "yes");
}
