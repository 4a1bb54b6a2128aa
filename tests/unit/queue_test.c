/* queue_test.c - what a queue promises its workers. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kube/queue.h"
#include "support/test.h"

static const char *next(struct queue *q, struct lane **lane)
{
    const char *key = NULL;

    CHECK(queue_get(q, lane, &key));
    return key;
}

TEST(queue_holds_a_key_once)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 2);

    queue_add(lane, "hpc/a", ROUTINE);
    queue_add(lane, "hpc/a", ROUTINE);
    CHECK_INT(queue_len(lane), 1);
}

TEST(a_key_added_while_held_comes_back_after_done_and_not_before)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 2);
    struct lane *from;
    const char *key;

    queue_add(lane, "x", ROUTINE);
    key = next(q, &from);
    queue_add(lane, "x", ROUTINE);
    CHECK_INT(queue_len(lane), 0);
    queue_done(lane, key);
    CHECK_INT(queue_len(lane), 1);
    CHECK_STR(next(q, &from), "x");
    queue_done(lane, "x");
    CHECK(queue_idle(q));
}

TEST(what_a_person_waits_for_goes_first)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 8);
    struct lane *from;

    queue_add(lane, "1", ROUTINE);
    queue_add(lane, "2", ROUTINE);
    queue_add(lane, "3", URGENT);
    queue_add(lane, "2", URGENT);
    CHECK_STR(next(q, &from), "3");
    CHECK_STR(next(q, &from), "2");
    CHECK_STR(next(q, &from), "1");
}

TEST(what_nobody_waits_for_is_not_forgotten)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 100);
    struct lane *from;
    char key[8];
    int turn = 0;

    queue_add(lane, "routine", ROUTINE);
    for (int i = 0; i < 50; i++) {
        snprintf(key, sizeof key, "%d", i);
        queue_add(lane, key, URGENT);
    }
    while (strcmp(next(q, &from), "routine"))
        turn++;
    CHECK_INT(turn, 4);
}

TEST(lanes_are_served_in_turn)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *busy = queue_lane(q, "busy", 100);
    struct lane *quiet = queue_lane(q, "quiet", 100);
    struct lane *first;
    struct lane *second;
    char key[8];

    for (int i = 0; i < 50; i++) {
        snprintf(key, sizeof key, "%d", i);
        queue_add(busy, key, ROUTINE);
    }
    queue_add(quiet, "x", ROUTINE);
    next(q, &first);
    next(q, &second);
    CHECK(first == quiet || second == quiet);
}

TEST(a_lane_hands_out_no_more_than_its_workers)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *narrow = queue_lane(q, "narrow", 1);
    struct lane *other = queue_lane(q, "other", 1);
    struct lane *from;

    queue_add(narrow, "1", ROUTINE);
    queue_add(narrow, "2", ROUTINE);
    queue_add(other, "3", ROUTINE);
    next(q, &from);
    next(q, &from);
    CHECK_INT(queue_len(narrow), 1);
    CHECK_INT(queue_len(other), 0);
    queue_done(narrow, "1");
    CHECK_STR(next(q, &from), "2");
}

TEST(a_failed_key_comes_back_later_each_time_until_forgotten)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 1);
    struct lane *from;

    queue_add(lane, "x", ROUTINE);
    for (unsigned i = 0; i < 4; i++) {
        usec before;

        CHECK_STR(next(q, &from), "x");
        CHECK_INT(queue_retries(lane, "x"), i);
        before = clock_now();
        queue_retry(lane, "x");
        queue_done(lane, "x");
        CHECK_STR(next(q, &from), "x");
        CHECK(clock_now() - before >= (5 * USEC_MSEC << i));
        queue_add(lane, "x", ROUTINE);
        queue_done(lane, "x");
    }
    queue_forget(lane, "x");
    CHECK_INT(queue_retries(lane, "x"), 0);
}

TEST(an_earlier_wish_wins_over_a_later_one)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 1);
    struct lane *from;
    usec before = clock_now();

    queue_add_after(lane, "x", 10 * USEC_SEC);
    queue_add_after(lane, "x", 10 * USEC_MSEC);
    queue_add_after(lane, "x", 20 * USEC_SEC);
    CHECK_STR(next(q, &from), "x");
    CHECK(clock_now() - before < 5 * USEC_SEC);
    queue_done(lane, "x");
    CHECK(queue_idle(q));
}

struct crowd {
    struct queue *q;
    _Atomic int holders[20];
    _Atomic int doubles;
    _Atomic int handled;
};

static void *serve(void *arg)
{
    struct crowd *crowd = arg;
    struct lane *lane;
    const char *key;

    while (queue_get(crowd->q, &lane, &key)) {
        int slot = key[0] - 'a';

        if (atomic_fetch_add(&crowd->holders[slot], 1))
            atomic_fetch_add(&crowd->doubles, 1);
        atomic_fetch_add(&crowd->handled, 1);
        atomic_fetch_sub(&crowd->holders[slot], 1);
        queue_done(lane, key);
    }
    return NULL;
}

TEST(no_key_is_ever_with_two_workers)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 4);
    struct crowd crowd = { .q = q };
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, serve, &crowd);
    for (int i = 0; i < 20000; i++) {
        char key[2] = { (char)('a' + i % 20), '\0' };

        queue_add(lane, key, i % 3 ? ROUTINE : URGENT);
    }
    while (!queue_idle(q))
        usleep(1000);
    queue_stop(q);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(crowd.doubles, 0);
    CHECK(crowd.handled >= 20);
}

TEST(times_come_in_their_order_however_they_were_set)
{
    enum { KEYS = 200 };
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", KEYS);
    struct lane *from;
    usec began = clock_now();
    char key[8];
    int last = -1;
    int late;

    for (int i = 0; i < KEYS; i++) { /* 77 and 200 have no common divisor: every number once */
        int number = i * 77 % KEYS;

        snprintf(key, sizeof key, "%d", number);
        queue_add_after(lane, key, (500 + number) * USEC_MSEC);
    }
    late = (int)((clock_now() - began) / USEC_MSEC) + 1; /* that one may have been set after another */
    for (int i = 0; i < KEYS; i += 10) { /* some are wanted at once after all */
        snprintf(key, sizeof key, "%d", i);
        queue_add(lane, key, ROUTINE);
    }
    for (int i = 0; i < KEYS / 10; i++)
        next(q, &from);
    for (int i = KEYS / 10; i < KEYS; i++) {
        int number = atoi(next(q, &from));

        CHECK(number > last - late);
        last = number;
    }
    CHECK_INT(queue_len(lane), 0);
}

static void *serve_and_defer(void *arg)
{
    struct crowd *crowd = arg;
    struct lane *lane;
    const char *key;

    while (queue_get(crowd->q, &lane, &key)) {
        if (atomic_fetch_add(&crowd->handled, 1) < 2000)
            queue_add_after(lane, key, USEC_MSEC + (key[0] - 'a') * 100);
        queue_done(lane, key);
    }
    return NULL;
}

TEST(no_time_is_missed_while_many_wait_for_it)
{
    scoped(queue) struct queue *q = queue_new();
    struct lane *lane = queue_lane(q, "a", 8);
    struct crowd crowd = { .q = q };
    pthread_t threads[8];
    usec deadline = clock_now() + 60 * USEC_SEC;

    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, serve_and_defer, &crowd);
    for (char c = 'a'; c < 'a' + 20; c++)
        queue_add(lane, (char[2]){ c }, ROUTINE);
    while (crowd.handled < 2000 && clock_now() < deadline)
        usleep(1000);
    queue_stop(q);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    CHECK(crowd.handled >= 2000);
}
