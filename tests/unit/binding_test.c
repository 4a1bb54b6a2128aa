/* binding_test.c - which patch brings a node's topology onto a worker. */
#include "slinky/binding.h"

#include "k8s/binding.h"
#include "k8s/node.h"
#include "k8s/pod.h"
#include "kube/cache.h"
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

        CHECK(binding_quick(a, &reviews[i], &verdict, &admission));
        binding_judge(a, &reviews[i], &verdict, &admission);
        CHECK(verdict.allowed && !verdict.warnings.n);
        CHECK(!admission.is_watching);
    }
}

/* What is watched: worker p (uid u) and node n0 have the topology, node n1 has none. */
static void fill(struct admission *admission, const char *topology)
{
    struct pair label = { SLINKY_APP_NAME, "slurmd" };
    struct pair pair = { SLINKY_TOPOLOGY, topology };
    struct pairs annotations = { .v = &pair, .n = topology ? 1 : 0 };
    struct k8s_pod pod = { .meta = { .namespace = "x",
                                     .name = "p",
                                     .uid = "u",
                                     .resource_version = "1",
                                     .labels = { .v = &label, .n = 1 },
                                     .annotations = annotations } };
    struct k8s_node racked = {
        .meta = { .name = "n0", .resource_version = "1", .annotations = annotations }
    };
    struct k8s_node plain = { .meta = { .name = "n1", .resource_version = "1" } };

    cache_put(admission->pods, &pod);
    cache_put(admission->nodes, &racked);
    cache_put(admission->nodes, &plain);
}

static bool is_quick(struct admission *admission, const char *pod, const char *uid,
                     const char *node_name)
{
    scoped(arena) struct arena *a = arena_new();
    struct k8s_object_ref node = { .name = node_name };
    struct k8s_binding binding = { .meta = { .name = pod, .namespace = "x", .uid = uid },
                                   .target = &node };
    struct review review = { .object = &binding };
    struct verdict verdict = { .allowed = true };
    bool quick = binding_quick(a, &review, &verdict, admission);

    CHECK(verdict.allowed && !verdict.warnings.n);
    return quick;
}

TEST(only_a_worker_known_to_agree_with_its_node_is_passed_at_once)
{
    struct client *client = (struct client *)&(char) { 0 }; /* there is one; nobody calls it */
    struct admission admission;

    admission_init(&admission, client, (struct strs) { 0 });
    CHECK(!is_quick(&admission, "p", "u", "n0")); /* nothing has been heard yet */
    fill(&admission, "tree:sw1");
    CHECK(is_quick(&admission, "p", "u", "n0"));
    CHECK(is_quick(&admission, "p", NULL, "n0"));
    CHECK(!is_quick(&admission, "p", "another of that name", "n0"));
    CHECK(!is_quick(&admission, "unheard-of", NULL, "n0"));
    CHECK(!is_quick(&admission, "p", "u", "unheard-of"));
    CHECK(!is_quick(&admission, "p", "u", "n1"));
    admission_done(&admission);
}

TEST(a_worker_without_the_annotation_gets_it_even_if_it_is_empty)
{
    struct client *client = (struct client *)&(char) { 0 };
    struct admission admission;

    admission_init(&admission, client, (struct strs) { 0 });
    fill(&admission, NULL);
    CHECK(!is_quick(&admission, "p", "u", "n0"));
    admission_done(&admission);
}
