/* follow.c - reading an object by name is also asking to be woken by it. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "kube/runtime.h"

#define FIRST_WORD (5 * USEC_SEC)

struct follow {
    struct follow *next;
    const struct kind *kind;
    char *namespace;
    char *name;
};

struct follow_set {
    struct follow *first;
};

static struct follow *find(const struct follow_set *set, const struct kind *kind,
                           const char *namespace, const char *name)
{
    struct follow *f = set ? set->first : NULL;

    while (f && !(f->kind == kind && str_eq(f->namespace, namespace) && str_eq(f->name, name)))
        f = f->next;
    return f;
}

static void add(struct follow_set *set, const struct kind *kind, const char *namespace,
                const char *name)
{
    struct follow *f = must_alloc(sizeof *f);

    *f = (struct follow){ .next = set->first, .kind = kind, .namespace = must_str(namespace),
                          .name = must_str(name) };
    set->first = f;
}

static void set_free(void *value)
{
    struct follow_set *set = value;

    while (set && set->first) {
        struct follow *f = set->first;

        set->first = f->next;
        free(f->namespace);
        free(f->name);
        free(f);
    }
    free(set);
}

/* Known from now on, not only when the pass ends: a change in between must not be missed. Counted on
 * its own, since follow_finish() lets go of all that stands in the map. */
static void make_known(struct pass *pass, const struct kind *kind, const char *namespace,
                       const char *name)
{
    struct runner *runner = pass->runner;
    struct follow_set *set;
    bool is_new;

    pthread_mutex_lock(&runner->lock);
    set = map_get(&runner->follows, pass->key);
    if (!set) {
        set = must_alloc(sizeof *set);
        map_put(&runner->follows, pass->key, set);
    }
    is_new = !find(set, kind, namespace, name);
    if (is_new)
        add(set, kind, namespace, name);
    pthread_mutex_unlock(&runner->lock);
    if (is_new)
        cache_follow(informer_of(runner->manager, kind)->named, namespace, name);
}

int reconcile_follow(struct reconcile *r, const struct kind *kind, const char *namespace,
                     const char *name, const void **ret)
{
    struct pass *pass = r->pass;
    struct informer *informer = informer_of(pass->runner->manager, kind);
    struct cache *cache = informer ? informer->named : NULL;

    if (!cache)
        abort(); /* a wiring mistake: the controller's table does not follow the kind */
    namespace = kind->namespaced ? namespace : "";
    if (!pass->follows)
        pass->follows = must_alloc(sizeof *pass->follows);
    if (!find(pass->follows, kind, namespace, name)) {
        add(pass->follows, kind, namespace, name);
        cache_follow(cache, namespace, name);
        make_known(pass, kind, namespace, name);
    }
    if (!cache_follow_synced(cache, namespace, name, FIRST_WORD))
        return fail(&r->err, -EAGAIN, "the server has not said yet whether there is a %s %s/%s",
                    kind->kind, namespace, name);
    *ret = cache_get(cache, pass->view, namespace, name);
    return 0;
}

static void unfollow_all(struct manager *m, const struct follow_set *set)
{
    for (const struct follow *f = set ? set->first : NULL; f; f = f->next)
        cache_unfollow(informer_of(m, f->kind)->named, f->namespace, f->name);
}

/* Each pass counts its own follows; those of the pass before are let go of after, so that what both
 * ask for stays open. */
void follow_finish(struct pass *pass)
{
    struct runner *runner = pass->runner;
    struct follow_set *old;

    if (pass->postponed)
        return; /* it asked for nothing, and so lets go of nothing */
    pthread_mutex_lock(&runner->lock);
    old = pass->follows ? map_put(&runner->follows, pass->key, pass->follows)
                        : map_remove(&runner->follows, pass->key);
    pthread_mutex_unlock(&runner->lock);
    unfollow_all(runner->manager, old);
    set_free(old);
    pass->follows = NULL;
}

void follow_drop(struct runner *runner, const char *key)
{
    struct pass pass = { .runner = runner, .key = key };

    follow_finish(&pass);
}

void follow_free(struct runner *runner)
{
    map_done(&runner->follows, set_free);
}

struct follower {
    struct runner *runner;
    const struct kind *kind;
};

static void on_followed(void *userdata, const void *old, const void *now)
{
    const struct follower *follower = userdata;
    struct runner *runner = follower->runner;
    const struct k8s_meta *meta = now ?: old;
    const char *key;
    void *set;
    scoped_lock(&runner->lock);

    for (size_t at = 0; map_next(&runner->follows, &at, &key, &set);)
        if (find(set, follower->kind, meta->namespace ?: "", meta->name))
            queue_add(runner->lane, key, ROUTINE);
}

void follow_wire(struct runner *runner, const struct kind *kind)
{
    struct follower *follower = arena_make(runner->manager->arena, struct follower);

    *follower = (struct follower){ runner, kind };
    cache_on_change(informer_of(runner->manager, kind)->named, on_followed, follower);
}
