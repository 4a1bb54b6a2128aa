/* pods.c - the smallest operator that caches every pod: what the runtime itself costs. */
#include "cli/cli.h"
#include "k8s/configmap.h"
#include "k8s/pod.h"
#include "kube/controller.h"
#include "kube/manager.h"

static int reconcile(struct reconcile *r)
{
    (void)r;
    return 0;
}

static const struct controller pods_controller = {
    .name = "pods",
    .reconciles = &k8s_configmap_kind,
    .reads = KINDS(&k8s_pod_kind),
    .reconcile = reconcile,
    .silent = true,
};

static int run(struct cli *cli)
{
    static const struct controller *const controllers[] = { &pods_controller, NULL };
    static const struct cache_rule rules[] = {
        { &k8s_configmap_kind, .label_selector = "bench.windlass.dev/none" },
        { 0 },
    };

    return manager_run(&(struct manager_options){
        .name = "pods",
        .kubeconfig = cli_text(cli, "kubeconfig"),
        .controllers = controllers,
        .cache_rules = rules,
        .health_address = cli_text(cli, "health-addr"),
        .metrics_address = cli_text(cli, "metrics-addr"),
    });
}

static const struct option options[] = {
    { "kubeconfig", .value = "FILE", .help = "how to reach the cluster" },
    { "health-addr", .value = "ADDRESS", .standard = "0", .help = "where to answer probes" },
    { "metrics-addr", .value = "ADDRESS", .standard = "0", .help = "where to serve metrics" },
    { 0 },
};

int main(int argc, char **argv)
{
    static const struct verb verb = { .name = "pods", .summary = "caches every pod",
                                      .options = options, .run = run };

    return cli_main(&verb, argc, argv);
}
