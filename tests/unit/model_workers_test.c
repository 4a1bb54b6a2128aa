/* model_workers_test.c - what workers are called. */
#include "base/scope.h"
#include "model/workers.h"
#include "support/test.h"

TEST(a_numbered_worker_is_named_after_its_set)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers set = { .name = "gpu" };
    struct worker worker = { .ordinal = 7 };

    CHECK_STR(worker_pod_name(a, &set, &worker), "gpu-7");
    CHECK_STR(worker_hostname(a, &set, &worker), "gpu-7");
    CHECK_STR(worker_claim_name(a, &set, &worker, "data"), "data-gpu-7");
    set.padding = 3;
    set.hostname = "h200-";
    CHECK_STR(worker_pod_name(a, &set, &worker), "gpu-007");
    CHECK_STR(worker_hostname(a, &set, &worker), "h200-007");
    CHECK_STR(worker_claim_name(a, &set, &worker, "data"), "data-gpu-007");
    worker.ordinal = 12345;
    CHECK_STR(worker_index(a, &set, worker.ordinal), "12345");
}

TEST(a_worker_of_a_node_is_named_after_the_node)
{
    scoped(arena) struct arena *a = arena_new();
    struct model_workers set = { .name = "every", .mode = WORKERS_PER_NODE, .hostname = "x-" };
    struct worker worker = { .node = "n1.example.org" };

    CHECK(!worker_pod_name(a, &set, &worker));
    CHECK_STR(worker_hostname(a, &set, &worker), "n1");
    CHECK_STR(worker_claim_name(a, &set, &worker, "data"), "data-every-n1");
    worker.node_hostname = "rack1.n1";
    worker.name = "every-x2b4z";
    CHECK_STR(worker_hostname(a, &set, &worker), "rack1.n1");
    CHECK_STR(worker_pod_name(a, &set, &worker), "every-x2b4z");
}

TEST(the_number_is_read_from_a_name_of_the_set_only)
{
    struct model_workers set = { .name = "gpu" };
    int64_t ordinal = -1;

    CHECK(worker_ordinal(&set, "gpu-0", &ordinal));
    CHECK_INT(ordinal, 0);
    CHECK(worker_ordinal(&set, "gpu-007", &ordinal));
    CHECK_INT(ordinal, 7);
    CHECK(!worker_ordinal(&set, "gpu-", &ordinal));
    CHECK(!worker_ordinal(&set, "gpu-x", &ordinal));
    CHECK(!worker_ordinal(&set, "gpu--1", &ordinal));
    CHECK(!worker_ordinal(&set, "gpus-1", &ordinal));
    CHECK(!worker_ordinal(&set, "gpu-99999999999999999999", &ordinal));
    CHECK(!worker_ordinal(&set, NULL, &ordinal));
    CHECK_INT(ordinal, 7);
}
