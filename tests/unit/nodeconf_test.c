/* nodeconf_test.c - the node record of a dynamic node, as slurm-operator writes it. */
#include "slurm/nodeconf.h"
#include "support/test.h"

#define TOPOLOGY "'\"$SLINKY_TOPOLOGY\"'"

static void says(const char *nodeset, const char *extra, const char *want)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(nodeconf_text(a, nodeset, extra, TOPOLOGY), want);
}

TEST(nodeconf_sorts_items_and_adds_features)
{
    says("gpu", NULL, "Features=gpu Topology=" TOPOLOGY);
    says("gpu", "", "Features=gpu Topology=" TOPOLOGY);
    says("gpu", "Weight=10 feature=a", "Features=a,gpu Topology=" TOPOLOGY " Weight=10");
    says("gpu", "Topology=switch-topo:s1", "Features=gpu Topology=switch-topo:s1");
    says("gpu", "Features=z,a", "Features=a,gpu,z Topology=" TOPOLOGY);
    says("gpu", "Weight=10 Gres=gpu:h200:4",
         "Features=gpu Gres=gpu:h200:4 Topology=" TOPOLOGY " Weight=10");
    says("gpu", "  Feature=gpu\tFEATURES=gpu,b ", "Features=b,gpu Topology=" TOPOLOGY);
    says("gpu", "gres=gpu:1 Gres=nic:2", "Features=gpu Gres=gpu:1,nic:2 Topology=" TOPOLOGY);
    says("gpu", "RealMemory=5", "Features=gpu Realmemory=5 Topology=" TOPOLOGY);
}

TEST(nodeconf_drops_a_text_with_a_mistake_whole)
{
    says("gpu", "Weight10 Feature=a", "Features=gpu Topology=" TOPOLOGY);
    says("gpu", "Feature=a =5", "Features=gpu Topology=" TOPOLOGY);
    CHECK(nodeconf_is_valid("a=b c=d"));
    CHECK(nodeconf_is_valid(""));
    CHECK(nodeconf_is_valid(NULL));
    CHECK(!nodeconf_is_valid("a=b c"));
}
