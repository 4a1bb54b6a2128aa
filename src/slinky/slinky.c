/* slinky.c - the controllers of slinky.slurm.net, what they cache, and what they share. */
#include "slinky/slinky.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "kinds.h"
#include "slinky/shared.h"
#include "slurm/registry.h"

/* What we make carries these labels, so that memory does not follow the Secrets, ConfigMaps and pods
 * of everybody else. What users made is followed by name. */
#define OURS                                                                                       \
    "app.kubernetes.io/component in (accounting,controller,login,restapi,token,worker),"           \
    "app.kubernetes.io/name in (login,slurmctld,slurmd,slurmdbd,slurmrestd,token)"
#define WORKERS "app.kubernetes.io/name=slurmd"
#define DAEMON_PODS "app.kubernetes.io/name in (slurmctld,slurmd)"

enum { RESOLV_CONF_MAX = 65536 };

const struct controller *const slinky_controllers[] = {
    &controller_controller, &restapi_controller,     &accounting_controller, &nodeset_controller,
    &loginset_controller,   &slurmclient_controller, &token_controller,
    NULL,
};

const char *const slinky_worker_flags[] = {
    "controller-workers", "restapi-workers",     "accounting-workers", "nodeset-workers",
    "loginset-workers",   "slurmclient-workers", "token-workers",
    NULL,
};

const struct cache_rule slinky_cache_rules[] = {
    { &k8s_configmap_kind, .label_selector = OURS },
    { &k8s_secret_kind, .label_selector = OURS },
    { &k8s_service_kind, .label_selector = OURS },
    { &k8s_deployment_kind, .label_selector = OURS },
    { &k8s_statefulset_kind, .label_selector = OURS },
    { &k8s_pod_kind, .label_selector = DAEMON_PODS },
    { &k8s_pvc_kind, .label_selector = WORKERS },
    { &k8s_controllerrevision_kind, .label_selector = WORKERS },
    { &k8s_servicemonitor_kind, .label_selector = OURS, .optional = true },
    { 0 },
};

/* ------------------------------------------------------------------ the cluster's domain */

char *slinky_domain(struct arena *a, const char *resolv_conf)
{
    char *text = arena_str(a, resolv_conf ?: "");
    char *lines = NULL;

    for (char *line = strtok_r(text, "\n", &lines); line; line = strtok_r(NULL, "\n", &lines)) {
        char *words = NULL;
        char *word = strtok_r(line, " \t", &words);

        if (!str_eq(word, "search"))
            continue;
        while ((word = strtok_r(NULL, " \t", &words)))
            if (str_starts(word, "svc.") && word[4])
                return word + 4;
    }
    return NULL;
}

static char *read_domain(void)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(free) char *text = NULL;

    if (file_read("/etc/resolv.conf", RESOLV_CONF_MAX, &text, NULL, NULL) < 0)
        return must_str(SLINKY_DOMAIN);
    return must_str(slinky_domain(a, text) ?: SLINKY_DOMAIN);
}

/* ------------------------------------------------------------------ what they share */

int slinky_start(struct manager *m, void *userdata, void **ret_context, struct error *err)
{
    const struct slinky_options *options = userdata;
    struct slinky *slinky = must_alloc(sizeof *slinky);

    (void)err;
    slinky->manager = m;
    slinky->slurms = slurm_registry_new(manager_loop(m));
    slinky->node_conditions = options->node_conditions;
    slinky->slurm_refresh = options->slurm_refresh;
    slinky->domain = read_domain();
    nodeset_subscribe(slinky);
    *ret_context = slinky;
    return 0;
}

void slinky_stop(void *context)
{
    struct slinky *slinky = context;

    if (!slinky)
        return;
    nodeset_unsubscribe(slinky);
    slurm_registry_free(slinky->slurms);
    free(slinky->domain);
    free(slinky);
}
