/* apply.c - writes: only what changes something, and every answer into the cache. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "kube/runtime.h"

/* What we sent last and which version came of it. A server that writes a value in its own way ("1000m"
 * as "1") would otherwise look different for ever. */
struct applied {
    uint64_t hash;
    char version[32];
};

void applied_free(struct manager *m)
{
    map_done(&m->applied, free);
}

static char *applied_key(struct arena *a, const struct kind *kind, const struct k8s_meta *meta)
{
    return fmt(a, "%s/%s/%s", kind->plural, meta->namespace ?: "", meta->name);
}

static void remember(struct reconcile *r, const struct kind *kind, const struct k8s_meta *now,
                     uint64_t hash)
{
    struct manager *m = r->pass->runner->manager;
    struct applied *applied = must_alloc(sizeof *applied);

    applied->hash = hash;
    snprintf(applied->version, sizeof applied->version, "%s", now->resource_version ?: "");
    scoped_lock(&m->lock);
    free(map_put(&m->applied, applied_key(r->arena, kind, now), applied));
}

void applied_forget(struct manager *m, const struct kind *kind, const struct k8s_meta *gone)
{
    scoped(arena) struct arena *a = arena_new();
    scoped_lock(&m->lock);

    free(map_remove(&m->applied, applied_key(a, kind, gone)));
}

static bool is_what_came_of_it(struct reconcile *r, const struct kind *kind,
                               const struct k8s_meta *live, uint64_t hash)
{
    struct manager *m = r->pass->runner->manager;
    scoped_lock(&m->lock);
    struct applied *applied = map_get(&m->applied, applied_key(r->arena, kind, live));

    return applied && applied->hash == hash && str_eq(applied->version, live->resource_version);
}

/* ------------------------------------------------------------------ ownership */

void reconcile_own(struct reconcile *r, struct k8s_meta *meta)
{
    const struct kind *kind = r->pass->runner->controller->reconciles;
    struct k8s_owner_reference *owner;

    if (meta->owner_references.v)
        return; /* an empty list that is there says: none */
    owner = arena_make(r->arena, struct k8s_owner_reference);
    *owner = (struct k8s_owner_reference){
        .api_version = kind_api_version(r->arena, kind),
        .kind = kind->kind,
        .name = r->name,
        .uid = r->pass->meta->uid,
        .controller = YES,
        .block_owner_deletion = YES,
    };
    meta->owner_references.v = owner;
    meta->owner_references.n = 1;
}

static const struct k8s_owner_reference *controller_of(const struct k8s_meta *meta)
{
    for_each (owner, meta->owner_references)
        if (owner->controller == YES)
            return owner;
    return NULL;
}

/* An object of that name which somebody else controls is never taken over. */
static int check_owner(struct reconcile *r, const struct kind *kind, const struct k8s_meta *live,
                       const struct k8s_meta *want)
{
    const struct k8s_owner_reference *theirs = live ? controller_of(live) : NULL;
    const struct k8s_owner_reference *ours = controller_of(want);

    if (!theirs || !ours || str_eq(theirs->uid, ours->uid))
        return 0;
    return fail(&r->err, -EINVAL,
                "%s %s exists and belongs to %s %s: rename one of the two, or delete it",
                kind->kind, want->name, theirs->kind, theirs->name);
}

/* ------------------------------------------------------------------ apply */

static bool is_converged(struct reconcile *r, const struct kind *kind, const void *live,
                         const void *want, uint64_t hash)
{
    const struct k8s_meta *meta = live;
    const char *applied = pairs_get(meta->annotations, APPLIED_HASH);
    const char *difference = NULL;

    if (is_what_came_of_it(r, kind, meta, hash))
        return true;
    if (applied && !str_eq(applied, fmt(r->arena, "%016" PRIx64, hash))) {
        log_debug(r->log, "wanted otherwise than before", KV("kind", kind->kind),
                  KV("name", meta->name));
        return false;
    }
    if (table_covers(r->arena, kind->type, live, want, &difference))
        return true;
    log_debug(r->log, "differs", KV("kind", kind->kind), KV("name", meta->name),
              KV("at", difference));
    return false;
}

static int send(struct reconcile *r, const struct kind *kind, void *want, uint64_t hash,
                bool is_new)
{
    struct k8s_meta *meta = want;
    struct call call = { .verb = VERB_APPLY, .kind = kind, .object = want, .force = true };
    struct outcome outcome;
    int rc;

    meta->annotations = pairs_with(r->arena, meta->annotations, APPLIED_HASH,
                                   fmt(r->arena, "%016" PRIx64, hash));
    rc = reconcile_call(r, &call, &outcome);
    if (rc < 0)
        return rc;
    if (outcome.object)
        remember(r, kind, outcome.object, hash);
    log_info(r->log, is_new ? "created" : "changed", KV("kind", kind->kind),
             KV("name", meta->name));
    if (is_new)
        reconcile_event(r, false, "CreateSucceeded", "Create", "Created %s %s", kind->kind,
                        meta->name);
    return 0;
}

int reconcile_apply(struct reconcile *r, const struct kind *kind, const void *object)
{
    void *want = arena_copy(r->arena, object, kind->type->size);
    struct k8s_meta *meta = want;
    const void *live;
    uint64_t hash;
    int rc;

    if (kind->namespaced && !meta->namespace)
        meta->namespace = r->namespace;
    reconcile_own(r, meta);
    live = reconcile_get(r, kind, meta->namespace, meta->name);
    rc = check_owner(r, kind, live, meta);
    if (rc < 0)
        return rc;
    hash = table_hash(kind->type, want);
    if (live && is_converged(r, kind, live, want, hash))
        return 0;
    if (live && !pairs_get(((const struct k8s_meta *)live)->annotations, APPLIED_HASH))
        rc = adopt(r, kind, live);
    return rc ?: send(r, kind, want, hash, !live);
}

/* ------------------------------------------------------------------ other writes */

static void take_in(struct reconcile *r, const struct call *call, const struct outcome *outcome)
{
    struct informer *informer = informer_of(r->pass->runner->manager, call->kind);
    const char *namespace = call->kind->namespaced ? call->namespace ?: r->namespace : NULL;

    if (!informer || call->dry_run)
        return;
    if (outcome->code == 0 && outcome->object && informer->all)
        cache_put(informer->all, outcome->object);
    else if (outcome->code == 0 && call->verb == VERB_DELETE && call->uid && informer->all)
        cache_removed(informer->all, namespace, call->name, call->uid);
}

/* A pod that somebody else made under the name we wanted, or that we made without hearing of it. */
static void look_up(struct reconcile *r, const struct call *call)
{
    const struct k8s_meta *meta = call->object;
    struct informer *informer = informer_of(r->pass->runner->manager, call->kind);
    void *object;

    if (informer && informer->all && meta &&
        client_get(r->client, r->arena, call->kind, meta->namespace, meta->name, &object, NULL) == 0)
        cache_put(informer->all, object);
}

/* No call outlives its pass. */
static usec deadline_of(const struct reconcile *r, const struct call *call)
{
    usec deadline = call->deadline ?: clock_now() + client_timeout(r->client);

    return deadline < r->deadline ? deadline : r->deadline;
}

size_t reconcile_batch(struct reconcile *r, const struct call *calls, size_t n,
                       struct outcome *outcomes)
{
    struct call *bounded = arena_copy(r->arena, calls, n * sizeof *calls);
    size_t failed;

    for (size_t i = 0; i < n; i++)
        bounded[i].deadline = deadline_of(r, &calls[i]);
    failed = client_batch(r->client, r->arena, bounded, n, outcomes);
    for (size_t i = 0; i < n; i++) {
        take_in(r, &calls[i], &outcomes[i]);
        if (outcomes[i].code == -EEXIST)
            look_up(r, &calls[i]);
    }
    return failed;
}

int reconcile_call(struct reconcile *r, const struct call *call, struct outcome *ret)
{
    struct outcome outcome;
    struct call bounded = *call;
    int rc;

    bounded.deadline = deadline_of(r, call);
    rc = client_call(r->client, r->arena, &bounded, &outcome, &r->err);
    take_in(r, call, &outcome);
    if (ret)
        *ret = outcome;
    return rc;
}

int reconcile_delete(struct reconcile *r, const struct kind *kind, const char *name)
{
    const struct k8s_meta *live = reconcile_get(r, kind, r->namespace, name);
    const struct k8s_owner_reference *owner = live ? controller_of(live) : NULL;
    struct call call = { .verb = VERB_DELETE, .kind = kind, .namespace = r->namespace,
                         .name = name, .uid = live ? live->uid : NULL,
                         .propagation = "Background" };
    int rc;

    if (!live || live->deletion_timestamp || !owner || !str_eq(owner->uid, r->pass->meta->uid))
        return 0;
    rc = reconcile_call(r, &call, NULL);
    if (rc == 0)
        log_info(r->log, "deleted", KV("kind", kind->kind), KV("name", name));
    return rc == -ENOENT ? 0 : rc;
}
