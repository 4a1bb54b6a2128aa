/* manager.c - windlass manager: the operator itself. */
#include "cli/flags.h"
#include "cli/verbs.h"
#include "kube/manager.h"
#include "slinky/slinky.h"

enum { CONTROLLERS_MAX = 16 };

static int read_workers(struct cli *cli, unsigned *workers)
{
    for (size_t i = 0; slinky_worker_flags[i]; i++) {
        int64_t n = cli_int(cli, slinky_worker_flags[i]);

        if (n < 1 || n > 64)
            return cli_misuse(cli, "--%s: %lld is not between 1 and 64", slinky_worker_flags[i],
                              (long long)n);
        workers[i] = (unsigned)n;
    }
    return 0;
}

static int read_span(struct cli *cli, const char *name, usec *ret)
{
    const char *text = cli_text(cli, name);

    if (!duration_parse(text, ret) || *ret <= 0)
        return cli_misuse(cli, "--%s: '%s' is no duration such as 30s", name, text);
    return 0;
}

static int run(struct cli *cli)
{
    unsigned workers[CONTROLLERS_MAX] = { 0 };
    usec call_timeout = 0;
    struct slinky_options slinky = {
        .node_conditions = flags_list(cli, "propagated-node-conditions"),
    };
    int rc = flags_log(cli) ?: read_workers(cli, workers)
        ?: read_span(cli, "call-timeout", &call_timeout)
        ?: read_span(cli, "slurm-refresh", &slinky.slurm_refresh);

    if (rc)
        return rc;
    return manager_run(&(struct manager_options){
        .name = "slurm-operator",
        .kubeconfig = cli_text(cli, "kubeconfig"),
        .namespaces = flags_list(cli, "namespaces"),
        .call_timeout = call_timeout,
        .controllers = slinky_controllers,
        .workers = workers,
        .cache_rules = slinky_cache_rules,
        .health_address = cli_text(cli, "health-addr"),
        .metrics_address = cli_text(cli, "metrics-addr"),
        .metrics_secure = cli_bool(cli, "metrics-secure"),
        .leader_elect = cli_bool(cli, "leader-elect"),
        .leader_namespace = cli_text(cli, "leader-elect-namespace"),
        .leader_name = cli_text(cli, "leader-elect-id"),
        .on_start = slinky_start,
        .on_stop = slinky_stop,
        .userdata = &slinky,
    });
}

#define WORKERS(name_, kinds)                                                                      \
    { .name = name_, .type = OPTION_INT, .value = "N", .standard = "1",                            \
      .file = "controller-workers", .help = "passes over " kinds " at once" }

static const struct option options[] = {
    { .name = "kubeconfig", .value = "FILE", .help = "how to reach the cluster, outside of a pod" },
    { .name = "namespaces", .value = "LIST", .env = "WATCH_NAMESPACE",
      .help = "look only at these namespaces; all when empty" },
    { .name = "health-addr", .value = "ADDRESS", .standard = ":8081", .env = "HEALTH_BIND_ADDRESS",
      .help = "where to answer probes; 0 for nowhere" },
    { .name = "metrics-addr", .value = "ADDRESS", .standard = ":8080",
      .env = "METRICS_BIND_ADDRESS", .help = "where to serve metrics; 0 for nowhere" },
    { .name = "metrics-secure", .type = OPTION_BOOL,
      .help = "serve metrics by HTTPS, to those who may get /metrics" },
    { .name = "leader-elect", .type = OPTION_BOOL, .env = "LEADER_ELECTION_ENABLED",
      .help = "let one of several replicas lead" },
    { .name = "leader-elect-namespace", .value = "NAMESPACE", .help = "where the lease is kept" },
    { .name = "leader-elect-id", .value = "NAME", .standard = "slurm-operator",
      .env = "LEADER_ELECTION_ID", .help = "name of the lease" },
    { .name = "call-timeout", .value = "TIME", .standard = "30s",
      .help = "how long one call to the API server may take" },
    { .name = "slurm-refresh", .value = "TIME", .standard = "30s",
      .help = "how often Slurm is asked what changed" },
    { .name = "propagated-node-conditions", .value = "LIST",
      .help = "node conditions whose words become the reason of a drain" },
    WORKERS("controller-workers", "Controllers"),
    WORKERS("restapi-workers", "RestApis"),
    WORKERS("accounting-workers", "Accountings"),
    WORKERS("nodeset-workers", "NodeSets"),
    WORKERS("loginset-workers", "LoginSets"),
    WORKERS("slurmclient-workers", "connections to Slurm"),
    WORKERS("token-workers", "Tokens"),
    FLAGS_LOG,
    { .name = "enable-http2", .type = OPTION_BOOL,
      .help = "accepted for compatibility; the servers speak HTTP/1.1" },
    { .name = "profile", .type = OPTION_BOOL,
      .help = "accepted for compatibility; use perf on the process" },
    { .name = "profile-addr", .value = "ADDRESS", .help = "accepted for compatibility" },
    { 0 },
};

const struct verb manager_verb = {
    .name = "manager",
    .summary = "run the operator",
    .description = "Runs the controllers of slinky.slurm.net until SIGTERM. An option that is not "
                   "given is taken from its environment variable, then from a file of its key in "
                   "$WINDLASS_CONFIG_DIR (/etc/windlass/config).",
    .options = options,
    .run = run,
};

static int run_rbac(struct cli *cli)
{
    scoped(buf) struct buf rules = { 0 };

    (void)cli;
    manager_rbac(slinky_controllers, &rules);
    fputs(buf_text(&rules), stdout);
    return 0;
}

const struct verb rbac_verb = {
    .name = "rbac",
    .summary = "print the permissions that the operator needs",
    .description = "Prints the rules of a Role or ClusterRole, read off the controllers' tables.",
    .run = run_rbac,
};
