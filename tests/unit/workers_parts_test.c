/* workers_parts_test.c - claims, deadlines, features, pod conditions, revisions, reservations. */
#include <string.h>

#include "base/str.h"
#include "support/test.h"
#include "support/workers.h"
#include "workers/claims.h"
#include "workers/deadlines.h"
#include "workers/podstate.h"
#include "workers/reservation.h"
#include "workers/revisions.h"
#include "workers/tally.h"
#include "workers/traits.h"

/* ------------------------------------------------------------------ claims */

TEST(claims_go_with_the_set_or_with_those_that_leave_for_good)
{
    struct claim_policy keep = { 0 }, set = { .delete_with_set = true },
                        scaled = { .delete_when_scaled = true }, both = { true, true };

    CHECK(claim_owner_of(keep, STAYS) == CLAIM_NOBODYS);
    CHECK(claim_owner_of(keep, LEAVES_SCALE) == CLAIM_NOBODYS);
    CHECK(claim_owner_of(set, STAYS) == CLAIM_SETS);
    CHECK(claim_owner_of(set, LEAVES_SCALE) == CLAIM_SETS);
    CHECK(claim_owner_of(scaled, STAYS) == CLAIM_NOBODYS);
    CHECK(claim_owner_of(scaled, LEAVES_SCALE) == CLAIM_PODS);
    CHECK(claim_owner_of(both, STAYS) == CLAIM_SETS);
    CHECK(claim_owner_of(both, LEAVES_SCALE) == CLAIM_PODS);
}

TEST(a_worker_that_is_replaced_keeps_its_data)
{
    struct claim_policy scaled = { .delete_when_scaled = true };

    CHECK(claim_owner_of(scaled, LEAVES_UPDATE) == CLAIM_NOBODYS);
    CHECK(claim_owner_of(scaled, LEAVES_ENDED) == CLAIM_NOBODYS);
    CHECK(claim_owner_of(scaled, LEAVES_STRANGER) == CLAIM_NOBODYS);
}

/* ------------------------------------------------------------------ deadlines */

static struct slurm_job job_on(const char *nodes, const char *state, uint32_t minutes)
{
    return (struct slurm_job) {
        .nodes = nodes, .state = job_state_of_text(state), .started = NOW, .minutes = minutes
    };
}

TEST(the_deadline_of_a_node_is_the_latest_end_of_its_jobs)
{
    scoped(arena) struct arena *a = arena_new();
    struct deadlines d = { 0 };
    struct slurm_job jobs[] = { job_on("gpu-[0-2]", "RUNNING", 10), job_on("gpu-1", "RUNNING", 60),
                                job_on("gpu-2", "PENDING", 90),
                                job_on("gpu-3", "RUNNING", JOB_NO_LIMIT),
                                job_on("gpu-[", "RUNNING", 5) };
    int bad = 0;

    for (size_t i = 0; i < ARRAY_SIZE(jobs); i++)
        bad += !deadlines_add(a, &d, &jobs[i]);
    CHECK_INT(bad, 1); /* concerns that job alone */
    CHECK_INT(deadlines_of(&d, "gpu-0"), NOW + 600 * USEC_SEC);
    CHECK_INT(deadlines_of(&d, "gpu-1"), NOW + 3600 * USEC_SEC);
    CHECK_INT(deadlines_of(&d, "gpu-2"), NOW + 600 * USEC_SEC);
    CHECK(deadlines_of(&d, "gpu-3") > NOW + INT64_C(290) * 365 * 86400 * USEC_SEC);
    CHECK_INT(deadlines_of(&d, "gpu-4"), 0);
    deadlines_done(&d);
}

/* ------------------------------------------------------------------ features and topology */

TEST(features_of_others_stay)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(features_of(a, "k8s/", "gpu,zone-a,k8s/old", " b , a,b"), "gpu,k8s/a,k8s/b,zone-a");
    CHECK_STR(features_of(a, "k8s/", "gpu,k8s/old", NULL), "gpu");
    CHECK_STR(features_of(a, "k8s/", "", ""), "");
    CHECK(features_same(a, "b,a", "a, b"));
    CHECK(!features_same(a, "a", "a,b"));
}

TEST(slurm_is_told_of_features_only_where_they_differ_and_once_for_many)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 4, 4);
    struct groups groups;

    CHECK_INT(features_plan(a, &t->set).n, 0);
    t->machines[0].features = t->machines[1].features = t->machines[2].features = "fast";
    t->workers[2].slurm.features = t->workers[2].slurm.active_features = "k8s/fast,gpu";
    groups = features_plan(a, &t->set);
    CHECK_INT(groups.n, 1);
    CHECK_INT(groups.v[0].hosts.n, 2);
    CHECK_STR(groups.v[0].text, "gpu,k8s/fast");
    slurm_is_silent(t);
    CHECK_INT(features_plan(a, &t->set).n, 0);
}

TEST(a_node_without_topology_says_nothing_to_slurm)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 3, 3);
    struct groups groups;

    t->workers[0].slurm.topology = "default:s0";
    t->machines[1].topology = t->machines[2].topology = "default:s1";
    groups = topology_plan(a, &t->set);
    CHECK_INT(groups.n, 1);
    CHECK_INT(groups.v[0].hosts.n, 2);
    CHECK_STR(groups.v[0].text, "default:s1");
}

/* ------------------------------------------------------------------ pods */

static const struct podstate_words words = { "SlurmNodeState", "SlurmNodeDrained",
                                             "SlurmNodeBusy" };

TEST(the_state_of_a_node_becomes_conditions)
{
    scoped(arena) struct arena *a = arena_new();
    struct podstate_condition c[PODSTATE_MAX];
    struct slurm_facts s = { .registered = ANSWER_YES,
                             .state = node_state_of_text("MIXED+DRAIN+PLANNED"),
                             .reason = "fan" };

    CHECK_INT(podstate_of(a, &words, &s, c), 4);
    CHECK_STR(c[0].type, "SlurmNodeStateMixed");
    CHECK_STR(c[1].type, "SlurmNodeStateDrain");
    CHECK_STR(c[1].message, "fan");
    CHECK_STR(c[2].type, "SlurmNodeDrained");
    CHECK(!c[2].yes);
    CHECK_STR(c[3].type, "SlurmNodeBusy");
    CHECK(c[3].yes);
    s = (struct slurm_facts) { 0 };
    CHECK_INT(podstate_of(a, &words, &s, c), 0);
    CHECK(podstate_is_ours(&words, "SlurmNodeStateIdle"));
    CHECK(podstate_is_ours(&words, "SlurmNodeBusy"));
    CHECK(!podstate_is_ours(&words, "Ready"));
}

TEST(protection_follows_busy_and_stays_while_slurm_is_silent)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 1, 1);
    struct worker_facts *w = &t->workers[0];

    CHECK(!podstate_protects(&t->set, w));
    slurm_says(w, "ALLOCATED", "");
    CHECK(podstate_protects(&t->set, w));
    w->protected = true;
    slurm_is_silent(t);
    CHECK(podstate_protects(&t->set, w));
    t->set.protects = false;
    CHECK(!podstate_protects(&t->set, w));
}

TEST(the_tally_counts_pods_and_states)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 4, 4);
    struct tally n;

    slurm_says(&t->workers[0], "ALLOCATED+DRAIN", "");
    slurm_says(&t->workers[1], "DOWN", "");
    t->workers[1].ready = false;
    t->workers[2].deleting = true;
    t->workers[3].hash = "old";
    n = tally_of(&t->set, 4, 0);
    CHECK_INT(n.pods, 4);
    CHECK_INT(n.updated, 2);
    CHECK_INT(n.ready, 3);
    CHECK_INT(n.available, 2);
    CHECK_INT(n.unavailable, 2);
    CHECK_INT(n.idle, 2);
    CHECK_INT(n.allocated, 1);
    CHECK_INT(n.down, 1);
    CHECK_INT(n.drain, 1);
    CHECK(n.slurm_known);
    slurm_is_silent(t);
    CHECK(!tally_of(&t->set, 4, 0).slurm_known);
}

/* ------------------------------------------------------------------ revisions */

TEST(a_revision_that_says_the_same_is_used_again)
{
    struct revision stored[] = { { "gpu-b", "b", 2, 20, true }, { "gpu-a", "a", 1, 10, false } };
    struct revision_choice choice = revision_choose(stored, 2, "b");

    CHECK(choice.what == REVISION_USE);
    CHECK_STR(stored[choice.chosen].hash, "b");
}

TEST(going_back_to_an_older_revision_makes_it_the_newest)
{
    struct revision stored[] = { { "gpu-b", "b", 2, 20, false }, { "gpu-a", "a", 1, 10, true } };
    struct revision_choice choice = revision_choose(stored, 2, "b");

    CHECK(choice.what == REVISION_BUMP);
    CHECK_STR(stored[choice.chosen].hash, "a");
    CHECK_INT(choice.number, 3);
}

TEST(a_new_template_makes_a_new_revision)
{
    struct revision stored[] = { { "gpu-b", "b", 2, 20, false } };

    CHECK(revision_choose(stored, 1, "b").what == REVISION_CREATE);
    CHECK_INT(revision_choose(stored, 1, "b").number, 3);
    CHECK_INT(revision_choose(NULL, 0, "").number, 1);
}

TEST(taking_over_keeps_the_revision_that_is_in_force)
{
    /* The peer numbers all of its revisions 1. */
    struct revision stored[] = { { "gpu-x", "x", 1, 10, true }, { "gpu-y", "y", 1, 20, true } };
    struct revision_choice choice = revision_choose(stored, 2, "x");

    CHECK(choice.what == REVISION_USE);
    CHECK_STR(stored[choice.chosen].hash, "x");
}

TEST(old_revisions_go_beyond_the_limit_but_not_those_with_workers)
{
    scoped(arena) struct arena *a = arena_new();
    struct team *t = team_of(a, 2, 2);
    struct revision stored[] = { { "r1", "1", 1, 1, false },
                                 { "r2", "2", 2, 2, false },
                                 { "r3", "3", 3, 3, false },
                                 { "r4", "new", 4, 4, true } };
    bool drop[4];

    t->workers[0].hash = "1";
    revision_truncate(stored, 4, &t->set, 1, drop);
    CHECK(!drop[0] && drop[1] && !drop[2] && !drop[3]);
    revision_truncate(stored, 4, &t->set, 0, drop);
    CHECK(!drop[0] && drop[1] && drop[2] && !drop[3]);
}

/* ------------------------------------------------------------------ reservations */

#define HOUR (3600 * USEC_SEC)

static struct reservation_wish wish_at(usec start)
{
    return (struct reservation_wish) {
        .name = "Maint", .hosts = "gpu-[0-3]", .start = start, .duration = HOUR / 2, .now = NOW
    };
}

static struct slurm_reservation made_of(struct arena *a, const struct reservation_wish *wish)
{
    struct strs flags = reservation_flags(a, wish->flags);

    return (struct slurm_reservation) { .name = wish->name,
                                        .nodes = wish->hosts,
                                        .users = "slurm",
                                        .flags = flags,
                                        .start = wish->start,
                                        .end = wish->start + wish->duration };
}

TEST(a_reservation_is_made_when_its_time_is_to_come)
{
    scoped(arena) struct arena *a = arena_new();
    struct reservation_wish wish = wish_at(NOW + HOUR);
    struct slurm_reservation_spec spec;

    CHECK(reservation_plan(a, &wish, NULL, &spec) == RESERVATION_PUT);
    CHECK_STR(spec.nodes, "gpu-[0-3]");
    CHECK(strs_has(spec.flags, "MAINT") && strs_has(spec.flags, "IGNORE_JOBS"));
    wish.start = NOW - HOUR;
    CHECK(reservation_plan(a, &wish, NULL, &spec) == RESERVATION_AS_IT_IS);
    wish.hosts = "";
    CHECK(reservation_plan(a, &wish, NULL, &spec) == RESERVATION_AS_IT_IS);
}

TEST(a_reservation_that_is_as_wanted_is_left_alone)
{
    scoped(arena) struct arena *a = arena_new();
    struct reservation_wish wish = wish_at(NOW + HOUR);
    struct slurm_reservation live = made_of(a, &wish);
    struct slurm_reservation_spec spec;

    wish.mark = reservation_mark(a, &wish);
    CHECK(reservation_plan(a, &wish, &live, &spec) == RESERVATION_AS_IT_IS);
    live.nodes = "gpu-[2-3],gpu-[0-1]"; /* the same nodes in other words */
    CHECK(reservation_plan(a, &wish, &live, &spec) == RESERVATION_AS_IT_IS);
}

TEST(a_changed_duration_start_or_node_is_sent_once)
{
    scoped(arena) struct arena *a = arena_new();
    struct reservation_wish wish = wish_at(NOW + HOUR), other;
    struct slurm_reservation live = made_of(a, &wish);
    struct slurm_reservation_spec spec;

    wish.mark = reservation_mark(a, &wish);
    other = wish;
    other.duration = HOUR;
    CHECK(reservation_plan(a, &other, &live, &spec) == RESERVATION_PUT);
    other = wish;
    other.start += HOUR;
    CHECK(reservation_plan(a, &other, &live, &spec) == RESERVATION_PUT);
    CHECK_INT(spec.start, other.start);
    other = wish;
    other.hosts = "gpu-[0-4]";
    CHECK(reservation_plan(a, &other, &live, &spec) == RESERVATION_PUT);
}

TEST(a_reservation_that_runs_changes_only_its_nodes)
{
    scoped(arena) struct arena *a = arena_new();
    struct reservation_wish wish = wish_at(NOW - 60 * USEC_SEC);
    struct slurm_reservation live = made_of(a, &wish);
    struct slurm_reservation_spec spec;

    wish.duration = HOUR;
    CHECK(reservation_plan(a, &wish, &live, &spec) == RESERVATION_AS_IT_IS);
    wish.hosts = "gpu-0";
    CHECK(reservation_plan(a, &wish, &live, &spec) == RESERVATION_PUT);
    CHECK_STR(spec.nodes, "gpu-0");
    CHECK_INT(spec.start, 0);
}

TEST(a_reservation_that_is_over_is_not_made_again)
{
    scoped(arena) struct arena *a = arena_new();
    const char *force[] = { "force_start" };
    struct reservation_wish wish = wish_at(NOW - HOUR);
    struct slurm_reservation_spec spec;

    wish.flags = (struct strs) { force, 1 };
    CHECK(reservation_plan(a, &wish, NULL, &spec) == RESERVATION_PUT);
    wish.mark = reservation_mark(a, &wish);
    CHECK(reservation_plan(a, &wish, NULL, &spec) == RESERVATION_GONE);
}

TEST(a_reservation_that_repeats_may_move_on)
{
    scoped(arena) struct arena *a = arena_new();
    const char *weekly[] = { "weekly" };
    struct reservation_wish wish = wish_at(NOW - HOUR);
    struct slurm_reservation live;
    struct slurm_reservation_spec spec;

    wish.flags = (struct strs) { weekly, 1 };
    wish.mark = reservation_mark(a, &wish);
    live = made_of(a, &wish);
    live.start += 7 * 24 * HOUR;
    live.end += 7 * 24 * HOUR;
    CHECK(reservation_plan(a, &wish, &live, &spec) == RESERVATION_AS_IT_IS);
    live.nodes = "gpu-0";
    CHECK(reservation_plan(a, &wish, &live, &spec) == RESERVATION_PUT);
    CHECK_INT(spec.start, live.start);
}
