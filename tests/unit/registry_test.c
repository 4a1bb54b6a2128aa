/* registry_test.c - clients added, replaced and removed while others use them. */
#include "slurm/registry.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/str.h"
#include "net/loop.h"
#include "support/stub.h"
#include "support/test.h"

struct place {
    struct loop *loop;
    struct stub *one, *two;
    struct slurm_registry *registry;
};

static void place_end(struct place *p)
{
    slurm_registry_free(p->registry);
    loop_free(p->loop);
    stub_free(p->one);
    stub_free(p->two);
}
#define PLACE __attribute__((cleanup(place_end))) struct place

static struct place place_new(void)
{
    struct place p = { .loop = loop_new(), .one = stub_new(), .two = stub_new() };
    struct error err = { 0 };

    CHECK_OK(loop_start(p.loop, &err), err);
    p.registry = slurm_registry_new(p.loop);
    stub_replay(p.one, "v0.0.45", "nodes-two");
    stub_replay(p.two, "v0.0.45", "nodes-one");
    return p;
}

static void put(struct place *p, const char *key, const struct stub *stub, const char *token)
{
    struct slurm_options options = { .url = stub_url(stub), .token.text = token };
    struct error err = { 0 };

    CHECK_OK(slurm_registry_put(p->registry, key, &options, &err), err);
}

static size_t nodes_of(struct slurm *slurm)
{
    scoped(arena) struct arena *a = arena_new();
    struct slurm_call call = { .arena = a };
    struct slurm_nodes nodes = { 0 };

    CHECK_INT(slurm_nodes(slurm, &call, &nodes), ANSWER_YES);
    return nodes.n;
}

TEST(registry_knows_what_it_was_told)
{
    PLACE p = place_new();
    scoped(slurm) struct slurm *slurm = NULL;
    struct slurm_options broken = { .url = "nonsense", .token.text = "t" };
    struct error err = { 0 };

    CHECK(slurm_registry_get(p.registry, "hpc/a") == NULL);
    put(&p, "hpc/a", p.one, "t");
    slurm = slurm_registry_get(p.registry, "hpc/a");
    CHECK_STR(slurm_cluster(slurm), "hpc/a");
    CHECK_INT(nodes_of(slurm), 2);
    CHECK(slurm_registry_put(p.registry, "hpc/a", &broken, &err) < 0);
    CHECK(strstr(err.text, "hpc/a"));
    CHECK_INT(nodes_of(slurm), 2); /* as it was */
}

TEST(registry_replaces_a_client_under_its_users)
{
    PLACE p = place_new();
    scoped(slurm) struct slurm *old = NULL;
    scoped(slurm) struct slurm *same = NULL;
    scoped(slurm) struct slurm *fresh = NULL;

    put(&p, "k", p.one, "t");
    old = slurm_registry_get(p.registry, "k");
    put(&p, "k", p.one, "t");
    same = slurm_registry_get(p.registry, "k");
    CHECK(same == old);
    put(&p, "k", p.two, "t");
    fresh = slurm_registry_get(p.registry, "k");
    CHECK(fresh != old);
    CHECK_INT(nodes_of(fresh), 1);
    CHECK_INT(nodes_of(old), 2); /* who has it may finish with it */
    slurm_registry_remove(p.registry, "k");
    CHECK(slurm_registry_get(p.registry, "k") == NULL);
    CHECK_INT(nodes_of(fresh), 1);
}

TEST(registry_changes_a_token_in_place)
{
    PLACE p = place_new();
    scoped(slurm) struct slurm *before = NULL;
    scoped(slurm) struct slurm *after = NULL;
    scoped(free) char *last = NULL;

    put(&p, "k", p.one, "first");
    before = slurm_registry_get(p.registry, "k");
    put(&p, "k", p.one, "second");
    after = slurm_registry_get(p.registry, "k");
    CHECK(before == after);
    nodes_of(before);
    last = stub_last(p.one);
    CHECK(strcasestr(last, "x-slurm-user-token: second"));
}

static void hear(void *userdata, const struct slurm_news *news)
{
    struct buf *heard = userdata;

    buf_fmt(heard, "[%s %s %zu]", news->cluster, answer_text(news->known), news->n);
}

static void settle(struct place *p, const char *key)
{
    scoped(slurm) struct slurm *slurm = slurm_registry_get(p->registry, key);
    scoped(arena) struct arena *a = arena_new();
    struct slurm_call call = { .arena = a };

    slurm_view_unref(slurm_view_since(slurm, &call, SLURM_NODES, clock_now()));
}

TEST(registry_subscriptions_outlive_clients)
{
    PLACE p = place_new();
    scoped(buf) struct buf heard = { 0 };
    uint64_t id;

    put(&p, "a", p.one, "t");
    id = slurm_registry_subscribe(p.registry, SLURM_NODES, SLURM_ADDED | SLURM_REMOVED, hear,
                                  &heard);
    settle(&p, "a");
    CHECK_STR(buf_text(&heard), "[a yes 2]");
    buf_clear(&heard);
    put(&p, "b", p.two, "t");
    settle(&p, "b");
    CHECK_STR(buf_text(&heard), "[b yes 1]");
    buf_clear(&heard);
    put(&p, "a", p.two, "t");
    settle(&p, "a");
    CHECK_STR(buf_text(&heard), "[a yes 1]");
    buf_clear(&heard);
    slurm_registry_remove(p.registry, "b");
    CHECK_STR(buf_text(&heard), "[b unknown 0]");
    buf_clear(&heard);
    slurm_registry_unsubscribe(p.registry, id);
    slurm_registry_remove(p.registry, "a");
    CHECK_STR(buf_text(&heard), "");
}

struct user {
    struct place *place;
    atomic_bool stop;
    atomic_int good;
};

static void *use(void *userdata)
{
    struct user *user = userdata;

    while (!user->stop) {
        scoped(slurm) struct slurm *slurm = slurm_registry_get(user->place->registry, "k");
        scoped(arena) struct arena *a = arena_new();
        struct slurm_call call = { .arena = a };
        struct slurm_nodes nodes = { 0 };

        if (slurm && slurm_nodes(slurm, &call, &nodes) == ANSWER_YES && nodes.n > 0)
            user->good++;
    }
    return NULL;
}

TEST(registry_is_changed_while_many_use_it)
{
    PLACE p = place_new();
    struct user user = { .place = &p };
    scoped(buf) struct buf heard = { 0 };
    pthread_t threads[4];

    slurm_registry_subscribe(p.registry, SLURM_NODES, SLURM_ANYTHING, hear, &heard);
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
        CHECK(!pthread_create(&threads[i], NULL, use, &user));
    for (int i = 0; i < 40; i++) {
        put(&p, "k", i % 2 ? p.one : p.two, i % 3 ? "x" : "y");
        if (i % 10 == 9)
            slurm_registry_remove(p.registry, "k");
        usleep(5000);
    }
    user.stop = true;
    for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
        pthread_join(threads[i], NULL);
    CHECK(user.good > 0);
    slurm_registry_free(take(p.registry));
}
