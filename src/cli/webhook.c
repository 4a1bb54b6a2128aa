/* webhook.c - windlass webhook: admission and conversion for the kinds of slinky.slurm.net. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "cli/flags.h"
#include "cli/verbs.h"
#include "kube/config.h"
#include "kube/manager.h"
#include "slinky/admission.h"
#include "slinky/convert.h"
#include "webhook/keeper.h"
#include "webhook/webhook.h"

/* What runs, from on_start to on_stop. */
struct service {
    struct cli *cli;
    struct strs namespaces;
    const char *namespace; /* our own */
    struct admission admission;
    struct webhook *webhook;
    struct keeper *keeper; /* NULL: certificates come from a directory */
};

#define CRD(plural) plural "." CONVERT_GROUP
static const char *const converted_crds[] = {
    CRD("accountings"), CRD("controllers"), CRD("loginsets"), CRD("nodesets"),
    CRD("restapis"),    CRD("tokens"),      NULL,
};
static const char *const no_crds[] = { NULL };

static const char *default_cert_dir(struct cli *cli)
{
    const char *tmp = getenv("TMPDIR");

    return fmt(cli->arena, "%s/k8s-webhook-server/serving-certs", str_empty(tmp) ? "/tmp" : tmp);
}

static int take_up(void *userdata, const struct tls_pair *pair, struct error *err)
{
    struct service *s = userdata;

    return webhook_set_pair(s->webhook, pair, err);
}

static int make_keeper(struct service *s, struct manager *m, struct tls_pair *ret,
                       struct error *err)
{
    const struct cli *cli = s->cli;
    struct keeper_options options = {
        .secret = cli_text(cli, "cert-secret"),
        .names = flags_list(s->cli, "cert-names"),
        .ca_valid = cli_duration(cli, "ca-validity"),
        .cert_valid = cli_duration(cli, "cert-validity"),
        .bundles = { .namespace = s->namespace,
                     .service = cli_text(cli, "service-name"),
                     .configuration = cli_text(cli, "webhook-configuration"),
                     .crds = cli_bool(cli, "convert-crds") ? converted_crds : no_crds },
        .on_pair = take_up,
        .userdata = s,
    };

    s->keeper = keeper_new(manager_client(m), &options, ret, err);
    return s->keeper ? 0 : err->code ?: -EIO;
}

static int serve(struct service *s, struct manager *m, const struct tls_pair *pair,
                 struct error *err)
{
    struct webhook_options options = {
        .address = cli_text(s->cli, "server-addr"),
        .cert_dir = cli_text(s->cli, "cert-dir") ?: default_cert_dir(s->cli),
        .pair = pair,
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

static int serve_by_own_certificate(struct service *s, struct manager *m, struct error *err)
{
    scoped(tls_pair) struct tls_pair pair = { 0 };

    return make_keeper(s, m, &pair, err) ?: serve(s, m, &pair, err) ?: keeper_start(s->keeper, err);
}

static int on_start(struct manager *m, void *userdata, void **ret_context, struct error *err)
{
    struct service *s = userdata;

    *ret_context = s;
    admission_init(&s->admission, manager_client(m), s->namespaces);
    if (cli_bool(s->cli, "self-managed-certs"))
        return serve_by_own_certificate(s, m, err);
    return serve(s, m, NULL, err);
}

static void on_stop(void *context)
{
    struct service *s = context;

    keeper_free(s->keeper);
    webhook_stop(s->webhook);
    admission_done(&s->admission);
}

/* Where we run: as told, or the pod's own, or that of the kubeconfig. */
static int find_namespace(struct service *s, struct error *err)
{
    struct kube_config config = { 0 };
    int rc;

    s->namespace = cli_text(s->cli, "namespace");
    if (s->namespace || !cli_bool(s->cli, "self-managed-certs"))
        return 0;
    rc = kube_config_load(s->cli->arena, cli_text(s->cli, "kubeconfig"), NULL, &config, err);
    s->namespace = config.namespace;
    return rc;
}

static int check_spans(struct cli *cli)
{
    static const char *const names[] = { "ca-validity", "cert-validity" };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (cli_duration(cli, names[i]) < 10 * USEC_SEC)
            return cli_misuse(cli, "--%s: less than 10s is too short to renew in time", names[i]);
    return 0;
}

static int run(struct cli *cli)
{
    static const struct controller *const none[] = { NULL };
    static const struct cache_rule no_rules[] = { { 0 } };
    struct service service = { .cli = cli, .namespaces = flags_list(cli, "namespaces") };
    struct error err = { 0 };
    int rc = flags_log(cli) ?: check_spans(cli);

    if (rc)
        return rc;
    if (find_namespace(&service, &err) < 0)
        return cli_fail(cli, &err);
    return manager_run(&(struct manager_options) {
        .name = "slurm-operator-webhook",
        .kubeconfig = cli_text(cli, "kubeconfig"),
        .controllers = none,
        .cache_rules = no_rules,
        .health_address = cli_text(cli, "health-addr"),
        .metrics_address = cli_text(cli, "metrics-addr"),
        .metrics_secure = cli_bool(cli, "metrics-secure"),
        .call_timeout = 5 * USEC_SEC,
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
    { .name = "self-managed-certs", .type = OPTION_BOOL,
      .help = "make and renew the certificate ourselves, and keep the caBundle of the webhook "
              "configurations and CRDs right" },
    { .name = "cert-secret", .value = "NAME", .standard = "slurm-operator-webhook-certs",
      .help = "Secret in which all replicas share the CA and the certificate" },
    { .name = "namespace", .value = "NAMESPACE", .env = "POD_NAMESPACE",
      .help = "namespace of that Secret and of the Service; our own when not given" },
    { .name = "service-name", .value = "NAME", .standard = "slurm-operator-webhook",
      .help = "Service by which API servers reach us" },
    { .name = "webhook-configuration", .value = "NAME", .standard = "slurm-operator-webhook",
      .help = "name of the validating and of the mutating configuration" },
    { .name = "convert-crds", .type = OPTION_BOOL, .standard = "true",
      .help = "with self-managed certificates, have the CRDs converted by us" },
    { .name = "cert-names", .value = "LIST",
      .help = "further names and addresses in the certificate" },
    { .name = "ca-validity", .type = OPTION_DURATION, .value = "DURATION", .standard = "87600h",
      .help = "life of the CA" },
    { .name = "cert-validity", .type = OPTION_DURATION, .value = "DURATION", .standard = "2160h",
      .help = "life of the certificate; it is renewed when a third of it is left" },
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
