/* nodeset_claims.c - the volume claims of workers: made before their pods, and owned by whoever
 * they are to go with.
 */
#include <errno.h>

#include "base/str.h"
#include "k8s/pvc.h"
#include "kinds.h"
#include "slinky/nodeset_lot.h"
#include "slinky/nodeset_parts.h"
#include "workers/claims.h"

static struct k8s_owner_reference set_owner(struct nodeset_pass *p)
{
    struct k8s_owner_reference owner = p->model.home.owner;

    owner.controller = YES;
    owner.block_owner_deletion = YES;
    return owner;
}

static struct claim_policy policy_of(const struct nodeset_pass *p)
{
    const struct slinky_nodeset_persistent_volume_claim_retention_policy *policy =
        p->cr->spec.persistent_volume_claim_retention_policy;

    return (struct claim_policy) {
        .delete_with_set = policy && str_eq(policy->when_deleted, "Delete"),
        .delete_when_scaled = policy && str_eq(policy->when_scaled, "Delete"),
    };
}

/* Claims first: a pod whose claim is missing waits for it. */
int nodeset_make_claims(struct nodeset_pass *p, struct lot *lot, const struct worker *worker)
{
    struct worker_claims claims = worker_claims(p->r->arena, &p->model, worker);

    for_each (claim, claims) {
        const struct k8s_pvc *live = GET(p->r, k8s_pvc, claim->meta.name);

        if (live && live->meta.deletion_timestamp)
            return fail(&p->r->err, -EAGAIN, "claim %s is being deleted: wait until it is gone",
                        claim->meta.name);
        if (live)
            continue;
        if (policy_of(p).delete_with_set) {
            claim->meta.owner_references.v = arena_make(p->r->arena, struct k8s_owner_reference);
            claim->meta.owner_references.v[0] = set_owner(p);
            claim->meta.owner_references.n = 1;
        }
        lot_add(lot, (struct call) { .verb = VERB_CREATE, .kind = &k8s_pvc_kind, .object = claim });
    }
    return 0;
}

static bool has_owner(const struct k8s_pvc *claim, const char *uid)
{
    for_each (owner, claim->meta.owner_references)
        if (str_eq(owner->uid, uid))
            return true;
    return false;
}

static bool is_somebody_elses(const struct nodeset_pass *p, const struct k8s_pvc *claim,
                              const char *pod_uid)
{
    for_each (owner, claim->meta.owner_references)
        if (owner->controller == YES && !str_eq(owner->uid, p->cr->meta.uid) &&
            !str_eq(owner->uid, pod_uid))
            return true;
    return false;
}

static const char *owner_body(struct nodeset_pass *p, const struct k8s_pvc *claim,
                              const struct worker_facts *w, enum claim_owner owner)
{
    struct arena *a = p->r->arena;
    struct k8s_pvc patch = { .meta = { .resource_version = claim->meta.resource_version } };
    struct k8s_owner_reference reference = set_owner(p);

    if (owner == CLAIM_PODS)
        reference = (struct k8s_owner_reference) { .api_version = "v1",
                                                   .kind = "Pod",
                                                   .name = w->pod,
                                                   .uid = w->uid,
                                                   .controller = YES,
                                                   .block_owner_deletion = YES };
    patch.meta.owner_references.v = &reference;
    patch.meta.owner_references.n = owner != CLAIM_NOBODYS;
    return json_text(a, table_json(a, &k8s_pvc_type, &patch));
}

static void own_claims(struct nodeset_pass *p, struct lot *lot, size_t i)
{
    const struct worker_facts *w = &p->facts.workers[i];
    enum claim_owner owner = claim_owner_of(policy_of(p), p->plan->fates[i].leaving);

    for_each (volume, p->pods[i]->spec.volumes) {
        const struct k8s_pvc *claim =
            volume->persistent_volume_claim
                ? GET(p->r, k8s_pvc, volume->persistent_volume_claim->claim_name)
                : NULL;

        if (!claim || claim->meta.deletion_timestamp || is_somebody_elses(p, claim, w->uid) ||
            (has_owner(claim, w->uid) == (owner == CLAIM_PODS) &&
             has_owner(claim, p->cr->meta.uid) == (owner == CLAIM_SETS)))
            continue;
        lot_add(lot, (struct call) { .verb = VERB_MERGE_PATCH,
                                     .kind = &k8s_pvc_kind,
                                     .namespace = p->r->namespace,
                                     .name = claim->meta.name,
                                     .body = owner_body(p, claim, w, owner) });
    }
}

int nodeset_claims(struct nodeset_pass *p)
{
    struct lot *lot;

    if (!p->model.claims.n)
        return 0;
    lot = lot_new(p, "own");
    for (size_t i = 0; i < p->facts.count; i++)
        if (!p->facts.workers[i].deleting)
            own_claims(p, lot, i);
    return lot_done(lot);
}
