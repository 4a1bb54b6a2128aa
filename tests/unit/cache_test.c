/* cache_test.c - news of the server and writes of our own, in every order they can come. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "k8s/configmap.h"
#include "kube/cache_internal.h"
#include "support/test.h"

static struct k8s_configmap map_of(const char *namespace, const char *name, const char *uid,
                                   const char *version)
{
    return (struct k8s_configmap){
        .meta = { .name = name, .namespace = namespace, .uid = uid, .resource_version = version },
    };
}

static struct feed *feed_in(struct cache *cache, const char *namespace)
{
    struct feed *feed = cache->feeds;

    while (feed && !str_eq(feed->namespace, namespace))
        feed = feed->next;
    CHECK(feed);
    return feed;
}

static void begin(struct feed *feed)
{
    cache_sink(feed).on_begin(feed);
}

static void end(struct feed *feed, const char *version)
{
    cache_sink(feed).on_end(feed, version);
}

static void tell(struct feed *feed, enum watch_event event, const char *name, const char *uid,
                 const char *version)
{
    struct k8s_configmap map = map_of(feed->namespace ?: "hpc", name, uid, version);

    cache_sink(feed).on_object(feed, event, &map, NULL);
}

static void write_own(struct cache *cache, const char *name, const char *uid, const char *version)
{
    struct k8s_configmap map = map_of("hpc", name, uid, version);

    cache_put(cache, &map);
}

static const char *version_of(struct cache *cache, const char *namespace, const char *name)
{
    static char version[32];
    scoped(view) struct view *view = view_new();
    const struct k8s_meta *meta = cache_get(cache, view, namespace, name);

    if (!meta)
        return NULL;
    snprintf(version, sizeof version, "%s", meta->resource_version);
    return version;
}

static struct cache *cache_all(void)
{
    return cache_new(&(struct cache_options){ .kind = &k8s_configmap_kind });
}

DEFINE_SCOPE(cache, cache_free)

TEST(a_cache_is_complete_only_when_every_namespace_was_listed)
{
    scoped(cache) struct cache *cache = cache_new(&(struct cache_options){
        .kind = &k8s_configmap_kind, .namespaces = STRS("a", "b") });

    CHECK(!cache_synced(cache));
    begin(feed_in(cache, "a"));
    end(feed_in(cache, "a"), "5");
    CHECK(!cache_synced(cache));
    begin(feed_in(cache, "b"));
    end(feed_in(cache, "b"), "5");
    CHECK(cache_synced(cache));
}

TEST(our_own_write_is_not_undone_by_an_older_event)
{
    scoped(cache) struct cache *cache = cache_all();

    tell(cache->feeds, WATCH_PUT, "x", "u1", "5");
    write_own(cache, "x", "u1", "9");
    tell(cache->feeds, WATCH_PUT, "x", "u1", "7");
    CHECK_STR(version_of(cache, "hpc", "x"), "9");
    tell(cache->feeds, WATCH_PUT, "x", "u1", "12");
    CHECK_STR(version_of(cache, "hpc", "x"), "12");
    write_own(cache, "x", "u1", "11"); /* an answer that took longer than the event */
    CHECK_STR(version_of(cache, "hpc", "x"), "12");
}

TEST(an_answer_that_took_longer_than_the_end_of_its_object_does_not_bring_it_back)
{
    scoped(cache) struct cache *cache = cache_all();

    begin(cache->feeds);
    tell(cache->feeds, WATCH_PUT, "x", "u1", "5");
    end(cache->feeds, "6");
    tell(cache->feeds, WATCH_GONE, "x", "u1", "9");
    write_own(cache, "x", "u1", "8"); /* we patched it a moment before */
    CHECK_STR(version_of(cache, "hpc", "x"), NULL);
    tell(cache->feeds, WATCH_PUT, "x", "u2", "12");
    write_own(cache, "x", "u1", "8");
    CHECK_STR(version_of(cache, "hpc", "x"), "12");
    write_own(cache, "y", "u3", "14"); /* this one the server has yet to tell of */
    CHECK_STR(version_of(cache, "hpc", "y"), "14");
}

TEST(a_list_in_any_order_does_not_outdate_what_we_wrote)
{
    scoped(cache) struct cache *cache = cache_all();

    begin(cache->feeds);
    tell(cache->feeds, WATCH_PUT, "z", "u9", "20");
    write_own(cache, "x", "u1", "8");
    CHECK_STR(version_of(cache, "hpc", "x"), "8");
    tell(cache->feeds, WATCH_PUT, "x", "u1", "8");
    end(cache->feeds, "20");
    CHECK_STR(version_of(cache, "hpc", "x"), "8");
    begin(cache->feeds); /* the server was restored from a backup: its versions are small again */
    end(cache->feeds, "3");
    write_own(cache, "w", "u2", "4");
    CHECK_STR(version_of(cache, "hpc", "w"), "4");
}

TEST(versions_are_compared_as_numbers)
{
    scoped(cache) struct cache *cache = cache_all();

    tell(cache->feeds, WATCH_PUT, "x", "u1", "9");
    tell(cache->feeds, WATCH_PUT, "x", "u1", "10");
    CHECK_STR(version_of(cache, "hpc", "x"), "10");
}

TEST(what_we_deleted_does_not_come_back_by_an_older_event)
{
    scoped(cache) struct cache *cache = cache_all();

    tell(cache->feeds, WATCH_PUT, "x", "u1", "5");
    cache_removed(cache, "hpc", "x", "u1");
    CHECK(!version_of(cache, "hpc", "x"));
    tell(cache->feeds, WATCH_PUT, "x", "u1", "6");
    CHECK(!version_of(cache, "hpc", "x"));
    tell(cache->feeds, WATCH_GONE, "x", "u1", "7");
    tell(cache->feeds, WATCH_PUT, "x", "u2", "8"); /* another of the same name */
    CHECK_STR(version_of(cache, "hpc", "x"), "8");
}

TEST(another_object_of_the_name_we_deleted_is_seen_at_once)
{
    scoped(cache) struct cache *cache = cache_all();

    tell(cache->feeds, WATCH_PUT, "x", "u1", "5");
    cache_removed(cache, "hpc", "x", "u1");
    tell(cache->feeds, WATCH_PUT, "x", "u2", "8");
    CHECK_STR(version_of(cache, "hpc", "x"), "8");
    tell(cache->feeds, WATCH_GONE, "x", "u1", "6"); /* late news of the first */
    CHECK_STR(version_of(cache, "hpc", "x"), "8");
}

TEST(a_removal_of_another_uid_changes_nothing)
{
    scoped(cache) struct cache *cache = cache_all();

    tell(cache->feeds, WATCH_PUT, "x", "u2", "8");
    cache_removed(cache, "hpc", "x", "u1");
    CHECK_STR(version_of(cache, "hpc", "x"), "8");
}

TEST(an_object_on_its_way_out_without_finalizers_is_gone)
{
    scoped(cache) struct cache *cache = cache_all();
    struct k8s_configmap map = map_of("hpc", "x", "u1", "9");

    tell(cache->feeds, WATCH_PUT, "x", "u1", "5");
    map.meta.deletion_timestamp = 1;
    cache_put(cache, &map);
    CHECK(!version_of(cache, "hpc", "x"));
}

TEST(a_list_drops_what_it_does_not_mention)
{
    scoped(cache) struct cache *cache = cache_all();
    struct feed *feed = cache->feeds;

    begin(feed);
    tell(feed, WATCH_PUT, "x", "u1", "5");
    tell(feed, WATCH_PUT, "y", "u2", "6");
    end(feed, "7");
    begin(feed);
    tell(feed, WATCH_PUT, "y", "u2", "6");
    CHECK(version_of(cache, "hpc", "x")); /* until the list is complete */
    end(feed, "20");
    CHECK(!version_of(cache, "hpc", "x"));
    CHECK(version_of(cache, "hpc", "y"));
}

TEST(a_list_that_broke_off_and_began_anew_drops_what_only_the_first_part_mentioned)
{
    scoped(cache) struct cache *cache = cache_all();
    struct feed *feed = cache->feeds;

    begin(feed);
    tell(feed, WATCH_PUT, "x", "u1", "5");
    begin(feed);
    tell(feed, WATCH_PUT, "y", "u2", "6");
    end(feed, "20");
    CHECK(!version_of(cache, "hpc", "x"));
    CHECK(version_of(cache, "hpc", "y"));
}

TEST(a_list_keeps_what_we_wrote_after_it_was_made)
{
    scoped(cache) struct cache *cache = cache_all();
    struct feed *feed = cache->feeds;

    begin(feed);
    write_own(cache, "new", "u1", "30");
    end(feed, "20");
    CHECK(version_of(cache, "hpc", "new"));
}

TEST(a_list_drops_what_we_wrote_before_it_was_made_and_somebody_deleted)
{
    scoped(cache) struct cache *cache = cache_all();
    struct feed *feed = cache->feeds;

    begin(feed);
    write_own(cache, "ghost", "u1", "15");
    end(feed, "20");
    CHECK(!version_of(cache, "hpc", "ghost"));
}

TEST(a_list_of_one_namespace_says_nothing_about_another)
{
    scoped(cache) struct cache *cache = cache_new(&(struct cache_options){
        .kind = &k8s_configmap_kind, .namespaces = STRS("a", "b") });

    begin(feed_in(cache, "a"));
    tell(feed_in(cache, "a"), WATCH_PUT, "x", "u1", "5");
    end(feed_in(cache, "a"), "6");
    begin(feed_in(cache, "b"));
    end(feed_in(cache, "b"), "20");
    CHECK(version_of(cache, "a", "x"));

    cache_removed(cache, "a", "x", "u1");
    begin(feed_in(cache, "b"));
    end(feed_in(cache, "b"), "21");
    tell(feed_in(cache, "a"), WATCH_PUT, "x", "u1", "6"); /* older than the deletion */
    CHECK(!version_of(cache, "a", "x"));
}

TEST(a_bad_object_is_there_with_its_reason)
{
    scoped(cache) struct cache *cache = cache_all();
    scoped(view) struct view *view = view_new();
    struct k8s_configmap map = map_of("hpc", "x", "u1", "5");
    const void *object;

    cache_sink(cache->feeds).on_object(cache->feeds, WATCH_PUT, &map, "data: want an object");
    object = cache_get(cache, view, "hpc", "x");
    CHECK(object);
    CHECK_STR(cache_bad(cache, object), "data: want an object");
    tell(cache->feeds, WATCH_PUT, "x", "u1", "6");
    object = cache_get(cache, view, "hpc", "x");
    CHECK(!cache_bad(cache, object));
}

TEST(a_pinned_object_stays_as_it_was)
{
    scoped(cache) struct cache *cache = cache_all();
    scoped(view) struct view *view = view_new();
    const struct k8s_meta *meta;

    tell(cache->feeds, WATCH_PUT, "x", "u1", "5");
    meta = cache_get(cache, view, "hpc", "x");
    tell(cache->feeds, WATCH_PUT, "x", "u1", "6");
    tell(cache->feeds, WATCH_GONE, "x", "u1", "7");
    CHECK_STR(meta->resource_version, "5");
    CHECK_STR(meta->name, "x");
}

TEST(lists_come_sorted_and_by_namespace)
{
    scoped(cache) struct cache *cache = cache_new(&(struct cache_options){
        .kind = &k8s_configmap_kind, .namespaces = STRS("a", "b") });
    scoped(view) struct view *view = view_new();
    scoped(arena) struct arena *a = arena_new();
    struct objects all;

    tell(feed_in(cache, "b"), WATCH_PUT, "1", "u1", "5");
    tell(feed_in(cache, "a"), WATCH_PUT, "2", "u2", "5");
    tell(feed_in(cache, "a"), WATCH_PUT, "1", "u3", "5");
    all = cache_list(cache, view, a, NULL);
    CHECK_INT(all.n, 3);
    CHECK_STR(((const struct k8s_meta *)all.v[0])->uid, "u3");
    CHECK_STR(((const struct k8s_meta *)all.v[2])->uid, "u1");
    CHECK_INT(cache_list(cache, view, a, "b").n, 1);
    CHECK_INT(cache_list(cache, view, a, "c").n, 0);
}

struct changes {
    char log[256];
};

static void note(void *userdata, const void *old, const void *now)
{
    struct changes *changes = userdata;
    const struct k8s_meta *before = old;
    const struct k8s_meta *after = now;
    size_t len = strlen(changes->log);

    snprintf(changes->log + len, sizeof changes->log - len, "%s>%s ",
             before ? before->resource_version : "-", after ? after->resource_version : "-");
}

TEST(handlers_hear_of_every_change_and_of_nothing_else)
{
    struct changes changes = { "" };
    scoped(cache) struct cache *cache = cache_all();
    struct feed *feed = cache->feeds;

    cache_on_change(cache, note, &changes);
    tell(feed, WATCH_PUT, "x", "u1", "5");
    tell(feed, WATCH_PUT, "x", "u1", "5");
    write_own(cache, "x", "u1", "6");
    tell(feed, WATCH_PUT, "x", "u1", "6");
    cache_removed(cache, "hpc", "x", "u1");
    tell(feed, WATCH_GONE, "x", "u1", "7");
    tell(feed, WATCH_PUT, "y", "u2", "8");
    begin(feed);
    end(feed, "9");
    CHECK_STR(changes.log, "->5 5>6 6>- ->8 8>- ");
}

/* ------------------------------------------------------------------ many at once */

enum { ROUNDS = 2000 };

static void *read_on(void *arg)
{
    struct cache *cache = arg;

    for (int i = 0; i < ROUNDS; i++) {
        scoped(view) struct view *view = view_new();
        scoped(arena) struct arena *a = arena_new();
        struct objects all = cache_list(cache, view, a, NULL);

        for_each (object, all)
            CHECK(((const struct k8s_meta *)*object)->name);
    }
    return NULL;
}

static void *write_on(void *arg)
{
    struct cache *cache = arg;
    char version[16];

    for (int i = 1; i <= ROUNDS; i++) {
        snprintf(version, sizeof version, "%d", 2 * i);
        write_own(cache, "own", "u1", version);
        if (i % 100 == 0)
            cache_removed(cache, "hpc", "own", "u1");
    }
    return NULL;
}

TEST(readers_and_writers_do_not_disturb_each_other)
{
    scoped(cache) struct cache *cache = cache_all();
    struct feed *feed = cache->feeds;
    pthread_t reader;
    pthread_t writer;
    char version[16];

    pthread_create(&reader, NULL, read_on, cache);
    pthread_create(&writer, NULL, write_on, cache);
    for (int i = 1; i <= ROUNDS; i++) {
        snprintf(version, sizeof version, "%d", 2 * i + 1);
        tell(feed, i % 7 ? WATCH_PUT : WATCH_GONE, "own", "u1", version);
        tell(feed, i % 5 ? WATCH_PUT : WATCH_GONE, "other", "u2", version);
    }
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    begin(feed);
    end(feed, "1000000");
    CHECK_INT(cache_count(cache), 0);
    CHECK_INT(cache_bytes(cache), 0);
}
