/* nodeset_shared.c - what all NodeSets of a cluster share, and sshd's configuration. */
#include "base/str.h"
#include "kinds.h"
#include "slinky/nodeset_parts.h"

static struct k8s_owner_reference owner_of(struct nodeset_pass *p, const struct slinky_nodeset *set)
{
    return (struct k8s_owner_reference) {
        .api_version = kind_api_version(p->r->arena, &slinky_nodeset_kind),
        .kind = slinky_nodeset_kind.kind,
        .name = set->meta.name,
        .uid = set->meta.uid,
        .block_owner_deletion = YES,
    };
}

/* Every NodeSet of the cluster that stays: the last one takes them along. */
static struct k8s_owner_reference_list owners_of(struct nodeset_pass *p)
{
    struct objects all = reconcile_list(p->r, &slinky_nodeset_kind, p->r->namespace);
    struct k8s_owner_reference_list owners = {
        .v = arena_make_n(p->r->arena, struct k8s_owner_reference, all.n + 1),
    };

    for_each (object, all) {
        const struct slinky_nodeset *set = *object;

        if (str_eq(set->spec.controller_ref.name, p->cr->spec.controller_ref.name) &&
            !set->meta.deletion_timestamp)
            owners.v[owners.n++] = owner_of(p, set);
    }
    return owners;
}

/* They carry no labels of ours, so they are followed by name. */
static int ensure(struct nodeset_pass *p, const struct kind *kind, const void *want)
{
    const struct k8s_meta *meta = want;
    struct call call = { .verb = VERB_APPLY, .kind = kind, .object = want, .force = true };
    const void *live = NULL;
    int rc = reconcile_follow(p->r, kind, meta->namespace, meta->name, &live);

    if (rc < 0)
        return rc;
    if (live && table_covers(p->r->arena, kind->type, live, want, NULL))
        return 0;
    rc = reconcile_call(p->r, &call, NULL);
    if (rc == 0 && !live)
        reconcile_event(p->r, false, "CreateSucceeded", "Create", "Created %s %s", kind->kind,
                        meta->name);
    return rc;
}

int nodeset_shared(struct nodeset_pass *p)
{
    struct arena *a = p->r->arena;
    struct k8s_owner_reference_list owners = owners_of(p);
    const struct model_workers *m = &p->model;
    int rc = ensure(p, &k8s_service_kind, workers_service(a, &m->home, &m->cluster, owners))
                 ?: ensure(p, &k8s_pdb_kind, workers_pdb(a, &m->home, &m->cluster, owners));

    return rc ?: m->ssh ? APPLY(p->r, workers_ssh_config(a, m)) : 0;
}
