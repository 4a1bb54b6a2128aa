/* binding_test.c - which patch brings a node's topology onto a worker. */
#include "slinky/binding.h"

#include "k8s/binding.h"
#include "slinky/admission.h"
#include "slinky/names.h"
#include "support/test.h"

TEST(a_pod_that_has_the_topology_is_left_alone)
{
    scoped(arena) struct arena *a = arena_new();
    struct pair pair = { SLINKY_TOPOLOGY, "topo-tree:sw1" };
    struct pairs annotations = { .v = &pair, .n = 1 };

    CHECK(!binding_patch(a, annotations, "u", "topo-tree:sw1"));
}

TEST(a_pod_without_annotations_gets_one)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(binding_patch(a, (struct pairs) { 0 }, "u", "t\"1"),
              "{\"metadata\":{\"annotations\":{\"topology.slinky.slurm.net/spec\":\"t\\\"1\"},"
              "\"uid\":\"u\"}}");
}

TEST(a_node_without_topology_clears_what_the_pod_says)
{
    scoped(arena) struct arena *a = arena_new();
    struct pair pair = { SLINKY_TOPOLOGY, "old" };
    struct pairs annotations = { .v = &pair, .n = 1 };

    CHECK_STR(binding_patch(a, annotations, "u", ""),
              "{\"metadata\":{\"annotations\":{\"topology.slinky.slurm.net/spec\":\"\"},"
              "\"uid\":\"u\"}}");
}

/* With no API server to ask, each of these would otherwise fail. */
TEST(bindings_that_need_nothing_ask_nobody)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_object_ref node = { .name = "n0" };
    struct k8s_binding whole = { .meta = { .name = "p", .namespace = "x" }, .target = &node };
    struct k8s_binding no_target = { .meta = { .name = "p", .namespace = "x" } };
    struct admission admission = { 0 };
    struct review reviews[] = { { .object = &whole, .dry_run = true }, { .object = &no_target } };

    for (size_t i = 0; i < ARRAY_SIZE(reviews); i++) {
        struct verdict verdict = { .allowed = true };

        binding_judge(a, &reviews[i], &verdict, &admission);
        CHECK(verdict.allowed && !verdict.warnings.n);
        CHECK(!admission.is_watching);
    }
}
