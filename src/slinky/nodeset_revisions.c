/* nodeset_revisions.c - the ControllerRevisions of a NodeSet. */
#include <errno.h>

#include "base/str.h"
#include "k8s/controllerrevision.h"
#include "kinds.h"
#include "slinky/nodeset_parts.h"
#include "workers/revisions.h"

enum { COLLISIONS_MAX = 16 };

static const char *hash_of(const struct k8s_controllerrevision *stored)
{
    return pairs_get(stored->meta.labels, SLINKY_REVISION)
        ?: pairs_get(stored->meta.labels, "controller-revision-hash")
        ?: "";
}

static bool is_ours(const struct nodeset_pass *p, const struct k8s_controllerrevision *stored)
{
    for_each (owner, stored->meta.owner_references)
        if (owner->controller == YES)
            return str_eq(owner->uid, p->cr->meta.uid);
    return false;
}

/* The revision in force may have been written by another program, without the labels by which ours
 * are found; it is then found by its name. */
static int find_in_force(struct nodeset_pass *p, struct objects *stored)
{
    const char *hash = p->cr->status.node_set_hash;
    const void *object = NULL;
    int rc;

    if (str_empty(hash))
        return 0;
    for_each (one, *stored)
        if (str_eq(hash_of(*one), hash))
            return 0;
    rc = reconcile_follow(p->r, &k8s_controllerrevision_kind, p->r->namespace,
                          fmt(p->r->arena, "%s-%s", p->r->name, hash), &object);
    if (rc == 0 && object && is_ours(p, object))
        stored->v[stored->n++] = object;
    return rc;
}

static int stored_revisions(struct nodeset_pass *p, struct objects *ret)
{
    struct objects owned = reconcile_owned(p->r, &k8s_controllerrevision_kind);

    ret->v = arena_make_n(p->r->arena, const void *, owned.n + 1);
    ret->n = 0;
    for_each (object, owned)
        ret->v[ret->n++] = *object;
    return find_in_force(p, ret);
}

static struct revision *revisions_of(struct nodeset_pass *p, struct objects stored)
{
    struct revision *v = arena_make_n(p->r->arena, struct revision, stored.n + 1);

    for (size_t i = 0; i < stored.n; i++) {
        const struct k8s_controllerrevision *one = stored.v[i];

        v[i] = (struct revision) { .name = one->meta.name,
                                   .hash = hash_of(one),
                                   .number = int_or(one->revision, 0),
                                   .created = one->meta.creation_timestamp,
                                   .same = workers_revision_same(p->r->arena, &p->model, one) };
    }
    return v;
}

static int bump(struct nodeset_pass *p, const char *name, int64_t number)
{
    struct call call = { .verb = VERB_MERGE_PATCH,
                         .kind = &k8s_controllerrevision_kind,
                         .namespace = p->r->namespace,
                         .name = name,
                         .body = fmt(p->r->arena, "{\"revision\":%lld}", (long long)number) };

    return reconcile_call(p->r, &call, NULL);
}

/* Another template may have the same hash: then the count of collisions makes it differ. */
static int create(struct nodeset_pass *p, int64_t number)
{
    for (int i = 0; i < COLLISIONS_MAX; i++, p->collisions++) {
        struct k8s_controllerrevision *revision =
            workers_revision(p->r->arena, &p->model, number, p->collisions);
        struct call call = { .verb = VERB_CREATE,
                             .kind = &k8s_controllerrevision_kind,
                             .object = revision };
        struct outcome outcome;
        int rc = reconcile_call(p->r, &call, &outcome);
        void *there;

        if (rc == 0) {
            p->facts.hash = hash_of(revision);
            return 0;
        }
        if (rc != -EEXIST)
            return rc;
        rc = client_get(p->r->client, p->r->arena, &k8s_controllerrevision_kind, p->r->namespace,
                        revision->meta.name, &there, &p->r->err);
        if (rc < 0)
            return rc;
        if (is_ours(p, there) && workers_revision_same(p->r->arena, &p->model, there)) {
            p->facts.hash = hash_of(there);
            return 0;
        }
    }
    return fail(&p->r->err, -EAGAIN, "%d revisions with the same hash", COLLISIONS_MAX);
}

int nodeset_revision(struct nodeset_pass *p)
{
    struct objects stored = { 0 };
    struct revision *revisions;
    struct revision_choice choice;
    int rc = stored_revisions(p, &stored);

    if (rc < 0)
        return rc;
    p->collisions = int_or(p->cr->status.collision_count, 0);
    revisions = revisions_of(p, stored);
    choice = revision_choose(revisions, stored.n, p->cr->status.node_set_hash);
    if (choice.what == REVISION_CREATE)
        return create(p, choice.number);
    p->facts.hash = revisions[choice.chosen].hash;
    return choice.what == REVISION_BUMP ? bump(p, revisions[choice.chosen].name, choice.number) : 0;
}

int nodeset_truncate(struct nodeset_pass *p)
{
    struct objects owned = reconcile_owned(p->r, &k8s_controllerrevision_kind);
    struct revision *revisions = revisions_of(p, owned);
    bool *drop = arena_make_n(p->r->arena, bool, owned.n + 1);
    int rc = 0;

    revision_choose(revisions, owned.n, p->facts.hash); /* sorts */
    revision_truncate(revisions, owned.n, &p->facts, int_or(p->cr->spec.revision_history_limit, 0),
                      drop);
    for (size_t i = 0; i < owned.n && rc == 0; i++)
        if (drop[i])
            rc = reconcile_delete(p->r, &k8s_controllerrevision_kind, revisions[i].name);
    return rc;
}
