/* yaml_test.c - manifests in, manifests out. */
#include "json/yaml.h"

#include <errno.h>
#include <string.h>

#include "base/rand.h"
#include "support/test.h"

static void check_reads(const char *yaml, const char *json)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct json *documents = NULL;

    CHECK_OK(yaml_parse(a, yaml, strlen(yaml), &documents, &err), err);
    CHECK_STR(json_text(a, documents), json);
}

static void check_refused(const char *yaml, const char *why)
{
    scoped(arena) struct arena *a = arena_new();
    struct error err = { 0 };
    struct json *documents = NULL;

    CHECK_INT(yaml_parse(a, yaml, strlen(yaml), &documents, &err), -EBADMSG);
    CHECK(!documents);
    if (!strstr(error_text(&err), why))
        test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", error_text(&err), why);
}

TEST(yaml_scalars_have_the_types_of_the_core_schema)
{
    check_reads("[null, Null, NULL, ~, ]", "[[null,null,null,null]]");
    check_reads("[true, True, FALSE, yes, on, off, y]",
                "[[true,true,false,\"yes\",\"on\",\"off\",\"y\"]]");
    check_reads("[0, -7, +7, 0x1F, 0o17, 0644, 9223372036854775807, 9223372036854775808]",
                "[[0,-7,7,31,15,420,9223372036854775807,9223372036854775808]]");
    check_reads("[1.5, .5, 5., 1e3, -1.5E-3, +0.10, 00.5, 089, -0]",
                "[[1.5,0.5,5,1e3,-1.5E-3,0.10,0.5,89,-0]]");
    check_reads("['1', \"true\", '', 1.2.3, 0x, 0o8, 1_000, 12:30, 1e, '.', 2024-01-02, <<, "
                "0xfffffffffffffffff]",
                "[[\"1\",\"true\",\"\",\"1.2.3\",\"0x\",\"0o8\",\"1_000\",\"12:30\",\"1e\",\".\","
                "\"2024-01-02\",\"<<\",\"0xfffffffffffffffff\"]]");
    check_reads("[!!str 1, !!int 2, !!float 3, !!null '', !!bool true, ! 4, !!seq [], !!map {}]",
                "[[\"1\",2,3,null,true,\"4\",[],{}]]");
}

TEST(yaml_documents_come_as_a_list_without_the_empty_ones)
{
    check_reads("", "[]");
    check_reads("# nothing\n", "[]");
    check_reads("---\na: 1\n---\n# empty\n---\n- b\n...\n---\n\"\"\n", "[{\"a\":1},[\"b\"],\"\"]");
    check_reads("a: &x 1\n---\nb: 2\n", "[{\"a\":1},{\"b\":2}]");
}

TEST(yaml_blocks_and_flows_make_the_same_values)
{
    check_reads("spec:\n  containers:\n  - name: a\n    args: [x, 'y z']\n  - {name: b}\n",
                "[{\"spec\":{\"containers\":[{\"name\":\"a\",\"args\":[\"x\",\"y "
                "z\"]},{\"name\":\"b\"}]}}]");
    check_reads("a: |\n  one\n   two\n\nb: >-\n  one\n  two\nc: |+\n  x\n\n",
                "[{\"a\":\"one\\n two\\n\",\"b\":\"one two\",\"c\":\"x\\n\\n\"}]");
    check_reads("80: http\ntrue: x\n1.50: y\n",
                "[{\"80\":\"http\",\"true\":\"x\",\"1.50\":\"y\"}]");
}

TEST(yaml_aliases_and_merge_keys_are_resolved)
{
    check_reads("a: &x {k: [1]}\nb: *x\nc: [*x, *x]\n",
                "[{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":[{\"k\":[1]},{\"k\":[1]}]}]");
    check_reads("a: &x {k: 1, l: 2}\nb: {<<: *x, l: 3}\n",
                "[{\"a\":{\"k\":1,\"l\":2},\"b\":{\"l\":3,\"k\":1}}]");
    check_reads("b: {<<: [{k: 1}, {k: 2, l: 2}], m: 3}\n", "[{\"b\":{\"m\":3,\"k\":1,\"l\":2}}]");
    check_reads("b: {'<<': 1}\n", "[{\"b\":{\"<<\":1}}]");
}

TEST(yaml_refuses_and_says_where)
{
    check_refused("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key is there twice: a");
    check_refused("a: [1, 2\n", "line 2");
    check_refused("a: *x\n", "line 1, column 4: no value is anchored as x");
    check_refused("a: &x [*x]\n", "no value is anchored as x");
    check_refused("a: &x 1\n---\nb: *x\n", "line 3, column 4: no value is anchored");
    check_refused("[a]: 1\n", "a key must be a scalar");
    check_refused("? \n: 1\n", "a key is missing");
    check_refused("\"a\\0b\": 1\n", "NUL");
    check_refused("a: .inf\n", "JSON has no number .inf");
    check_refused("a: !foo 1\n", "no type is known for the tag !foo");
    check_refused("a: !!int x\n", "does not fit its tag");
    check_refused("a: !!binary aGk=\n", "does not fit its tag");
    check_refused("a: !!set {b}\n", "no type is known for the tag");
    check_refused("<<: 1\n", "<< takes a mapping");
    check_refused("<<: [{}, 1]\n", "<< takes a mapping");
    check_refused("a: \"\xff\"\n", "byte 4");
    check_refused("a:\n\t- b\n", "line 2");
}

TEST(yaml_depth_and_aliases_are_bounded)
{
    scoped(buf) struct buf text = { 0 };
    char deep[2 * (JSON_DEPTH_MAX + 1) + 1] = { 0 };

    memset(deep, '[', JSON_DEPTH_MAX + 1);
    memset(deep + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    check_refused(deep, "column 129: nested too deeply");
    buf_str(&text, "- &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
        buf_fmt(&text, "- &a%d [", i);
        for (int j = 0; j < 10; j++)
            buf_fmt(&text, "*a%d,", i - 1);
        buf_str(&text, "]\n");
    }
    check_refused(text.bytes, "aliases expand to too much");
    buf_clear(&text);
    buf_str(&text, "- &a0 []\n");
    for (int i = 1; i < JSON_DEPTH_MAX; i++)
        buf_fmt(&text, "- &a%d [*a%d]\n", i, i - 1);
    check_refused(text.bytes, "line 128, column 10: nested too deeply");
}

static void check_writes(const char *json, const char *yaml)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf out = { 0 };
    struct json *v = NULL;
    struct error err = { 0 };

    CHECK_OK(json_parse(a, json, strlen(json), &v, &err), err);
    yaml_write(v, &out);
    CHECK_STR(buf_text(&out), yaml);
}

TEST(yaml_is_written_in_block_style)
{
    check_writes(
        "{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"name\":\"a\",\"args\":[\"x\",[1,2]]}],"
        "\"z\":null,\"e\":{},\"l\":[]}}",
        "kind: Pod\nspec:\n  containers:\n  - name: a\n    args:\n    - x\n    - - 1\n"
        "      - 2\n  z: null\n  e: {}\n  l: []\n");
    check_writes("[]", "[]\n");
    check_writes("\"x\"", "x\n");
    check_writes("[1.50,1e3,1E-3,true,-0]", "- 1.50\n- 1.0e+3\n- 1.0e-3\n- true\n- -0\n");
}

TEST(yaml_strings_are_quoted_when_they_would_be_something_else)
{
    static const char *const quoted[] = {
        "",    "yes", "No",         "null",     "~",   "1",    "1.5",   "0x1f",     "1e3",
        "-1",  ".5",  "a: b",       "a #b",     "- a", " a",   "a ",    "a:",       "#a",
        "&a",  "*a",  "!a",         "[a",       "{a",  "|",    ">",     "%a",       "@a",
        "'a",  "\"",  "2024-01-02", "12:30:45", "<<",  "=",    "1_000", "10.0.0.1", "?",
        "? a", "---", "a\tb",       "a\x7f",    "y",   ".inf",
    };
    static const char *const plain[] = { "a",         "a b",     "a:b",  "a#b",
                                         "/dev/null", "4Gi",     "500m", "x=y",
                                         "nginx:1.2", "a.b-c_d", "_x",   "Yesterday" };
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < ARRAY_SIZE(quoted) + ARRAY_SIZE(plain); i++) {
        bool quote = i < ARRAY_SIZE(quoted);
        const char *text = quote ? quoted[i] : plain[i - ARRAY_SIZE(quoted)];
        scoped(buf) struct buf out = { 0 };

        yaml_write(json_str(a, text), &out);
        if ((out.bytes[0] == '"' && out.len > strlen(text) + 2) != quote)
            test_fail(__FILE__, __LINE__, "%s is written %s", text, buf_text(&out));
    }
    check_writes("\"a\\u0085b\\u2028\\ufeff\\u00e9\\ud83d\\udea2\\u0000\"",
                 "\"a\\x85b\\u2028\\uFEFF\xc3\xa9\xf0\x9f\x9a\xa2\\x00\"\n");
}

TEST(yaml_texts_of_several_lines_are_literal_blocks)
{
    check_writes("{\"a\":\"x\\n y\\n\",\"b\":[\"p\\n\\nq\"],\"c\":\"t\\n\\n\"}",
                 "a: |\n  x\n   y\nb:\n- |-\n  p\n\n  q\nc: |+\n  t\n\n");
    check_writes("{\"a\":\" x\\ny\",\"b\":\"x\\r\\ny\",\"c\":\"\\n\"}",
                 "a: \" x\\ny\"\nb: \"x\\r\\ny\"\nc: \"\\n\"\n");
}

static struct json *random_value(struct arena *a, int depth)
{
    static const char *const texts[] = { "",     "a",      "null", "x: y\n",   "a\nb\n\n",
                                         "\n",   " \n x",  "- \t", "#",        "0644",
                                         "1e3",  "a\n \n", "'\"",  "\xc3\xa9", "a\r\nb",
                                         "\x7f", "---\nx", "<<",   "? ",       "a\n  b\n\tc" };
    uint64_t kind = rand_below(depth > 4 ? 5 : 7);
    struct json *v = kind == 6 ? json_object(a) : json_array(a);

    if (kind == 0)
        return json_int(a, (int64_t)rand_below(1000) - 500);
    if (kind == 1)
        return rand_below(2) ? json_null(a) : json_bool(a, rand_below(2));
    if (kind == 2)
        return json_real(a, ((double)rand_below(100000) - 50000) / 64);
    if (kind < 5)
        return json_str(a, texts[rand_below(ARRAY_SIZE(texts))]);
    for (uint64_t i = rand_below(4); i > 0; i--) {
        if (kind == 5)
            json_add(a, v, random_value(a, depth + 1));
        else
            json_set(a, v, texts[rand_below(ARRAY_SIZE(texts))], random_value(a, depth + 1));
    }
    return v;
}

static void check_round_trip(struct arena *a, const struct json *v)
{
    scoped(buf) struct buf text = { 0 };
    struct error err = { 0 };
    struct json *back = NULL;

    yaml_write(v, &text);
    if (yaml_parse(a, text.bytes, text.len, &back, &err) < 0)
        test_fail(__FILE__, __LINE__, "%s\n%s", error_text(&err), text.bytes);
    if (json_count(back) != 1 || !json_equal(json_item(back, 0), v))
        test_fail(__FILE__, __LINE__, "%s\n%s\n%s", json_text(a, v), text.bytes,
                  json_text(a, back));
}

TEST(yaml_reads_back_what_it_wrote)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *long_key = json_object(a);
    struct json *list = json_array(a);
    char name[3000];

    for (int i = 0; i < 5000; i++) {
        check_round_trip(a, random_value(a, 0));
        arena_reset(a);
    }
    long_key = json_object(a);
    list = json_array(a);
    memset(name, 'k', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    json_set(a, long_key, name, list);
    json_add(a, list, json_copy(a, long_key));
    check_round_trip(a, long_key);
}
