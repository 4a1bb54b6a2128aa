/* admission.c - judges objects of slinky.slurm.net with the rules of validate.h. */
#include "slinky/admission.h"

#include <errno.h>

#include "base/str.h"
#include "k8s/binding.h"
#include "k8s/configmap.h"
#include "k8s/node.h"
#include "k8s/pod.h"
#include "k8s/pvc.h"
#include "kube/cache.h"
#include "kube/client.h"
#include "slinky/accounting.h"
#include "slinky/binding.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/names.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"
#include "slinky/validate.h"

#define WORKER_SELECTOR SLINKY_APP_NAME "=slurmd"
#define LOOK_TIME (3 * USEC_SEC) /* for all that one review reads; the API server waits 10 s */

/* ------------------------------------------------------------------ what is watched */

void admission_init(struct admission *admission, struct client *client, struct strs namespaces)
{
    *admission = (struct admission) { .client = client, .lock = PTHREAD_MUTEX_INITIALIZER };
    admission->nodes =
        cache_new(&(struct cache_options) { .kind = &k8s_node_kind, .metadata_only = true });
    admission->pods = cache_new(&(struct cache_options) { .kind = &k8s_pod_kind,
                                                          .namespaces = namespaces,
                                                          .label_selector = WORKER_SELECTOR,
                                                          .metadata_only = true });
}

void admission_watch(struct admission *admission)
{
    scoped_lock(&admission->lock);

    if (!admission->is_watching) {
        cache_start(admission->nodes, admission->client);
        cache_start(admission->pods, admission->client);
    }
    admission->is_watching = true;
}

void admission_done(struct admission *admission)
{
    if (admission->is_watching) {
        cache_stop(admission->nodes);
        cache_stop(admission->pods);
    }
    cache_free(admission->nodes);
    cache_free(admission->pods);
}

/* ------------------------------------------------------------------ what is around */

struct look {
    struct arena *arena;
    struct client *client;
    usec deadline;
};

static enum known look_at(struct look *look, const struct kind *kind, const char *namespace,
                          const char *name, const void **ret)
{
    struct call call = { .verb = VERB_GET,
                         .kind = kind,
                         .namespace = namespace,
                         .name = name,
                         .deadline = look->deadline };
    struct outcome outcome = { 0 };

    if (!look->client || clock_now() >= look->deadline)
        return KNOWN_NOTHING;
    switch (client_call(look->client, look->arena, &call, &outcome, NULL)) {
    case 0:
        *ret = outcome.object;
        return *ret ? KNOWN_THERE : KNOWN_NOTHING;
    case -ENOENT:
        return KNOWN_ABSENT;
    default:
        return KNOWN_NOTHING;
    }
}

static enum known files_of(void *userdata, const char *namespace, const char *config_map,
                           struct strs *ret_files)
{
    struct look *look = userdata;
    const void *object = NULL;
    enum known known = look_at(look, &k8s_configmap_kind, namespace, config_map, &object);
    const struct k8s_configmap *map = object;
    struct strs files = { 0 };

    if (known != KNOWN_THERE)
        return known;
    files.v = arena_make_n(look->arena, const char *, map->data.n);
    for_each (file, map->data)
        files.v[files.n++] = file->key;
    *ret_files = files;
    return known;
}

static enum known access_modes_of(void *userdata, const char *namespace, const char *claim,
                                  struct strs *ret_modes)
{
    const void *object = NULL;
    enum known known = look_at(userdata, &k8s_pvc_kind, namespace, claim, &object);

    if (known == KNOWN_THERE)
        *ret_modes = ((const struct k8s_pvc *)object)->spec.access_modes;
    return known;
}

/* ------------------------------------------------------------------ verdicts */

static void conclude(struct problems *p, struct verdict *verdict)
{
    const char **warnings = arena_make_n(p->arena, const char *, p->warnings.n);

    for_each (problem, p->warnings)
        warnings[problem - p->warnings.v] = problem_text(p->arena, problem);
    verdict->warnings = (struct strs) { .v = warnings, .n = p->warnings.n };
    if (!p->errors.n)
        return;
    verdict->allowed = false;
    verdict->reason = "Forbidden";
    verdict->message = problems_text(p->arena, p->errors);
}

static void judge(struct arena *a, const struct kind *kind, const struct review *review,
                  struct verdict *verdict, const struct admission *admission)
{
    struct problems p = { .arena = a };
    struct look look = { .arena = a,
                         .client = admission->client,
                         .deadline = clock_now() + LOOK_TIME };
    struct surroundings around = { .now = clock_wall(),
                                   .files_of = files_of,
                                   .access_modes_of = access_modes_of,
                                   .userdata = &look };

    validate_object(&p, kind, review->old_object, review->object, &around);
    conclude(&p, verdict);
}

#define JUDGE(kind)                                                                                \
    static void judge_##kind(struct arena *a, const struct review *review, struct verdict *ret,    \
                             void *context)                                                        \
    {                                                                                              \
        judge(a, &slinky_##kind##_kind, review, ret, context);                                     \
    }

JUDGE(accounting)
JUDGE(controller)
JUDGE(loginset)
JUDGE(nodeset)
JUDGE(restapi)
JUDGE(token)

#define HOOK(kind, ...)                                                                            \
    {                                                                                              \
        .name = #kind, .path = "/validate-slinky-slurm-net-v1beta1-" #kind,                        \
        .type = &slinky_##kind##_type, .judge = judge_##kind, ##__VA_ARGS__                        \
    }

const struct hook slinky_hooks[] = {
    HOOK(accounting),
    HOOK(controller, .waits = true),
    HOOK(loginset),
    HOOK(nodeset),
    HOOK(restapi),
    HOOK(token),
    { .name = "binding",
      .path = "/mutate--v1-binding",
      .type = &k8s_binding_type,
      .judge = binding_judge,
      .quick = binding_quick,
      .waits = true },
    { 0 },
};
