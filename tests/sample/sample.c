/* sample.c - a whole operator: every Greeting becomes ConfigMaps that say it.
 *
 * docs/tutorial.md walks through this file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/cli.h"
#include "greeting.h"
#include "k8s/configmap.h"
#include "k8s/secret.h"
#include "kinds.h"
#include "kube/controller.h"
#include "kube/manager.h"

/* ------------------------------------------------------------------ what is wanted */

static struct k8s_configmap *copy_of(struct reconcile *r, const struct greeting *greeting,
                                     int64_t number, const char *signature)
{
    struct k8s_configmap copy = {
        .meta = { .name = fmt(r->arena, "%s-%d", greeting->meta.name, (int)number),
                  .namespace = greeting->meta.namespace },
    };

    copy.meta.labels = pairs_with(r->arena, copy.meta.labels, "sample.windlass.dev/greeting",
                                  greeting->meta.name);
    copy.data = pairs_with(r->arena, copy.data, "text", greeting->spec.text ?: "");
    if (signature)
        copy.data = pairs_with(r->arena, copy.data, "signature", signature);
    return k8s_configmap_keep(r->arena, &copy);
}

/* ------------------------------------------------------------------ steps */

static int read_signature(struct reconcile *r, const struct greeting *greeting, const char **ret)
{
    const void *object = NULL;
    const struct k8s_secret *secret;
    const char *encoded;
    int rc;

    if (!greeting->spec.secret)
        return 0;
    rc = reconcile_follow(r, &k8s_secret_kind, r->namespace, greeting->spec.secret, &object);
    if (rc < 0)
        return rc;
    secret = object;
    encoded = secret ? pairs_get(secret->data, "signature") : NULL;
    *ret = encoded ? base64_decode(r->arena, encoded, NULL) : NULL;
    return 0;
}

static int delete_surplus(struct reconcile *r, const struct greeting *greeting, int64_t copies)
{
    struct objects owned = reconcile_owned(r, &k8s_configmap_kind);

    for_each (object, owned) {
        const struct k8s_meta *meta = *object;
        int64_t number = 0;
        int rc;

        if (!str_starts(meta->name, greeting->meta.name) ||
            !str_int(meta->name + strlen(greeting->meta.name) + 1, &number) || number < copies)
            continue;
        rc = reconcile_delete(r, &k8s_configmap_kind, meta->name);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int reconcile(struct reconcile *r)
{
    const struct greeting *greeting = r->object;
    int64_t copies = int_or(greeting->spec.copies, 1);
    const char *signature = NULL;
    struct greeting now = *greeting;
    int rc;

    if (str_empty(greeting->spec.text))
        return fail(&r->err, -EINVAL, "spec.text: missing; say something");
    if (greeting->spec.friend && !GET(r, greeting, greeting->spec.friend))
        return waiting(r, "no Greeting '%s' yet", greeting->spec.friend);
    rc = read_signature(r, greeting, &signature);
    for (int64_t i = 0; rc == 0 && i < copies; i++)
        rc = APPLY(r, copy_of(r, greeting, i, signature));
    rc = rc ?: delete_surplus(r, greeting, copies);
    now.status.copies = (struct maybe_int)SOME(copies);
    if (rc == 0)
        reconcile_status(r, &now);
    return rc;
}

static int say_goodbye(struct reconcile *r)
{
    log_info(r->log, "goodbye", KV("name", r->name));
    return 0;
}

static const struct controller greeting_controller = {
    .name = "greeting-controller",
    .reconciles = &greeting_kind,
    .owns = KINDS(&k8s_configmap_kind),
    .follows = KINDS(&k8s_secret_kind),
    .watches = WATCHES({ &greeting_kind, .by = "spec.friend" }),
    .reconcile = reconcile,
    .finalizer = "sample.windlass.dev/goodbye",
    .finalize = say_goodbye,
};

/* ------------------------------------------------------------------ the program */

static int run(struct cli *cli)
{
    static const struct controller *const controllers[] = { &greeting_controller, NULL };
    static const struct cache_rule rules[] = {
        { &k8s_configmap_kind, .label_selector = "sample.windlass.dev/greeting" },
        { 0 },
    };
    unsigned workers = (unsigned)cli_int(cli, "workers");
    enum log_level level = LOG_INFO;
    usec call_timeout = 0;

    if (!duration_parse(cli_text(cli, "call-timeout"), &call_timeout)) {
        fprintf(stderr, "sample: --call-timeout: '%s' is no duration such as 30s\n",
                cli_text(cli, "call-timeout"));
        return 2;
    }
    log_level_parse(cli_text(cli, "log-level"), &level);
    log_configure(level, LOG_TEXT);
    return manager_run(&(struct manager_options){
        .name = "sample",
        .replaces = STRS("sample-of-old"),
        .kubeconfig = cli_text(cli, "kubeconfig"),
        .controllers = controllers,
        .workers = &workers,
        .cache_rules = rules,
        .health_address = cli_text(cli, "health-addr"),
        .metrics_address = cli_text(cli, "metrics-addr"),
        .metrics_secure = cli_bool(cli, "metrics-secure"),
        .call_timeout = call_timeout,
        .leader_elect = cli_bool(cli, "leader-elect"),
        .leader_namespace = "default",
        .leader_name = "sample",
    });
}

static const struct option options[] = {
    { "kubeconfig", .value = "FILE", .help = "how to reach the cluster" },
    { "workers", .type = OPTION_INT, .value = "N", .standard = "4", .help = "passes at once" },
    { "log-level", .value = "LEVEL", .standard = "info", .help = "error, info, debug or trace" },
    { "health-addr", .value = "ADDRESS", .standard = "0", .help = "where to answer probes" },
    { "metrics-addr", .value = "ADDRESS", .standard = "0", .help = "where to serve metrics" },
    { "metrics-secure", .type = OPTION_BOOL, .help = "ask scrapers who they are" },
    { "call-timeout", .value = "TIME", .standard = "30s", .help = "for one call to the API" },
    { "leader-elect", .type = OPTION_BOOL, .help = "lead by a Lease" },
    { 0 },
};

int main(int argc, char **argv)
{
    static const struct verb verb = { .name = "sample", .summary = "the sample operator",
                                      .options = options, .run = run };

    return cli_main(&verb, argc, argv);
}
