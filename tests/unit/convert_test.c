/* convert_test.c - resources from one version to the other and back; the cases are convert.yaml. */
#include "slinky/convert.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "support/test.h"
#include "json/yaml.h"

static struct error err;

static const struct json *cases(struct arena *a)
{
    scoped(free) char *text = NULL;
    struct json *documents = NULL;
    size_t len = 0;

    CHECK_OK(file_read(fmt(a, "%s/unit/convert.yaml", test_dir()), 1 << 20, &text, &len, &err),
             err);
    CHECK_OK(yaml_parse(a, text, len, &documents, &err), err);
    return json_item(documents, 0);
}

static struct json *converted(struct arena *a, const struct json *object, const char *to)
{
    struct json *result = NULL;

    CHECK_OK(convert_object(a, object, to, &result, &err), err);
    return result;
}

static const char *version_of(const struct json *object)
{
    return json_str_or(json_get(object, "apiVersion"), NULL);
}

/* The text of the annotation, taken off a copy of the object. */
static const char *take_kept(struct json *object)
{
    const char *name =
        str_ends(version_of(object), "v1beta1") ? CONVERT_KEPT_V1ALPHA1 : CONVERT_KEPT_V1BETA1;
    struct json *meta = (struct json *)json_get(object, "metadata");
    struct json *annotations = (struct json *)json_get(meta, "annotations");
    const char *kept = json_str_or(json_get(annotations, name), NULL);

    if (!kept)
        return NULL;
    json_remove(annotations, name);
    if (!json_count(annotations))
        json_remove(meta, "annotations");
    return kept;
}

static void check_same(struct arena *a, const char *name, const struct json *have,
                       const struct json *want)
{
    if (!json_equal(have, want))
        test_fail(__FILE__, __LINE__, "%s:\nhave %s\nwant %s", name, json_text(a, have),
                  json_text(a, want));
}

/* The places that an annotation remembers, as a set. */
static void check_places(struct arena *a, const char *name, const char *kept,
                         const struct json *want)
{
    struct json *notes = json_array(a);

    if (kept)
        CHECK_OK(json_parse(a, kept, strlen(kept), &notes, &err), err);
    for (size_t i = 0; i < json_count(notes); i++) {
        const char *at = json_str_or(json_at(json_item(notes, i), "at"), "");
        bool expected = false;

        for (size_t k = 0; k < json_count(want); k++)
            expected |= str_eq(at, json_str_or(json_item(want, k), ""));
        if (!expected)
            test_fail(__FILE__, __LINE__, "%s: keeps %s", name, at);
    }
    if (json_count(notes) != json_count(want))
        test_fail(__FILE__, __LINE__, "%s: keeps %s, want %s", name, kept ?: "nothing",
                  json_text(a, want));
}

TEST(every_case_becomes_what_it_should_in_the_other_version)
{
    scoped(arena) struct arena *a = arena_new();
    const struct json *all = cases(a);

    CHECK(json_count(all) >= 9);
    for (size_t i = 0; i < json_count(all); i++) {
        const struct json *c = json_item(all, i);
        const char *name = json_str_or(json_get(c, "name"), "");
        const struct json *want = json_get(c, "to");
        struct json *have = converted(a, json_get(c, "from"), version_of(want));

        check_places(a, name, take_kept(have), json_get(c, "kept"));
        check_same(a, name, have, want);
    }
}

TEST(there_and_back_again_nothing_is_lost)
{
    scoped(arena) struct arena *a = arena_new();
    const struct json *all = cases(a);

    for (size_t i = 0; i < 2 * json_count(all); i++) {
        const struct json *c = json_item(all, i / 2);
        const struct json *from = json_get(c, i % 2 ? "from" : "to");
        const struct json *other = json_get(c, i % 2 ? "to" : "from");
        struct json *there = converted(a, from, version_of(other));
        struct json *back = converted(a, there, version_of(from));
        struct json *again = converted(a, back, version_of(other));

        take_kept(back); /* what the other version added by itself, such as a default */
        check_same(a, json_str_or(json_get(c, "name"), ""), back, from);
        check_same(a, "the second time", again, there);
    }
}

static const struct json *parse(struct arena *a, const char *text)
{
    struct json *v = NULL;

    CHECK_OK(json_parse(a, text, strlen(text), &v, &err), err);
    return v;
}

#define NODESET(version, spec)                                                                     \
    "{\"apiVersion\":\"slinky.slurm.net/" version "\",\"kind\":\"NodeSet\","                       \
    "\"metadata\":{\"name\":\"w\",\"namespace\":\"hpc\"},\"spec\":" spec "}"

TEST(whoever_changes_a_place_later_has_the_last_word)
{
    scoped(arena) struct arena *a = arena_new();
    const struct json *from =
        parse(a, NODESET("v1beta1", "{\"controllerRef\":{\"name\":\"s\"},\"pinToNode\":true,"
                                    "\"updateStrategy\":{\"type\":\"ScheduledUpdate\","
                                    "\"scheduledUpdate\":{\"duration\":\"2h\"}}}"));
    struct json *there = converted(a, from, "slinky.slurm.net/v1alpha1");
    struct json *strategy = (struct json *)json_at(there, "spec.updateStrategy");
    struct json *back;

    json_set_str(a, strategy, "type", "RollingUpdate");
    back = converted(a, there, "slinky.slurm.net/v1beta1");
    CHECK_STR(json_str_or(json_at(back, "spec.updateStrategy.type"), NULL), "RollingUpdate");
    CHECK(json_bool_or(json_at(back, "spec.pinToNode"), false));
    CHECK(!json_at(back, "metadata.annotations." CONVERT_KEPT_V1BETA1));
}

TEST(what_someone_removed_whole_does_not_come_back_in_parts)
{
    scoped(arena) struct arena *a = arena_new();
    const struct json *from =
        parse(a, NODESET("v1beta1", "{\"updateStrategy\":{\"type\":\"OnDelete\","
                                    "\"scheduledUpdate\":{\"duration\":\"2h\"}}}"));
    struct json *there = converted(a, from, "slinky.slurm.net/v1alpha1");

    json_remove((struct json *)json_get(there, "spec"), "updateStrategy");
    CHECK(!json_at(converted(a, there, "slinky.slurm.net/v1beta1"), "spec.updateStrategy"));
}

TEST(annotations_that_make_no_sense_do_no_harm)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "[1,null,{}]",
        "[{\"at\":\"/metadata/name\",\"was\":\"w\",\"is\":\"other\"}]",
        "[{\"at\":\"/kind\",\"was\":\"NodeSet\",\"is\":\"Token\"}]",
        "[{\"at\":\"/spec/replicas/x/y\",\"is\":1}]",
        "[{\"at\":\"/specs\",\"is\":1},{\"at\":\"/\",\"is\":1},{\"at\":\"\",\"is\":1}]",
    };
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        struct json *object = json_copy(a, parse(a, NODESET("v1alpha1", "{\"replicas\":1}")));
        struct json *annotations = json_object(a);
        struct json *have;

        json_set_str(a, annotations, CONVERT_KEPT_V1BETA1, texts[i]);
        json_set(a, (struct json *)json_get(object, "metadata"), "annotations", annotations);
        have = converted(a, object, "slinky.slurm.net/v1beta1");
        check_same(a, texts[i], have, parse(a, NODESET("v1beta1", "{\"replicas\":1}")));
    }
}

TEST(objects_of_odd_shapes_are_converted_as_they_are)
{
    static const char *const specs[] = { "null",
                                         "[]",
                                         "1",
                                         "{\"service\":[1]}",
                                         "{\"partition\":3,\"updateStrategy\":\"x\"}",
                                         "{\"controllerRef\":[],\"logfile\":null}" };
    scoped(arena) struct arena *a = arena_new();

    for (size_t i = 0; i < ARRAY_SIZE(specs); i++) {
        const struct json *from = parse(a, fmt(a, NODESET("v1alpha1", "%s"), specs[i]));
        struct json *there = converted(a, from, "slinky.slurm.net/v1beta1");

        check_same(a, specs[i], converted(a, there, "slinky.slurm.net/v1alpha1"), from);
    }
}

TEST(other_kinds_and_versions_are_refused_by_name)
{
    scoped(arena) struct arena *a = arena_new();
    struct json *result = NULL;

    CHECK_INT(convert_object(a, parse(a, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}"),
                             "slinky.slurm.net/v1beta1", &result, &err),
              -EINVAL);
    CHECK(strstr(err.text, "got v1"));
    CHECK_INT(
        convert_object(a, parse(a, NODESET("v1beta1", "{}")), "slinky.slurm.net/v2", &result, &err),
        -EINVAL);
    CHECK(strstr(err.text, "slinky.slurm.net/v2"));
    CHECK(!convert_knows(parse(a, "{\"apiVersion\":\"slinky.slurm.net/v1beta1\"}")));
}
