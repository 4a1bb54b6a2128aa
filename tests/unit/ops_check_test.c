/* ops_check_test.c - what is thought of a cluster's answers. */
#include <string.h>

#include "ops/check.h"
#include "support/test.h"
#include "json/yaml.h"

static struct json *answer(struct arena *a, const char *text)
{
    struct json *documents = NULL;
    struct error err = { 0 };

    CHECK_OK(yaml_parse(a, text, strlen(text), &documents, &err), err);
    return (struct json *)json_item(documents, 0);
}

TEST(a_server_that_is_too_old_fails)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK(judge_version(a, answer(a, "{gitVersion: v1.36.3, major: '1', minor: '36'}")).verdict ==
          VERDICT_OK);
    CHECK(judge_version(a, answer(a, "{gitVersion: v1.28.1, major: '1', minor: '28+'}")).verdict ==
          VERDICT_FAIL);
    CHECK(judge_version(a, answer(a, "{}")).verdict == VERDICT_UNKNOWN);
}

TEST(a_cluster_without_ready_nodes_fails)
{
    scoped(arena) struct arena *a = arena_new();
    static const char one[] = "{items: [{metadata: {name: n0}, status: {conditions: "
                              "[{type: Ready, status: 'True'}]}}]}";
    static const char two[] = "{items: [{metadata: {name: n0}, status: {conditions: [{type: Ready, "
                              "status: 'True'}]}}, {metadata: {name: n1}}]}";

    CHECK(judge_nodes(a, answer(a, "{items: []}")).verdict == VERDICT_FAIL);
    CHECK(judge_nodes(a, answer(a, one)).verdict == VERDICT_OK);
    CHECK(judge_nodes(a, answer(a, two)).verdict == VERDICT_WARN);
    CHECK_STR(judge_nodes(a, answer(a, two)).todo, "look with 'kubectl describe node n1'");
}

TEST(gpus_are_counted_and_those_that_pods_cannot_have_are_told)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(judge_gpus(a, answer(a, "{items: [{status: {allocatable: {nvidia.com/gpu: '8'}}}, "
                                      "{status: {allocatable: {nvidia.com/gpu: '8'}}}]}"))
                  .text,
              "16 on 2 nodes (nvidia.com/gpu)");
    CHECK(judge_gpus(a, answer(a, "{items: [{metadata: {name: n0, labels: "
                                  "{nvidia.com/gpu.present: 'true'}}}]}"))
              .verdict == VERDICT_WARN);
    CHECK_STR(judge_gpus(a, answer(a, "{items: []}")).text, "none");
}

TEST(the_cgroup_version_is_read_off_a_kubelets_metrics)
{
    CHECK_INT(judge_cgroup_version("# HELP\n# TYPE kubelet_cgroup_version gauge\n"
                                   "kubelet_cgroup_version 2\n"),
              2);
    CHECK_INT(judge_cgroup_version("x 1\nkubelet_cgroup_version 1\ny 2\n"), 1);
    CHECK_INT(judge_cgroup_version("kubelet 2\n"), 0);
    CHECK_INT(judge_cgroup_version(""), 0);
}

TEST(another_operator_in_the_cluster_fails_unless_it_is_stopped)
{
    scoped(arena) struct arena *a = arena_new();
    static const char peer[] = "{items: [{metadata: {name: slurm-operator, namespace: slinky}, "
                               "spec: {replicas: %d, template: {spec: {containers: [{args: "
                               "[--zap-log-level=info]}]}}}}]}";
    static const char ours[] = "{items: [{metadata: {name: slurm-operator, namespace: hpc}, spec: "
                               "{template: {spec: {containers: [{args: [manager]}]}}}}]}";

    CHECK(judge_operators(a, answer(a, fmt(a, peer, 1))).verdict == VERDICT_FAIL);
    CHECK(judge_operators(a, answer(a, fmt(a, peer, 0))).verdict == VERDICT_OK);
    CHECK_STR(judge_operators(a, answer(a, ours)).text, "windlass in namespace hpc");
    CHECK_STR(judge_home(answer(a, ours)), "hpc");
    CHECK(!judge_home(answer(a, fmt(a, peer, 1))));
}

TEST(dns_storage_and_definitions_are_looked_for)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK(judge_dns(a, answer(a, "{items: []}")).verdict == VERDICT_WARN);
    CHECK_STR(judge_dns(a, answer(a, "{items: [{metadata: {name: kube-dns}, spec: {clusterIP: "
                                     "10.0.0.10}}]}"))
                  .text,
              "service kube-dns at 10.0.0.10");
    CHECK(judge_storage(a, answer(a, "{items: [{metadata: {name: x}}]}")).verdict == VERDICT_WARN);
    CHECK(judge_crds(a, answer(a, "{items: []}")).verdict == VERDICT_OK);
    CHECK(judge_crds(a, answer(a, "{items: [{metadata: {name: nodesets.slinky.slurm.net}, spec: "
                                  "{versions: [{name: v1alpha1, served: true}]}}]}"))
              .verdict == VERDICT_FAIL);
}
