/* controller_active.c - which slurmctld serves, and the label that the Service finds it by.
 *
 * With one replica the Service selects the pod by the labels of its template and nothing is done
 * here. With backups the pods themselves are asked: only the one that serves answers /readyz. When
 * none of them can be asked the label stays where it is, as long as that pod is ready.
 */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "k8s/pod.h"
#include "kinds.h"
#include "net/http.h"
#include "slinky/controller_parts.h"
#include "slinky/names.h"

#define ASK_TIME (2 * USEC_SEC)
#define ASK_AGAIN (10 * USEC_SEC) /* a backup takes over without any change of its pod */

bool pod_is_ready(const struct k8s_pod *pod)
{
    if (!pod || pod->meta.deletion_timestamp)
        return false;
    for_each (condition, pod->status.conditions)
        if (str_eq(condition->type, "Ready"))
            return str_eq(condition->status, "True");
    return false;
}

size_t active_choose(const struct active_candidate *v, size_t n)
{
    size_t best = 0;
    int best_rank = -1;

    for (size_t i = 0; i < n; i++) {
        int rank = v[i].serves == ANSWER_YES ? 8 : 0;

        rank += v[i].ready ? 4 : 0;
        rank += v[i].ready && v[i].labelled ? 2 : 0;
        rank += v[i].ready && v[i].serves != ANSWER_NO ? 1 : 0;
        if (rank > best_rank) {
            best = i;
            best_rank = rank;
        }
    }
    return best;
}

/* Unknown when there is no way to ask it. */
static enum answer ask(struct reconcile *r, const struct k8s_pod *pod)
{
    const struct slinky *slinky = r->context;
    const char *ip = pod->status.pod_ip;
    scoped(http) struct http *http = NULL;
    scoped(http_response) struct http_response response = { 0 };
    struct http_request request = { .path = "/readyz", .deadline = clock_now() + ASK_TIME };
    struct http_options options = { .http1_only = true, .connect_timeout = ASK_TIME };

    if (str_empty(ip))
        return ANSWER_UNKNOWN;
    options.url = fmt(r->arena, strchr(ip, ':') ? "http://[%s]:%d" : "http://%s:%d", ip,
                      SLURMCTLD_PORT);
    http = http_new(manager_loop(slinky->manager), &options, NULL);
    if (!http || http_do(http, &request, &response, NULL) < 0)
        return ANSWER_UNKNOWN;
    return response.status >= 200 && response.status < 300 ? ANSWER_YES : ANSWER_NO;
}

static int set_label(struct reconcile *r, const struct k8s_pod *pod, bool active)
{
    struct call call = { .verb = VERB_MERGE_PATCH, .kind = &k8s_pod_kind,
                         .namespace = r->namespace, .name = pod->meta.name };
    int rc;

    call.body = fmt(r->arena, "{\"metadata\":{\"uid\":\"%s\",\"labels\":{\"%s\":%s}}}",
                    pod->meta.uid, SLINKY_ACTIVE, active ? "\"true\"" : "null");
    rc = reconcile_call(r, &call, NULL);
    if (rc == -ENOENT || rc == -ESTALE)
        return 0; /* it went, or another took its name: its change wakes us */
    if (rc == 0)
        log_info(r->log, active ? "slurmctld is active" : "slurmctld is not active any more",
                 KV("pod", pod->meta.name));
    return rc;
}

int controller_active_sync(struct reconcile *r, const struct model_controller *m)
{
    size_t n = (size_t)m->replicas;
    const struct k8s_pod **pods = arena_make_n(r->arena, const struct k8s_pod *, n);
    struct active_candidate *candidates = arena_make_n(r->arena, struct active_candidate, n);
    size_t active;
    int rc = 0;

    if (n < 2)
        return 0;
    again_after(r, ASK_AGAIN);
    for (size_t i = 0; i < n; i++) {
        pods[i] = GET(r, k8s_pod, slinky_controller_pod_name(r->arena, r->name, (int)i));
        if (!pods[i])
            continue;
        candidates[i].ready = pod_is_ready(pods[i]);
        candidates[i].labelled = str_eq(pairs_get(pods[i]->meta.labels, SLINKY_ACTIVE), "true");
        candidates[i].serves = ask(r, pods[i]);
    }
    active = active_choose(candidates, n);
    for (size_t i = 0; i < n && rc == 0; i++)
        if (pods[i] && candidates[i].labelled != (i == active))
            rc = set_label(r, pods[i], i == active);
    return rc;
}
