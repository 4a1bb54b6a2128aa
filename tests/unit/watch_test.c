/* watch_test.c - what a watch makes of the bytes that a server sends. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "k8s/configmap.h"
#include "kube/watch_read.h"
#include "support/test.h"

struct story {
    char text[1024];
};

static void add(struct story *story, const char *word, const char *more)
{
    size_t len = strlen(story->text);

    snprintf(story->text + len, sizeof story->text - len, "%s%s ", word, more);
}

static void on_begin(void *userdata)
{
    add(userdata, "begin", "");
}

static void on_end(void *userdata, const char *version)
{
    add(userdata, "end:", version ?: "-");
}

static void on_object(void *userdata, enum watch_event event, const void *object, const char *bad)
{
    const struct k8s_meta *meta = object;

    add(userdata, bad ? "bad:" : event == WATCH_PUT ? "put:" : "gone:", meta->name);
}

static struct watch_reader reader_of(struct story *story)
{
    struct watch_sink sink = { on_begin, on_end, on_object, story };
    struct watch_reader reader;

    watch_reader_init(&reader, &k8s_configmap_kind, &sink);
    return reader;
}

static int feed(struct watch_reader *r, const char *text)
{
    return watch_reader_feed(r, text, strlen(text));
}

#define OBJECT(name, version)                                                                      \
    "{\"metadata\":{\"name\":\"" name "\",\"resourceVersion\":\"" version "\"}}"
#define EVENT(type, object) "{\"type\":\"" type "\",\"object\":" object "}\n"
#define LIST_END(version)                                                                          \
    EVENT("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"" version                              \
                      "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}")

TEST(a_streaming_list_ends_with_its_bookmark)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_begin(&r);
    watch_reader_expect(&r, false);
    CHECK_INT(feed(&r, EVENT("ADDED", OBJECT("a", "3")) EVENT("ADDED", OBJECT("b", "9"))), 0);
    CHECK(!r.version); /* not yet a place to go on from */
    CHECK_INT(feed(&r, LIST_END("7") EVENT("DELETED", OBJECT("a", "8"))), 0);
    CHECK_STR(story.text, "begin put:a put:b end:7 gone:a ");
    CHECK_STR(r.version, "8");
    watch_reader_done(&r);
}

TEST(an_event_may_come_in_pieces_and_members_in_any_order)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);
    const char *text = " { \"object\" : " OBJECT("a", "3") " , \"type\" : \"MODIFIED\" } "
                       EVENT("ADDED", OBJECT("b", "4"));

    watch_reader_expect(&r, false);
    for (const char *c = text; *c; c++)
        CHECK_INT(watch_reader_feed(&r, c, 1), 0);
    CHECK_STR(story.text, "put:a put:b ");
    watch_reader_done(&r);
}

TEST(a_bookmark_moves_the_place_without_telling_anyone)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_expect(&r, false);
    CHECK_INT(feed(&r, EVENT("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"44\"}}")), 0);
    CHECK_STR(story.text, "");
    CHECK_STR(r.version, "44");
    watch_reader_done(&r);
}

TEST(an_error_event_ends_the_stream_with_its_meaning)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_expect(&r, false);
    CHECK_INT(feed(&r, EVENT("ERROR", "{\"code\":410,\"reason\":\"Expired\",\"message\":\"old\"}")),
              -EKEYEXPIRED);
    CHECK_INT(r.ended, -EKEYEXPIRED);
    CHECK_STR(error_text(&r.err), "old (410 Expired)");
    watch_reader_done(&r);
}

TEST(an_error_event_with_a_senseless_code_is_still_an_error)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_expect(&r, false);
    CHECK(feed(&r, EVENT("ERROR", "{\"code\":200}")) < 0);
    watch_reader_expect(&r, false);
    CHECK(feed(&r, EVENT("ERROR", "[]")) < 0);
    watch_reader_done(&r);
}

TEST(an_object_that_does_not_fit_its_table_is_told_as_bad)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_expect(&r, false);
    CHECK_INT(feed(&r, EVENT("ADDED", "{\"metadata\":{\"name\":\"a\"},\"data\":7}")
                       EVENT("ADDED", OBJECT("b", "2"))), 0);
    CHECK_STR(story.text, "bad:a put:b ");
    watch_reader_done(&r);
}

TEST(an_object_without_a_name_is_skipped)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_expect(&r, false);
    CHECK_INT(feed(&r, EVENT("ADDED", "{}") EVENT("ADDED", "{\"metadata\":{\"name\":\"\"}}")
                       EVENT("ADDED", "{\"metadata\":7}") EVENT("ADDED", OBJECT("b", "2"))), 0);
    CHECK_STR(story.text, "put:b ");
    watch_reader_done(&r);
}

TEST(what_is_no_event_ends_the_stream)
{
    static const char *const texts[] = {
        "[]", "null", "{}\n", "{\"type\":\"ADDED\"}\n", "{\"object\":{}}\n",
        EVENT("RENAMED", OBJECT("a", "1")), EVENT("", OBJECT("a", "1")), "\x01",
    };
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        watch_reader_expect(&r, false);
        CHECK_INT(feed(&r, texts[i]), -EBADMSG);
    }
    CHECK_STR(story.text, "");
    watch_reader_done(&r);
}

TEST(pages_make_one_list)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_begin(&r);
    watch_reader_expect(&r, true);
    CHECK_INT(feed(&r, "{\"metadata\":{\"resourceVersion\":\"5\",\"continue\":\"x/y\"},\"items\":["
                       OBJECT("a", "1") "]}"), 0);
    CHECK_INT(watch_reader_end_page(&r), 0);
    CHECK_STR(r.more, "x/y");
    watch_reader_expect(&r, true);
    CHECK_INT(feed(&r, "{\"items\":[" OBJECT("b", "2") "],"
                       "\"metadata\":{\"resourceVersion\":\"5\"}}"), 0);
    CHECK_INT(watch_reader_end_page(&r), 0);
    CHECK(!r.more);
    CHECK_STR(story.text, "begin put:a put:b end:5 ");
    watch_reader_done(&r);
}

TEST(a_page_that_was_cut_short_is_no_page)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_begin(&r);
    watch_reader_expect(&r, true);
    CHECK_INT(feed(&r, "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[" OBJECT("a", "1")), 0);
    CHECK_INT(watch_reader_end_page(&r), -EBADMSG);
    CHECK(r.listing);
    watch_reader_begin(&r);
    CHECK_STR(story.text, "begin put:a begin ");
    watch_reader_done(&r);
}

TEST(a_list_without_a_version_is_refused)
{
    struct story story = { "" };
    struct watch_reader r = reader_of(&story);

    watch_reader_begin(&r);
    watch_reader_expect(&r, true);
    CHECK_INT(feed(&r, "{\"items\":[]}"), 0);
    CHECK_INT(watch_reader_end_page(&r), -EBADMSG);
    watch_reader_done(&r);
}
