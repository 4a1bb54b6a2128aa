/* json_test.c - values: what goes in comes out, and what is not JSON stays out. */
#include "json/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"

static struct json *parsed(struct arena *a, const char *text)
{
    struct error err = { 0 };
    struct json *v = NULL;

    CHECK_OK(json_parse(a, text, strlen(text), &v, &err), err);
    return v;
}

static void check_refused(const char *text, size_t len, const char *why)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct json *v = NULL;

    CHECK_INT(json_parse(a, text, len, &v, &err), -EBADMSG);
    CHECK(v == NULL);
    if (!strstr(error_text(&err), why))
        test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", error_text(&err), why);
}

static char *written(struct arena *a, const struct json *v, enum json_style style)
{
    scoped(buf) struct buf out = { 0 };

    json_write(v, style, &out);
    return arena_str(a, buf_text(&out));
}

TEST(json_comes_out_as_it_went_in)
{
    static const char *const texts[] = {
        "null",
        "true",
        "false",
        "0",
        "-7",
        "9223372036854775807",
        "-9223372036854775808",
        "\"\"",
        "[]",
        "{}",
        "[1,[2,[3]],{}]",
        "{\"b\":1,\"a\":{\"c\":null}}",
        "1.0",
        "-0",
        "1e3",
        "0.1",
        "1E+400",
        "18446744073709551615",
        "3.14159265358979323846264338",
        "\"a\\\"b\\\\c/\\n\\r\\t\\b\\f\\u0001\"",
        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\xa2\"",
    };
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        CHECK_STR(json_text(a, parsed(a, texts[i])), texts[i]);
}

TEST(json_numbers_have_the_type_they_were_written_with)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *v = parsed(a, "[9223372036854775807,9223372036854775808,1.5,1e2,-0]");

    CHECK_INT(json_item(v, 0)->type, JSON_INT);
    CHECK_INT(json_int_or(json_item(v, 0), 0), INT64_MAX);
    CHECK_INT(json_item(v, 1)->type, JSON_REAL);
    CHECK(json_item(v, 1)->real.number == 9223372036854775808.0);
    CHECK(json_real_or(json_item(v, 2), 0) == 1.5);
    CHECK_INT(json_int_or(json_item(v, 3), -1), -1);
    CHECK_STR(json_item(v, 4)->real.digits, "-0");
}

TEST(json_escapes_become_characters_and_strings_may_hold_a_nul)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *v = parsed(a, "\"x\\u0000\\u00e9\\ud83d\\udea2y\"");

    CHECK_INT(v->str.len, 9);
    CHECK(!memcmp(v->str.text, "x\0\xc3\xa9\xf0\x9f\x9a\xa2y", 10));
    CHECK_STR(json_text(a, v), "\"x\\u0000\xc3\xa9\xf0\x9f\x9a\xa2y\"");
}

TEST(json_bytes_that_are_not_utf8_are_replaced_when_written)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "a\xff"
          "b",
          "\"a\xef\xbf\xbd"
          "b\"" },
        { "\xc3", "\"\xef\xbf\xbd\"" },
        { "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
        { "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
        { "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
        { "\xe0\x80\x80\xc3\xa9", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\"" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        scoped(buf) struct buf out = { 0 };

        json_write_str(&out, cases[i].text, strlen(cases[i].text));
        CHECK_STR(buf_text(&out), cases[i].want);
    }
}

TEST(json_refuses_what_is_not_json_and_says_where)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        { "", "the text is empty" }, { "{\n \"a\": nul }", "line 2, column 7" },
        { "[1,]", "column 3" },      { "{\"a\":1} x", "column 9" },
        { "[01]", "line 1" },        { "// no\n1", "line 1" },
        { "NaN", "line 1" },         { "\"\\ud800\"", "line 1" },
        { "\"\xff\"", "line 1" },    { "\"a\nb\"", "column 3" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        check_refused(cases[i].text, strlen(cases[i].text), cases[i].why);
    check_refused("\xef\xbb\xbf{}", 5, "line 1");
}

TEST(json_refuses_a_key_that_is_there_twice_and_names_it)
{
    scoped(buf) struct buf large = { 0 };

    check_refused("{\"a\":[0,{\"b\":1,\"c\":2,\"b\":3}]}", 29, "a.1.b: the key is there twice");
    buf_char(&large, '{');
    for (int i = 0; i < 1000; i++)
        buf_fmt(&large, "\"k%d\":%d,", i, i);
    buf_str(&large, "\"k500\":0}");
    check_refused(large.bytes, large.len, "k500: the key is there twice");
    check_refused("{\"a\\u0000b\":1}", 14, "NUL");
}

TEST(json_refuses_what_is_nested_too_deeply)
{
    char text[2 * (JSON_DEPTH_MAX + 1)];
    size_t half = sizeof text / 2;
    scoped(arena) struct arena *a = arena_new();
    struct json *v = NULL;

    memset(text, '[', half);
    memset(text + half, ']', half);
    check_refused(text, sizeof text, "nested too deeply");
    CHECK_INT(json_parse(a, text + 1, sizeof text - 2, &v, NULL), 0);
}

TEST(json_is_written_pretty_or_canonical)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *v = parsed(a, "{\"b\":[1,{\"z\":1,\"y\":[]}],\"a\":{}}");

    CHECK_STR(written(a, v, JSON_CANONICAL), "{\"a\":{},\"b\":[1,{\"y\":[],\"z\":1}]}");
    CHECK_STR(written(a, v, JSON_PRETTY), "{\n"
                                          "  \"b\": [\n"
                                          "    1,\n"
                                          "    {\n"
                                          "      \"z\": 1,\n"
                                          "      \"y\": []\n"
                                          "    }\n"
                                          "  ],\n"
                                          "  \"a\": {}\n"
                                          "}");
}

TEST(json_values_are_made_set_and_removed)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *v = json_object(a);
    struct json *list = json_array(a);
    char name[8];

    for (int i = 0; i < 9; i++) {
        snprintf(name, sizeof name, "n%d", i);
        json_set(a, v, name, json_int(a, i));
        json_add(a, list, json_bool(a, i % 2));
    }
    json_set_str(a, v, "n0", "zero");
    json_set_str(a, v, "n1", NULL);
    json_remove(v, "n8");
    json_remove(v, "n3");
    json_remove(v, "none");
    json_set(a, v, "list", list);
    CHECK_INT(json_count(list), 9);
    CHECK_STR(json_text(a, v),
              "{\"n0\":\"zero\",\"n1\":1,\"n2\":2,\"n4\":4,\"n5\":5,\"n6\":6,\"n7\":7,"
              "\"list\":[false,true,false,true,false,true,false,true,false]}");
}

TEST(json_reals_are_written_with_the_fewest_digits_that_keep_them)
{
    scoped(arena) struct arena *a = arena_new();

    CHECK_STR(json_text(a, json_real(a, 0.1)), "0.1");
    CHECK_STR(json_text(a, json_real(a, 1)), "1.0");
    CHECK_STR(json_text(a, json_real(a, 1e300)), "1e+300");
    CHECK_STR(json_text(a, json_real(a, 1.0 / 3)), "0.3333333333333333");
    CHECK_STR(json_text(a, json_real(a, NAN)), "null");
    CHECK_STR(json_text(a, json_real(a, -INFINITY)), "null");
}

TEST(json_paths_reach_into_values)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *v = parsed(a, "{\"spec\":{\"containers\":[{\"image\":\"x\"}]},"
                               "\"labels\":{\"app.io/name\":\"n\",\"\":5},\"0\":true}");

    CHECK_STR(json_str_or(json_at(v, "spec.containers.0.image"), NULL), "x");
    CHECK_STR(json_str_or(json_at(v, "labels.app\\.io/name"), NULL), "n");
    CHECK_INT(json_int_or(json_at(v, "labels."), 0), 5);
    CHECK(json_bool_or(json_at(v, "0"), false));
    CHECK(json_at(v, "") == v);
    CHECK(!json_at(v, "spec.containers.1"));
    CHECK(!json_at(v, "spec.containers.x"));
    CHECK(!json_at(v, "spec.containers.99999999999999999999"));
    CHECK(!json_at(v, "spec.containers.0.image.deeper"));
    CHECK(!json_at(NULL, "a"));
}

TEST(json_questions_about_nothing_or_another_type_say_not_there)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *text = json_str(a, "x");

    CHECK(!json_get(NULL, "a") && !json_get(text, "a") && !json_item(text, 0));
    CHECK_STR(json_str_or(json_int(a, 1), "no"), "no");
    CHECK_INT(json_int_or(text, 3), 3);
    CHECK(json_bool_or(NULL, true));
    CHECK_INT(json_count(text), 0);
    CHECK_INT(json_str(a, NULL)->type, JSON_NULL);
}

TEST(json_copies_share_nothing)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(arena) struct arena *b = arena_new();
    const char *text = "{\"a\":[1,2.50,\"x\\u0000y\",{\"b\":null}],\"c\":true}";
    struct json *copy = json_copy(b, parsed(a, text));

    arena_reset(a);
    memset(arena_alloc(a, 2048), 0xff, 2048);
    CHECK_STR(json_text(b, copy), text);
}

TEST(json_equality_is_of_values_not_of_spelling)
{
    static const struct {
        const char *x, *y;
        bool equal;
    } cases[] = {
        { "1", "1.0", true },
        { "1000", "1e3", true },
        { "1000", "0.1e4", true },
        { "0", "-0.0e7", true },
        { "10.50", "1.05E1", true },
        { "120", "12e1", true },
        { "101", "11", false },
        { "1.01", "1.001", false },
        { "1", "-1", false },
        { "12", "123", false },
        { "9223372036854775808", "9223372036854775809", false },
        { "9223372036854775807", "9223372036854775808", false },
        { "1e99999999999999999999", "1e99999999999999999998", true },
        { "0.1", "0.10000000000000000555", false },
        { "{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1.0}", true },
        { "{\"a\":1}", "{\"a\":1,\"b\":1}", false },
        { "{\"a\":1}", "{\"b\":1}", false },
        { "{\"a\":null}", "{}", false },
        { "[1,2]", "[2,1]", false },
        { "\"1\"", "1", false },
        { "\"a\\u0000b\"", "\"a\\u0000c\"", false },
        { "true", "false", false },
    };
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct json *x = parsed(a, cases[i].x);
        struct json *y = parsed(a, cases[i].y);

        if (json_equal(x, y) != cases[i].equal || json_equal(y, x) != cases[i].equal ||
            (json_hash(x) == json_hash(y)) != cases[i].equal)
            test_fail(__FILE__, __LINE__, "%s and %s", cases[i].x, cases[i].y);
    }
    CHECK(json_equal(NULL, NULL) && !json_equal(NULL, json_null(a)));
}

TEST(json_large_objects_compare_in_any_order)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *x = json_object(a);
    struct json *y = json_object(a);

    for (int i = 0; i < 2000; i++) {
        json_append(a, x, fmt(a, "k%d", i), json_int(a, i));
        json_append(a, y, fmt(a, "k%d", 1999 - i), json_int(a, 1999 - i));
    }
    CHECK(json_equal(x, y));
    CHECK(json_hash(x) == json_hash(y));
    json_set(a, y, "k7", json_int(a, 8));
    CHECK(!json_equal(x, y));
    CHECK(json_hash(x) != json_hash(y));
}
