/* workers.c - what a worker is called. */
#include "model/workers.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"

const char *worker_index(struct arena *a, const struct model_workers *set, int64_t ordinal)
{
    return fmt(a, "%0*" PRId64, set->padding, ordinal);
}

const char *worker_pod_name(struct arena *a, const struct model_workers *set,
                            const struct worker *worker)
{
    if (set->mode == WORKERS_PER_NODE)
        return worker->name;
    return fmt(a, "%s-%s", set->name, worker_index(a, set, worker->ordinal));
}

const char *worker_hostname(struct arena *a, const struct model_workers *set,
                            const struct worker *worker)
{
    if (set->mode == WORKERS_PER_NODE)
        return worker->node_hostname ?: arena_strn(a, worker->node, strcspn(worker->node, "."));
    if (set->hostname)
        return fmt(a, "%s%s", set->hostname, worker_index(a, set, worker->ordinal));
    return worker_pod_name(a, set, worker);
}

bool worker_ordinal(const struct model_workers *set, const char *pod_name, int64_t *ret)
{
    size_t len = strlen(set->name);
    const char *digits;

    if (!pod_name || strncmp(pod_name, set->name, len) != 0 || pod_name[len] != '-')
        return false;
    digits = pod_name + len + 1;
    return digits[0] && digits[strspn(digits, "0123456789")] == '\0' && str_int(digits, ret);
}

const char *worker_claim_name(struct arena *a, const struct model_workers *set,
                              const struct worker *worker, const char *claim)
{
    const char *whose = set->mode == WORKERS_PER_NODE ? worker_hostname(a, set, worker)
                                                      : worker_index(a, set, worker->ordinal);

    return fmt(a, "%s-%s-%s", claim, set->name, whose);
}
