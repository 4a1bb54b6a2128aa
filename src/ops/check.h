/* check.h - is this cluster fit for us?
 *
 * Each question ends as one finding: ok, warn (works, but not all of it), fail (will not work), or
 * unknown, when the answer could not be had; unknown is never ok. Every finding that is not ok says
 * what to do.
 */
#pragma once
#include "json/table.h"

struct session;

enum verdict { VERDICT_OK, VERDICT_WARN, VERDICT_FAIL, VERDICT_UNKNOWN };
const char *verdict_name(enum verdict verdict);

struct finding {
    const char *what;
    enum verdict verdict;
    const char *text;
    const char *todo; /* NULL when there is nothing to do */
};

struct findings {
    struct finding *v;
    size_t n;
};

/* Asks everything; namespace is where the operator lives or would. Returns 0 when nothing failed,
 * else 1. */
int check_run(struct session *s, const char *namespace, struct findings *ret);

/* Where to ask for those Deployments. */
const char *check_operators_path(struct arena *a);

/* The judgements: pure functions of what the server answered. Lists are Kubernetes lists. */
struct finding judge_version(struct arena *a, const struct json *version);
struct finding judge_nodes(struct arena *a, const struct json *nodes);
struct finding judge_gpus(struct arena *a, const struct json *nodes);
struct finding judge_dns(struct arena *a, const struct json *services);
struct finding judge_storage(struct arena *a, const struct json *classes);
/* Deployments with the operator's label, in all namespaces. */
struct finding judge_operators(struct arena *a, const struct json *deployments);
/* Where among them we are installed and run; NULL: nowhere. */
const char *judge_home(const struct json *deployments);
/* CRDs of the cluster. */
struct finding judge_crds(struct arena *a, const struct json *crds);
/* What a kubelet's metrics say: 1, 2, or 0 when they do not say. */
int judge_cgroup_version(const char *metrics);
