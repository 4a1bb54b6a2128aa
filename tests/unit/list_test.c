/* list_test.c - lists and streams cut at every position give what parsing them whole gives. */
#include "json/list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/rand.h"
#include "support/test.h"
#include "json/docs.h"
#include "json/json.h"
#include "json/scan.h"

static int keep_item(void *userdata, const char *item, size_t len, struct error *err)
{
    struct buf *items = userdata;

    (void)err;
    buf_add(items, item, len);
    return buf_char(items, '|');
}

/* The items, each followed by |, and what surrounds them, fed in pieces of the given size. */
static int cut(const char *text, size_t len, size_t piece, const struct list_options *limits,
               struct buf *out, struct error *err)
{
    struct list_options options = *limits;
    scoped(list_cutter) struct list_cutter *cutter = NULL;
    const char *around;
    size_t around_len;
    int rc = 0;

    options.on_item = keep_item;
    options.userdata = out;
    cutter = list_cutter_new(&options);
    for (size_t at = 0; at < len && rc == 0; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        scoped(free) char *copy =
            memcpy(must_alloc(n), text + at, n); /* so that ASan sees its ends */

        rc = list_cutter_feed(cutter, copy, n, err);
    }
    if (rc < 0)
        return rc;
    rc = list_cutter_end(cutter, &around, &around_len, err);
    if (rc == 0)
        buf_add(out, around, around_len);
    return rc;
}

static void check_cut(const char *text, const char *want)
{
    const struct list_options options = { .array = "items" };

    for (size_t piece = 1; piece <= strlen(text); piece++) {
        scoped(buf) struct buf out = { 0 };
        struct error err = { 0 };

        CHECK_OK(cut(text, strlen(text), piece, &options, &out, &err), err);
        CHECK_STR(buf_text(&out), want);
    }
}

static void check_refused(const char *text, const char *why)
{
    const struct list_options options = { .array = "items", .item_limit = 8, .around_limit = 40 };

    for (size_t piece = 1; piece <= strlen(text) + 1; piece++) {
        scoped(buf) struct buf out = { 0 };
        struct error err = { 0 };

        CHECK(cut(text, strlen(text), piece, &options, &out, &err) < 0);
        if (!strstr(error_text(&err), why))
            test_fail(__FILE__, __LINE__, "%s: '%s' does not say '%s'", text, error_text(&err),
                      why);
    }
}

TEST(list_items_come_out_alone_and_the_rest_stays)
{
    check_cut("{\"kind\":\"L\",\"items\":[{\"a\":1}, {\"b\":[2]} ],\"metadata\":{\"n\":5}}",
              "{\"a\":1}|{\"b\":[2]}|{\"kind\":\"L\",\"items\":[],\"metadata\":{\"n\":5}}");
    check_cut(" { \"items\" : [ 1 , \"x,]\" , null , [ [ ] ] , -2.5e3,true ] } \n",
              "1|\"x,]\"|null|[ [ ] ]|-2.5e3|true|{\"items\":[]}");
}

TEST(list_without_items_is_told_from_an_empty_one)
{
    check_cut("{}", "{}");
    check_cut("{\"items\":null,\"a\":1}", "{\"items\":null,\"a\":1}");
    check_cut("{\"items\":[ ]}", "{\"items\":[]}");
    check_cut("{\"a\":[1],\"b\":\"items\"}", "{\"a\":[1],\"b\":\"items\"}");
    for (int there = 0; there < 2; there++) {
        const char *text = there ? "{\"items\":null}" : "{\"kind\":\"Status\"}";
        scoped(buf) struct buf out = { 0 };
        struct list_options options = { .array = "items", .on_item = keep_item, .userdata = &out };
        scoped(list_cutter) struct list_cutter *cutter = list_cutter_new(&options);

        CHECK_INT(list_cutter_feed(cutter, text, strlen(text), NULL), 0);
        CHECK_INT(list_cutter_found(cutter), there);
    }
}

TEST(list_array_is_the_outermost_one_only)
{
    check_cut("{\"a\":{\"items\":[1]},\"items\":[{\"items\":[2]}],\"b\":[{\"items\":[3]}]}",
              "{\"items\":[2]}|{\"a\":{\"items\":[1]},\"items\":[],\"b\":[{\"items\":[3]}]}");
    check_cut("{\"it\\u0065ms\":[7],\"\\\"items\":[8]}",
              "7|{\"it\\u0065ms\":[],\"\\\"items\":[8]}");
}

TEST(list_strings_hide_brackets_and_escapes_hide_quotes)
{
    check_cut("{\"items\":[{\"a\":\"}]\\\"\\\\\",\"b\":\"\\\\\\\"]\"}],\"c\":\"\\\\\"}",
              "{\"a\":\"}]\\\"\\\\\",\"b\":\"\\\\\\\"]\"}|{\"items\":[],\"c\":\"\\\\\"}");
}

TEST(list_refuses_what_is_no_list)
{
    check_refused("", "ends early");
    check_refused("{\"items\":[1,2", "ends early");
    check_refused("[1]", "an object expected, got '['");
    check_refused("{\"items\":[1,]}", "an item expected");
    check_refused("{\"items\":[1 2]}", "',' or ']' expected");
    check_refused("{\"items\":{}}", "\"items\" is no array");
    check_refused("{\"items\":[],\"items\":[]}", "\"items\" is there twice");
    check_refused("{\"a\" 1}", "':' expected");
    check_refused("{\"a\":}", "a value expected");
    check_refused("{\"a\":1,}", "a member's name expected");
    check_refused("{}x", "the end expected");
    check_refused("{\"items\":[\x01]}", "0x01");
    check_refused("{\"items\":[\"1234567\"]}", "item 0 of \"items\" is longer than 8 bytes");
    check_refused("{\"a\":\"0123456789012345678901234567890123456789\"}", "longer than 40 bytes");
}

static int stop_at_two(void *userdata, const char *item, size_t len, struct error *err)
{
    (void)item;
    (void)len;
    return ++*(int *)userdata == 2 ? fail(err, -ECANCELED, "enough") : 0;
}

TEST(list_stops_when_told_and_stays_stopped)
{
    int seen = 0;
    struct error err = { 0 };
    struct list_options options = { .array = "items", .on_item = stop_at_two, .userdata = &seen };
    scoped(list_cutter) struct list_cutter *cutter = list_cutter_new(&options);
    const char *around;
    size_t len;

    CHECK_INT(list_cutter_feed(cutter, "{\"items\":[1,2,3]}", 17, &err), -ECANCELED);
    CHECK_STR(error_text(&err), "enough");
    CHECK_INT(list_cutter_feed(cutter, "4", 1, &err), -ECANCELED);
    CHECK_INT(list_cutter_end(cutter, &around, &len, &err), -ECANCELED);
    CHECK_INT(seen, 2);
}

static struct json *random_value(struct arena *a, int depth)
{
    static const char *const texts[] = { "",   "items",  "\"",          "\\",
                                         "]}", "\\\\\"", "\xc3\xa9 {[", "a,b" };
    uint64_t kind = rand_below(depth > 4 ? 4 : 6);
    struct json *v = kind == 5 ? json_object(a) : json_array(a);

    if (kind == 0)
        return json_int(a, (int64_t)rand_below(100000) - 50000);
    if (kind == 1)
        return json_bool(a, rand_below(2));
    if (kind == 2)
        return json_null(a);
    if (kind == 3)
        return json_str(a, texts[rand_below(ARRAY_SIZE(texts))]);
    for (uint64_t i = rand_below(6); i > 0; i--) {
        if (kind == 4)
            json_add(a, v, random_value(a, depth + 1));
        else
            json_set(a, v, texts[rand_below(ARRAY_SIZE(texts))], random_value(a, depth + 1));
    }
    return v;
}

/* A list with something before and after its items, and what cutting it must give. */
static void random_list(struct arena *a, struct buf *text, struct buf *want)
{
    enum json_style style = rand_below(2) ? JSON_PRETTY : JSON_COMPACT;
    struct json *list = json_object(a);
    struct json *items = json_array(a);

    for (uint64_t i = rand_below(5); i > 0; i--)
        json_add(a, items, random_value(a, 0));
    json_set(a, list, "before", random_value(a, 1));
    json_set(a, list, "items", items);
    json_set(a, list, "after\\", random_value(a, 1));
    json_write(list, style, text);
    for (size_t i = 0; i < json_count(items); i++) {
        json_write(json_item(items, i), JSON_COMPACT, want);
        buf_char(want, '|');
    }
    json_set(a, list, "items", json_array(a));
    json_write(list, JSON_COMPACT, want);
}

/* Items and surroundings as compact JSON, so that white space inside them does not matter. */
static void compacted(struct arena *a, struct buf *got)
{
    scoped(free) char *text = buf_take(got);
    char *at = text;

    for (char *end; *at; at = end + (*end != 0)) {
        struct json *v = NULL;
        struct error err = { 0 };

        end = strchrnul(at, '|');
        CHECK_OK(json_parse(a, at, (size_t)(end - at), &v, &err), err);
        json_write(v, JSON_COMPACT, got);
        if (*end)
            buf_char(got, '|');
    }
}

TEST(list_cut_anywhere_gives_what_parsing_it_whole_gives)
{
    const struct list_options options = { .array = "items" };

    for (int round = 0; round < 300; round++) {
        scoped(arena) struct arena *a = arena_new();
        scoped(buf) struct buf text = { 0 };
        scoped(buf) struct buf want = { 0 };

        random_list(a, &text, &want);
        for (size_t piece = 1; piece <= text.len; piece += 1 + rand_below(round < 30 ? 1 : 40)) {
            scoped(buf) struct buf got = { 0 };
            struct error err = { 0 };

            CHECK_OK(cut(text.bytes, text.len, piece, &options, &got, &err), err);
            compacted(a, &got);
            CHECK_STR(buf_text(&got), buf_text(&want));
        }
    }
}

TEST(scan_masks_are_the_same_with_and_without_vectors)
{
    static const char chars[] = "\"\\[]{}aZ:,\x80\xff\x00 |}";
    char block[SCAN_BLOCK];

    for (int round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof block; i++)
            block[i] = round % 2 ? chars[rand_below(sizeof chars)] : (char)rand_below(256);
        struct scan_masks x = scan_masks(block);
        struct scan_masks y = scan_masks_portable(block);

        CHECK(!memcmp(&x, &y, sizeof x));
        for (size_t i = 0; i < sizeof block; i++) {
            CHECK_INT(x.quote >> i & 1, block[i] == '"');
            CHECK_INT(x.backslash >> i & 1, block[i] == '\\');
            CHECK_INT(x.open >> i & 1, block[i] == '{' || block[i] == '[');
            CHECK_INT(x.close >> i & 1, block[i] == '}' || block[i] == ']');
        }
    }
}

static int cut_docs(const char *text, size_t piece, size_t limit, struct buf *out,
                    struct error *err)
{
    struct doc_options options = { .limit = limit, .on_document = keep_item, .userdata = out };
    scoped(doc_cutter) struct doc_cutter *cutter = doc_cutter_new(&options);
    size_t len = strlen(text);
    int rc = 0;

    for (size_t at = 0; at < len && rc == 0; at += piece)
        rc = doc_cutter_feed(cutter, text + at, len - at < piece ? len - at : piece, err);
    return rc ?: doc_cutter_end(cutter, err);
}

TEST(documents_of_a_stream_come_out_one_by_one)
{
    const char *text =
        "{\"type\":\"ADDED\",\"object\":{\"a\":\"}\\\"{\"}}\n{}{\"b\":[{}]}\r\n \n{ }";

    for (size_t piece = 1; piece <= strlen(text); piece++) {
        scoped(buf) struct buf out = { 0 };
        struct error err = { 0 };

        CHECK_OK(cut_docs(text, piece, 0, &out, &err), err);
        CHECK_STR(buf_text(&out),
                  "{\"type\":\"ADDED\",\"object\":{\"a\":\"}\\\"{\"}}|{}|{\"b\":[{}]}|{ }|");
    }
}

TEST(documents_that_are_none_too_long_or_cut_off_are_refused)
{
    static const struct {
        const char *text;
        int code;
        const char *seen;
    } cases[] = {
        { "{}[]", -EBADMSG, "{}|" },
        { "{} x", -EBADMSG, "{}|" },
        { "{}{\"a\":1}{\"abcdef\":1}", -EMSGSIZE, "{}|{\"a\":1}|" },
        { "{}{\"a\":", -EBADMSG, "{}|" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        for (size_t piece = 1; piece <= 24; piece++) {
            scoped(buf) struct buf out = { 0 };

            CHECK_INT(cut_docs(cases[i].text, piece, 10, &out, NULL), cases[i].code);
            CHECK_STR(buf_text(&out), cases[i].seen);
        }
    }
}
