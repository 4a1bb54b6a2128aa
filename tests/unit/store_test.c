/* store_test.c - objects by name and by the values of indexed fields. */
#include "kube/store.h"

#include <stdio.h>

#include "base/str.h"
#include "k8s/configmap.h"
#include "k8s/meta.h"
#include "support/test.h"

static const char *const indexes[] = { "@owner", "data.team", NULL };

static struct object *made(const struct store *s, const char *namespace, const char *name,
                           const char *team, const char *owner)
{
    struct pair data[] = { { "team", team } };
    struct k8s_owner_reference owners[] = {
        { .api_version = "v1", .kind = "Other", .name = "o", .uid = "not-this-one" },
        { .api_version = "v1", .kind = "Owner", .name = "o", .uid = owner, .controller = YES },
    };
    struct k8s_configmap map = {
        .meta = { .name = name, .namespace = namespace, .resource_version = "7" },
    };

    if (team)
        map.data = (struct pairs){ data, 1 };
    if (owner)
        map.meta.owner_references = (struct k8s_owner_reference_list){ owners, 2 };
    return object_new(s, &map, NULL);
}

static size_t count_of(const struct store *s, const char *index, const char *value)
{
    int at = store_index(s, index);
    size_t n = 0;

    for (struct object *o = store_first(s, at, value); o; o = store_next(o, at))
        n++;
    return n;
}

static void drop(struct store *s, const char *namespace, const char *name)
{
    struct object *o = store_get(s, namespace, name);

    CHECK(o);
    store_remove(s, o);
    object_unref(s, o);
}

TEST(an_object_is_found_by_namespace_and_name_together)
{
    struct store s;

    store_init(&s, &k8s_configmap_kind, NULL);
    store_add(&s, made(&s, "a", "bc", NULL, NULL));
    store_add(&s, made(&s, "ab", "c", NULL, NULL));
    store_add(&s, made(&s, NULL, "c", NULL, NULL));
    CHECK(store_get(&s, "a", "bc") != store_get(&s, "ab", "c"));
    CHECK(store_get(&s, NULL, "c") && store_get(&s, "", "c") == store_get(&s, NULL, "c"));
    CHECK(!store_get(&s, "a", "b"));
    CHECK(!store_get(&s, "a", NULL));
    CHECK_INT(s.count, 3);
    store_done(&s);
}

TEST(an_index_finds_all_that_share_a_value)
{
    struct store s;
    char name[16];

    store_init(&s, &k8s_configmap_kind, indexes);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "m%d", i);
        store_add(&s, made(&s, "hpc", name, i % 2 ? "odd" : "even", i % 10 ? NULL : "u1"));
    }
    CHECK_INT(count_of(&s, "data.team", "odd"), 50);
    CHECK_INT(count_of(&s, "@owner", "u1"), 10);
    CHECK_INT(count_of(&s, "@owner", "not-this-one"), 0);
    CHECK_INT(count_of(&s, "data.team", "none"), 0);
    CHECK_INT(count_of(&s, "data.team", NULL), 0);
    CHECK_INT(store_index(&s, "data.else"), -1);
    store_done(&s);
}

TEST(what_is_removed_is_in_no_index)
{
    struct store s;
    char name[16];

    store_init(&s, &k8s_configmap_kind, indexes);
    for (int i = 0; i < 64; i++) {
        snprintf(name, sizeof name, "m%d", i);
        store_add(&s, made(&s, "hpc", name, "t", "u"));
    }
    for (int i = 0; i < 64; i += 2) { /* the first, some in the middle, not the last */
        snprintf(name, sizeof name, "m%d", i);
        drop(&s, "hpc", name);
    }
    CHECK_INT(count_of(&s, "data.team", "t"), 32);
    CHECK_INT(count_of(&s, "@owner", "u"), 32);
    CHECK(!store_get(&s, "hpc", "m0") && store_get(&s, "hpc", "m1"));
    for (int i = 1; i < 64; i += 2) {
        snprintf(name, sizeof name, "m%d", i);
        drop(&s, "hpc", name);
    }
    CHECK_INT(s.count, 0);
    CHECK_INT(s.bytes, 0);
    CHECK_INT(count_of(&s, "data.team", "t"), 0);
    store_done(&s);
}

TEST(names_that_come_and_go_do_not_make_the_tables_grow)
{
    struct store s;
    char name[16];

    store_init(&s, &k8s_configmap_kind, indexes);
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "m%d", i);
        store_add(&s, made(&s, "hpc", name, name, NULL));
        drop(&s, "hpc", name);
    }
    CHECK(s.indexes[0].size <= 16);
    CHECK(s.indexes[2].size <= 16);
    store_done(&s);
}

TEST(a_walk_meets_every_object_once_and_may_remove_them)
{
    struct store s;
    struct object *o;
    char name[16];
    size_t met = 0;

    store_init(&s, &k8s_configmap_kind, NULL);
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "m%d", i);
        store_add(&s, made(&s, "hpc", name, NULL, NULL));
    }
    for (size_t at = 0; (o = store_walk(&s, &at)); met++) {
        store_remove(&s, o);
        object_unref(&s, o);
    }
    CHECK_INT(met, 200);
    CHECK_INT(s.count, 0);
    store_done(&s);
}
