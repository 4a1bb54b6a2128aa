/* merge_test.c - merging as RFC 7386 and Kubernetes define it, and what counts as already there. */
#include "json/merge.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "support/test.h"

static struct json *parsed(struct arena *a, const char *text)
{
    struct error err = { 0 };
    struct json *v = NULL;

    CHECK_OK(json_parse(a, text, strlen(text), &v, &err), err);
    return v;
}

typedef struct json *merger(struct arena *a, const struct json *base, const struct json *patch);

struct merge_case {
    const char *base, *patch, *want;
};

static void check_merges(merger *merge, const struct merge_case *cases, size_t n)
{
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < n; i++) {
        struct json *base = parsed(a, cases[i].base);
        struct json *patch = parsed(a, cases[i].patch);

        CHECK_STR(json_text(a, merge(a, base, patch)), cases[i].want);
        CHECK_STR(json_text(a, base), cases[i].base);
        CHECK_STR(json_text(a, patch), cases[i].patch);
    }
}

/* The examples in appendix A of the RFC. */
TEST(merge_patch_does_what_rfc_7386_shows)
{
    static const struct merge_case cases[] = {
        { "{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}" },
        { "{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}" },
        { "{\"a\":\"b\"}", "{\"a\":null}", "{}" },
        { "{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}" },
        { "{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}" },
        { "{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}" },
        { "{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}" },
        { "{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}" },
        { "[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]" },
        { "{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]" },
        { "{\"a\":\"foo\"}", "null", "null" },
        { "{\"a\":\"foo\"}", "\"bar\"", "\"bar\"" },
        { "{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}" },
        { "[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}" },
        { "{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}" },
    };

    check_merges(json_merge_patch, cases, ARRAY_SIZE(cases));
}

/* Recorded from k8s.io/apimachinery v0.36.3, StrategicMergePatch on a Pod. */
TEST(strategic_merge_does_what_kubernetes_does)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(free) char *text = NULL;
    struct json *cases;
    struct error err = { 0 };

    CHECK_OK(file_read(fmt(a, "%s/unit/merge_cases.json", test_dir()), 1 << 20, &text, NULL, &err),
             err);
    cases = parsed(a, text);
    CHECK(json_count(cases) > 20);
    for (size_t i = 0; i < json_count(cases); i++) {
        const struct json *c = json_item(cases, i);
        struct json *got = json_merge_strategic(a, json_get(c, "base"), json_get(c, "patch"));

        if (!json_equal(got, json_get(c, "want")))
            test_fail(__FILE__, __LINE__, "case %zu: %s", i, json_text(a, got));
    }
}

/* Where Kubernetes merges by one key of two, or leaves directives in the result, we do not. */
TEST(strategic_merge_tells_protocols_apart_and_leaves_no_directive_behind)
{
    static const struct merge_case cases[] = {
        { "{\"ports\":[{\"containerPort\":53,\"name\":\"tcp\"}]}",
          "{\"ports\":[{\"containerPort\":53,\"protocol\":\"UDP\"},{\"containerPort\":53,"
          "\"protocol\":\"TCP\",\"name\":\"x\"}]}",
          "{\"ports\":[{\"containerPort\":53,\"protocol\":\"UDP\"},{\"containerPort\":53,"
          "\"name\":\"x\",\"protocol\":\"TCP\"}]}" },
        { "{\"ports\":[{\"port\":80,\"targetPort\":1}]}",
          "{\"ports\":[{\"port\":80,\"nodePort\":2}]}",
          "{\"ports\":[{\"port\":80,\"targetPort\":1,\"nodePort\":2}]}" },
        { "{}",
          "{\"env\":[{\"$patch\":\"replace\"},{\"name\":\"A\",\"valueFrom\":null}],\"x\":{\"$"
          "patch\":"
          "\"delete\"},\"y\":{\"$patch\":\"replace\",\"b\":1},\"$setElementOrder/env\":[]}",
          "{\"env\":[{\"name\":\"A\"}],\"y\":{\"b\":1}}" },
        { "{\"env\":[{\"name\":\"A\"}]}", "{\"env\":[{\"value\":\"nameless\"},3]}",
          "{\"env\":[{\"value\":\"nameless\"},3,{\"name\":\"A\"}]}" },
        { "{\"env\":[{\"name\":\"A\"}]}",
          "{\"env\":[{\"name\":\"A\",\"x\":1},{\"name\":\"A\",\"x\":2}]}",
          "{\"env\":[{\"name\":\"A\",\"x\":2}]}" },
        { "{\"env\":[]}", "{\"env\":{}}", "{\"env\":{}}" },
        { "[1]", "[2]", "[2]" },
    };

    check_merges(json_merge_strategic, cases, ARRAY_SIZE(cases));
}

TEST(strategic_merge_of_long_lists_and_wide_objects_is_quick)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *base = json_object(a);
    struct json *env = json_array(a);
    struct json *merged;

    for (int i = 0; i < 20000; i++) {
        struct json *one = json_object(a);

        json_set_str(a, one, "name", fmt(a, "N%d", i));
        json_add(a, env, one);
        json_append(a, base, fmt(a, "k%d", i), json_int(a, i));
    }
    json_append(a, base, "env", env);
    merged = json_merge_strategic(a, base, base);
    CHECK(json_equal(merged, base));
    CHECK(json_covers(a, merged, base, NULL));
    CHECK(json_equal(json_merge_patch(a, base, base), base));
}

static void check_covers(const char *have, const char *want, const char *difference)
{
    scoped(arena) struct arena *a = arena_new();
    const char *path = NULL;
    bool covered = json_covers(a, parsed(a, have), parsed(a, want), &path);

    if (covered != !difference)
        test_fail(__FILE__, __LINE__, "%s on %s: %s", want, have, path ?: "covered");
    CHECK_STR(path, difference);
}

TEST(covers_lets_the_server_add_defaults)
{
    check_covers("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{\"b\":{\"c\":2.0}}", NULL);
    check_covers("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{\"b\":{\"c\":3}}", "b.c");
    check_covers("{\"a\":1}", "{\"b\":1}", "b");
    check_covers("{\"a\":\"1\"}", "{\"a\":1}", "a");
    check_covers("{\"a\":[1]}", "{\"a\":{}}", "a");
    check_covers("1", "2", "the document");
}

TEST(covers_compares_quantities_by_value_and_only_them)
{
    check_covers("{\"limits\":{\"cpu\":\"1\",\"memory\":\"1Gi\",\"nvidia.com/gpu\":\"8\"}}",
                 "{\"limits\":{\"cpu\":\"1000m\",\"memory\":\"1024Mi\",\"nvidia.com/gpu\":8}}",
                 NULL);
    check_covers("{\"limits\":{\"cpu\":\"1\"}}", "{\"limits\":{\"cpu\":2}}", "limits.cpu");
    check_covers("{\"emptyDir\":{\"sizeLimit\":\"1Gi\"}}",
                 "{\"emptyDir\":{\"sizeLimit\":\"1024Mi\"}}", NULL);
    check_covers("{\"labels\":{\"cpu\":\"1\"}}", "{\"labels\":{\"cpu\":\"1000m\"}}", "labels.cpu");
    check_covers("{\"limits\":{\"cpu\":\"1\"}}", "{\"limits\":{\"cpu\":[]}}", "limits.cpu");
}

TEST(covers_matches_list_elements_by_key_in_any_order)
{
    const char *have =
        "{\"containers\":[{\"name\":\"a\",\"image\":\"x\",\"pull\":1},{\"name\":\"b\"}]}";

    check_covers(have, "{\"containers\":[{\"name\":\"b\"},{\"name\":\"a\",\"image\":\"x\"}]}",
                 NULL);
    check_covers(have, "{\"containers\":[{\"name\":\"b\"},{\"name\":\"a\",\"image\":\"y\"}]}",
                 "containers.1.image");
    check_covers(have, "{\"containers\":[{\"name\":\"a\"}]}", "containers");
    check_covers(have, "{\"containers\":[{\"name\":\"a\"},{\"name\":\"c\"}]}", "containers.1");
    check_covers(have, "{\"containers\":[]}", "containers");
    check_covers(
        "{\"ports\":[{\"port\":80,\"protocol\":\"TCP\"},{\"port\":80,\"protocol\":\"UDP\"}]}",
        "{\"ports\":[{\"port\":80,\"protocol\":\"UDP\"},{\"port\":80}]}", NULL);
}

TEST(covers_compares_other_lists_as_a_whole)
{
    check_covers("{\"args\":[\"a\",\"b\"]}", "{\"args\":[\"a\",\"b\"]}", NULL);
    check_covers("{\"args\":[\"a\",\"b\"]}", "{\"args\":[\"b\",\"a\"]}", "args.0");
    check_covers("{\"args\":[\"a\",\"b\"]}", "{\"args\":[\"a\"]}", "args");
    check_covers("{\"tolerations\":[{\"key\":\"a\",\"operator\":\"Equal\"}]}",
                 "{\"tolerations\":[{\"key\":\"a\"}]}", NULL);
}

TEST(covers_lets_others_have_their_finalizers_and_owners)
{
    check_covers("{\"finalizers\":[\"x\",\"ours\"]}", "{\"finalizers\":[\"ours\"]}", NULL);
    check_covers("{\"finalizers\":[\"x\"]}", "{\"finalizers\":[\"ours\"]}", "finalizers.0");
    check_covers("{\"ownerReferences\":[{\"uid\":\"1\"},{\"uid\":\"2\",\"name\":\"n\"}]}",
                 "{\"ownerReferences\":[{\"uid\":\"2\",\"name\":\"n\"}]}", NULL);
}

TEST(covers_does_not_miss_what_the_server_drops_as_empty)
{
    check_covers("{}",
                 "{\"env\":[],\"value\":\"\",\"x\":null,\"hostNetwork\":false,\"hostPort\":0,"
                 "\"nodeSelector\":{}}",
                 NULL);
    check_covers("{\"x\":null}", "{\"x\":null,\"env\":[]}", NULL);
    check_covers("{}", "{\"automountServiceAccountToken\":false}", "automountServiceAccountToken");
    check_covers("{}", "{\"runAsUser\":0}", "runAsUser");
    check_covers("{}", "{\"emptyDir\":{}}", "emptyDir");
    check_covers("{}", "{\"storageClassName\":\"\"}", "storageClassName");
    check_covers("{\"hostNetwork\":true}", "{\"hostNetwork\":false}", "hostNetwork");
    check_covers("{\"x\":1}", "{\"x\":null}", "x");
}
