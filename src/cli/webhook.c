/* webhook.c - windlass webhook: admission and conversion for the kinds of slinky.slurm.net. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "cli/flags.h"
#include "cli/verbs.h"
#include "kube/manager.h"
#include "slinky/admission.h"
#include "slinky/convert.h"
#include "webhook/webhook.h"

/* What runs, from on_start to on_stop. */
struct service {
    struct cli *cli;
    struct strs namespaces;
    struct admission admission;
    struct webhook *webhook;
};

static const char *default_cert_dir(struct cli *cli)
{
    const char *tmp = getenv("TMPDIR");

    return fmt(cli->arena, "%s/k8s-webhook-server/serving-certs", str_empty(tmp) ? "/tmp" : tmp);
}

static int serve(struct service *s, struct manager *m, struct error *err)
{
    struct webhook_options options = {
        .address = cli_text(s->cli, "server-addr"),
        .cert_dir = cli_text(s->cli, "cert-dir") ?: default_cert_dir(s->cli),
        .hooks = slinky_hooks,
        .convert = convert_object,
        .context = &s->admission,
        .linger = cli_duration(s->cli, "shutdown-delay"),
    };

    s->webhook = webhook_start(manager_loop(m), &options, err);
    if (!s->webhook)
        return wrap(err, "webhook server");
    log_info(NULL, "answering reviews", KV("address", options.address));
    return 0;
}

static int on_start(struct manager *m, void *userdata, void **ret_context, struct error *err)
{
    struct service *s = userdata;

    *ret_context = s;
    admission_init(&s->admission, manager_client(m), s->namespaces);
    return serve(s, m, err);
}

static void on_stop(void *context)
{
    struct service *s = context;

    webhook_stop(s->webhook);
    admission_done(&s->admission);
}

static int run(struct cli *cli)
{
    static const struct controller *const none[] = { NULL };
    static const struct cache_rule no_rules[] = { { 0 } };
    struct service service = { .cli = cli, .namespaces = flags_list(cli, "namespaces") };
    int rc = flags_log(cli);

    if (rc)
        return rc;
    return manager_run(&(struct manager_options) {
        .name = "slurm-operator-webhook",
        .kubeconfig = cli_text(cli, "kubeconfig"),
        .controllers = none,
        .cache_rules = no_rules,
        .health_address = cli_text(cli, "health-addr"),
        .metrics_address = cli_text(cli, "metrics-addr"),
        .metrics_secure = cli_bool(cli, "metrics-secure"),
        .on_start = on_start,
        .on_stop = on_stop,
        .userdata = &service,
    });
}

static const struct option options[] = {
    { .name = "kubeconfig", .value = "FILE", .help = "how to reach the cluster, outside of a pod" },
    { .name = "namespaces",
      .value = "LIST",
      .env = "WATCH_NAMESPACE",
      .help = "look for workers only in these namespaces; all when empty" },
    { .name = "server-addr",
      .value = "ADDRESS",
      .standard = ":9443",
      .help = "where to answer reviews, by HTTPS" },
    { .name = "health-addr",
      .value = "ADDRESS",
      .standard = ":8081",
      .env = "HEALTH_BIND_ADDRESS",
      .help = "where to answer probes; 0 for nowhere" },
    { .name = "metrics-addr",
      .value = "ADDRESS",
      .standard = "0",
      .env = "METRICS_BIND_ADDRESS",
      .help = "where to serve metrics; 0 for nowhere" },
    { .name = "metrics-secure",
      .type = OPTION_BOOL,
      .help = "serve metrics by HTTPS, to those who may get /metrics" },
    { .name = "cert-dir",
      .value = "DIRECTORY",
      .help = "holds tls.crt and tls.key, taken up again when they change; "
              "k8s-webhook-server/serving-certs below $TMPDIR or /tmp when not given" },
    { .name = "shutdown-delay",
      .type = OPTION_DURATION,
      .value = "DURATION",
      .standard = "5s",
      .help = "how long to go on answering after SIGTERM, until others know that we leave" },
    FLAGS_LOG,
    { .name = "leader-elect",
      .type = OPTION_BOOL,
      .help = "accepted for compatibility; every replica serves" },
    { .name = "leader-elect-namespace",
      .value = "NAMESPACE",
      .help = "accepted for compatibility" },
    { .name = "enable-http2",
      .type = OPTION_BOOL,
      .help = "accepted for compatibility; the server speaks HTTP/1.1" },
    { 0 },
};

const struct verb webhook_verb = {
    .name = "webhook",
    .summary = "answer an API server's questions about resources",
    .description = "Serves the validating webhooks of slinky.slurm.net, the webhook that brings "
                   "topology onto workers as they are bound, and conversion between versions. Any "
                   "number of replicas may serve.",
    .options = options,
    .run = run,
};
