/* build_golden_test.c - what comes of the manifests in tests/golden/build, whole.
 *
 * After a change on purpose: windlass render -f CASE/input.yaml > CASE/expected.yaml, and review
 * the difference.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scope.h"
#include "base/str.h"
#include "slinky/render.h"
#include "support/test.h"
#include "json/yaml.h"

enum { GOLDEN_MAX = 1 << 20 };

static void render_file(struct arena *a, const char *path, struct rendering *ret)
{
    struct manifests m = { .arena = a, .namespace = "default" };
    struct error err = { 0 };

    CHECK_OK(manifests_read(&m, path, &err), err);
    CHECK_OK(manifests_ready(&m, &err), err);
    slinky_render(a, &m, NULL, ret);
    for (size_t i = 0; i < ret->error_count; i++)
        test_fail(path, 1, "%s", ret->errors[i]);
}

static void write_yaml(struct arena *a, const struct rendering *all, struct buf *out)
{
    for (size_t i = 0; i < all->n; i++) {
        if (i)
            buf_str(out, "---\n");
        yaml_write(kind_json(a, all->v[i].kind, all->v[i].object), out);
    }
}

/* Names the first line that differs. */
static void check_same(const char *path, const char *have, const char *want)
{
    for (int line = 1; *have || *want; line++) {
        size_t have_len = strcspn(have, "\n"), want_len = strcspn(want, "\n");

        if (have_len != want_len || strncmp(have, want, want_len) != 0)
            test_fail(path, line, "have \"%.*s\", want \"%.*s\"", (int)have_len, have,
                      (int)want_len, want);
        have += have_len + (have[have_len] == '\n');
        want += want_len + (want[want_len] == '\n');
    }
}

static int is_case(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

TEST(manifests_give_the_objects_that_were_reviewed)
{
    scoped(arena) struct arena *a = arena_new();
    const char *dir = fmt(a, "%s/golden/build", test_dir());
    struct dirent **cases = NULL;
    int n = scandir(dir, &cases, is_case, alphasort);

    CHECK(n > 0);
    for (int i = 0; i < n; i++) {
        const char *expected = fmt(a, "%s/%s/expected.yaml", dir, cases[i]->d_name);
        const char *input = fmt(a, "%s/%s/input.yaml", dir, cases[i]->d_name);
        scoped(free) char *want = NULL;
        scoped(buf) struct buf have = { 0 };
        struct rendering all;
        struct error err = { 0 };

        free(cases[i]);
        render_file(a, input, &all);
        write_yaml(a, &all, &have);
        CHECK_OK(file_read(expected, GOLDEN_MAX, &want, NULL, &err), err);
        check_same(expected, buf_text(&have), want);
    }
    free(cases);
}

TEST(rendering_twice_gives_the_same)
{
    scoped(arena) struct arena *a = arena_new();
    const char *input = fmt(a, "%s/golden/build/whole-cluster/input.yaml", test_dir());
    scoped(buf) struct buf one = { 0 };
    scoped(buf) struct buf other = { 0 };
    struct rendering first, second;

    render_file(a, input, &first);
    render_file(a, input, &second);
    write_yaml(a, &first, &one);
    write_yaml(a, &second, &other);
    CHECK_STR(buf_text(&other), buf_text(&one));
}

/* ------------------------------------------------------------------ bad input */

struct heard {
    struct buf text;
};

static void hear(void *userdata, const char *text)
{
    struct heard *heard = userdata;

    buf_fmt(&heard->text, "%s\n", text);
}

/* What is said of a text that cannot be rendered. */
static const char *complaint(struct arena *a, const char *yaml)
{
    struct heard heard = { 0 };
    struct manifests m = { .arena = a, .namespace = "hpc", .on_note = hear, .userdata = &heard };
    struct rendering all = { 0 };
    struct error err = { 0 };
    char *text;
    int rc =
        manifests_read_text(&m, "f.yaml", yaml, strlen(yaml), &err) ?: manifests_ready(&m, &err);

    if (rc == 0)
        slinky_render(a, &m, NULL, &all);
    if (rc < 0)
        buf_str(&heard.text, error_text(&err));
    for (size_t i = 0; i < all.error_count; i++)
        buf_fmt(&heard.text, "%s\n", all.errors[i]);
    text = arena_str(a, buf_text(&heard.text));
    buf_done(&heard.text);
    return text;
}

static void check_complains(const char *yaml, const char *words)
{
    scoped(arena) struct arena *a = arena_new();
    const char *text = complaint(a, yaml);

    if (!strstr(text, words))
        test_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"", text, words);
}

TEST(bad_input_is_named_by_file_document_and_field)
{
    check_complains("a: [", "f.yaml: ");
    check_complains("a: 1\n", "f.yaml, document 1: no apiVersion and kind");
    check_complains("apiVersion: slinky.slurm.net/v1beta1\nkind: Nodeset\nmetadata: {name: a}\n",
                    "f.yaml, document 1: there is no Nodeset in slinky.slurm.net/v1beta1");
    check_complains("apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: a}\n"
                    "spec: {replicas: many}\n",
                    "f.yaml, document 1 (NodeSet): spec.replicas: want an integer");
    check_complains("apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: a}\n"
                    "spec: {controllerRef: {name: c}, slurmdd: {}}\n",
                    "f.yaml, document 1 (NodeSet hpc/a): spec.slurmdd: there is no such field");
    check_complains("apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: a}\n"
                    "spec: {controllerRef: {name: c}, replicas: -1}\n",
                    "f.yaml, document 1 (NodeSet hpc/a): spec.replicas: -1");
    check_complains("apiVersion: v1\nkind: Secret\nmetadata: {}\n", "metadata.name");
}

TEST(a_reference_to_nothing_is_named)
{
    check_complains("apiVersion: slinky.slurm.net/v1beta1\nkind: NodeSet\nmetadata: {name: a}\n"
                    "spec: {controllerRef: {name: c}}\n",
                    "spec.controllerRef: there is no Controller c in namespace hpc: create it");
    check_complains("apiVersion: slinky.slurm.net/v1beta1\nkind: Controller\nmetadata: {name: a}\n"
                    "spec: {slurmKeyRef: {name: k, key: s}, jwtKeyRef: {name: k, key: j}, "
                    "prologScriptRefs: [{name: p}]}\n",
                    "spec.prologScriptRefs: there is no ConfigMap p in namespace hpc: create it");
}

TEST(an_object_that_is_there_twice_is_refused)
{
    check_complains("apiVersion: v1\nkind: Secret\nmetadata: {name: k}\n---\n"
                    "apiVersion: v1\nkind: Secret\nmetadata: {name: k}\n",
                    "it is there already");
}

TEST(a_list_is_taken_apart_and_other_kinds_are_left_out)
{
    scoped(arena) struct arena *a = arena_new();
    struct manifests m = { .arena = a, .namespace = "hpc" };
    struct error err = { 0 };
    const char *yaml = "apiVersion: v1\nkind: List\nitems:\n"
                       "- {apiVersion: v1, kind: Secret, metadata: {name: k}}\n"
                       "- {apiVersion: example.org/v1, kind: Thing, metadata: {name: t}}\n";

    CHECK_OK(manifests_read_text(&m, "f.yaml", yaml, strlen(yaml), &err), err);
    CHECK_INT(m.n, 1);
}

/* ------------------------------------------------------------------ values of any type */

struct slots {
    struct json ***v; /* where values stand */
    size_t n, room;
};

static void add_slot(struct arena *a, struct slots *slots, struct json **slot)
{
    if (slots->n == slots->room) {
        struct json ***grown = arena_make_n(a, struct json **, slots->room * 2 + 64);

        for (size_t i = 0; i < slots->n; i++)
            grown[i] = slots->v[i];
        slots->v = grown;
        slots->room = slots->room * 2 + 64;
    }
    slots->v[slots->n++] = slot;
}

static void find_slots(struct arena *a, struct json *v, struct slots *slots)
{
    size_t n = json_count(v);

    for (size_t i = 0; i < n; i++) {
        struct json **slot =
            v->type == JSON_ARRAY ? &v->array.items[i] : &v->object.members[i].value;

        add_slot(a, slots, slot);
        find_slots(a, *slot, slots);
    }
}

static void render_value(const struct json *list)
{
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf text = { 0 };
    struct manifests m = { .arena = a, .namespace = "hpc" };
    struct rendering all;
    struct error err = { 0 };

    json_write(list, JSON_COMPACT, &text);
    if (manifests_read_text(&m, "f", text.bytes, text.len, &err) < 0)
        return;
    manifests_ready(&m, &err); /* the webhook may be off: what it would refuse is built too */
    slinky_render(a, &m, NULL, &all);
    for (size_t i = 0; i < all.n; i++)
        json_text(a, kind_json(a, all.v[i].kind, all.v[i].object));
}

TEST(a_value_of_the_wrong_type_breaks_nothing)
{
    static const char *const values[] = { "null", "true", "0", "x", "[]", "{}", "[1]", "{a: {}}" };
    scoped(arena) struct arena *a = arena_new();
    scoped(free) char *text = NULL;
    struct slots slots = { 0 };
    struct json *documents = NULL, *list = json_object(a);
    struct error err = { 0 };
    size_t len;

    CHECK_OK(file_read(fmt(a, "%s/golden/build/overrides/input.yaml", test_dir()), GOLDEN_MAX,
                       &text, &len, &err),
             err);
    CHECK_OK(yaml_parse(a, text, len, &documents, &err), err);
    json_set_str(a, list, "apiVersion", "v1");
    json_set_str(a, list, "kind", "List");
    json_set(a, list, "items", documents);
    find_slots(a, documents, &slots);
    CHECK(slots.n > 100);
    for (size_t i = 0; i < slots.n; i++) {
        struct json *before = *slots.v[i];

        for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
            struct json *other = NULL;

            CHECK_OK(yaml_parse(a, values[k], strlen(values[k]), &other, &err), err);
            *slots.v[i] = (struct json *)json_item(other, 0) ?: json_null(a);
            render_value(list);
        }
        *slots.v[i] = before;
    }
}
