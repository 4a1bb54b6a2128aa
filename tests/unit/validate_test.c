/* validate_test.c - which custom resources are let in, and what is said of them.
 *
 * The cases are data: validate.yaml here, and refused.yaml of the conformance tests, which sends
 * the same to a real API server, so that the CRDs' rules and ours cannot drift apart.
 */
#include "slinky/validate.h"

#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "k8s/meta.h"
#include "slinky/accounting.h"
#include "slinky/controller.h"
#include "slinky/loginset.h"
#include "slinky/nodeset.h"
#include "slinky/restapi.h"
#include "slinky/token.h"
#include "support/test.h"
#include "json/yaml.h"

static const struct kind *const kinds[] = {
    &slinky_controller_kind, &slinky_accounting_kind, &slinky_restapi_kind,
    &slinky_nodeset_kind,    &slinky_loginset_kind,   &slinky_token_kind,
};

/* ---- the world around an object */

static enum known files_of(void *userdata, const char *namespace, const char *name,
                           struct strs *ret_files)
{
    static const char *good[] = { "gres.conf", "topology.yaml" };
    static const char *scripts[] = { "00-a.sh" };
    static const char *reserved[] = { "slurm.conf", "slurmdbd.conf" };
    static const char *odd[] = { "mine.conf" };

    (void)userdata;
    if (!str_eq(namespace, "hpc") || str_eq(name, "unknown"))
        return KNOWN_NOTHING;
    if (str_eq(name, "good") || str_eq(name, "a"))
        *ret_files = (struct strs)LIST(good);
    else if (str_starts(name, "scripts"))
        *ret_files = (struct strs)LIST(scripts);
    else if (str_eq(name, "reserved"))
        *ret_files = (struct strs)LIST(reserved);
    else if (str_eq(name, "odd"))
        *ret_files = (struct strs)LIST(odd);
    else
        return KNOWN_ABSENT;
    return KNOWN_THERE;
}

static enum known access_modes_of(void *userdata, const char *namespace, const char *claim,
                                  struct strs *ret_modes)
{
    static const char *many[] = { "ReadWriteOnce", "ReadWriteMany" };
    static const char *once[] = { "ReadWriteOnce" };

    (void)userdata;
    (void)namespace;
    if (str_eq(claim, "many"))
        *ret_modes = (struct strs)LIST(many);
    else if (str_eq(claim, "once"))
        *ret_modes = (struct strs)LIST(once);
    else
        return str_eq(claim, "unknown") ? KNOWN_NOTHING : KNOWN_ABSENT;
    return KNOWN_THERE;
}

static const struct surroundings world = {
    .now = INT64_C(1800000000) * USEC_SEC, /* January 2027 */
    .files_of = files_of,
    .access_modes_of = access_modes_of,
};

/* ---- judging */

static void *object_of(struct arena *a, const struct kind *kind, const char *name, const char *spec)
{
    struct error err = { 0 };
    void *object = arena_alloc(a, kind->type->size);
    const char *text =
        fmt(a, "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"hpc\"},\"spec\":%s}", name, spec);

    CHECK_OK(table_read(a, kind->type, text, strlen(text), object, &err), err);
    return object;
}

static struct problems judge(struct arena *a, const struct kind *kind, const char *name,
                             const char *old, const char *spec)
{
    struct problems p = { .arena = a };
    void *was = old ? object_of(a, kind, name, old) : NULL;

    CHECK(validate_object(&p, kind, was, object_of(a, kind, name, spec), &world));
    return p;
}

static bool tells(struct problem_list list, const char *at, const char *says)
{
    for_each (problem, list)
        if (str_starts(problem->path, at) && strstr(problem->text, says))
            return true;
    return false;
}

/* ---- cases from files */

struct one {
    struct arena *arena;
    const struct kind *kind;
    const struct json *row;
    const char *old, *spec;
};

static const char *text_of(const struct one *one, const char *name)
{
    return json_str_or(json_get(one->row, name), NULL);
}

/* The good spec with some fields replaced; null takes one away. */
static const char *spec_with(struct arena *a, const struct json *good, const struct json *changes)
{
    struct json *spec = json_copy(a, good);

    for_each_member (change, changes) {
        if (change->value->type == JSON_NULL)
            json_remove(spec, change->name);
        else
            json_set(a, spec, change->name, change->value);
    }
    return json_text(a, spec);
}

static const struct json *read_cases(struct arena *a, const char *file)
{
    struct error err = { 0 };
    scoped(free) char *text = NULL;
    struct json *documents = NULL;

    CHECK_OK(file_read(fmt(a, "%s/%s", test_dir(), file), 1 << 20, &text, NULL, &err), err);
    CHECK_OK(yaml_parse(a, text, strlen(text), &documents, &err), err);
    return json_item(documents, 0);
}

/* Runs check over every case of a list, of all kinds; says how many there were. */
static size_t for_all_cases(const char *file, const char *list, void (*check)(const struct one *))
{
    scoped(arena) struct arena *a = arena_new();
    const struct json *all = read_cases(a, file);
    size_t count = 0;

    for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
        const struct json *table = json_get(all, kinds[k]->kind);
        const struct json *good = json_get(table, "good");
        const struct json *rows = json_get(table, list);

        for (size_t i = 0; i < json_count(rows); i++, count++) {
            const struct json *row = json_item(rows, i);
            const struct json *was = json_get(row, "was");
            struct one one = { a, kinds[k], row, was ? spec_with(a, good, was) : NULL,
                               spec_with(a, good, json_get(row, "spec")) };

            check(&one);
        }
    }
    return count;
}

static void check_told(const struct one *one)
{
    struct problems p =
        judge(one->arena, one->kind, text_of(one, "name") ?: "a", one->old, one->spec);
    const char *refused = text_of(one, "refused");
    const char *at = refused ?: text_of(one, "told");
    struct problem_list list = refused ? p.errors : p.warnings;
    bool is_right = str_eq(at, "nothing") ? list.n == 0 : tells(list, at, text_of(one, "says"));

    CHECK(at != NULL);
    if (!is_right)
        test_fail(__FILE__, __LINE__, "%s %s: want %s: %s, got %s", one->kind->kind, one->spec, at,
                  text_of(one, "says") ?: "", problems_text(one->arena, list));
}

/* A value that does not even read as its type is refused by the reader, in its own words. */
static bool is_readable(const struct one *one)
{
    const struct type *type = one->kind->type;
    const char *text = fmt(one->arena, "{\"spec\":%s}", one->spec);

    return table_read(one->arena, type, text, strlen(text), arena_alloc(one->arena, type->size),
                      NULL) == 0;
}

/* For enums and patterns the API server has words of its own, but the field is the same. */
static void check_refused(const struct one *one)
{
    struct arena *a = one->arena;
    struct problems schema = { .arena = a };
    const char *at = text_of(one, "at");
    struct problems p;

    if (!is_readable(one))
        return;
    p = judge(a, one->kind, "a", one->old, one->spec);
    validate_schema(&schema, one->kind, object_of(a, one->kind, "a", one->spec));
    if (!tells(p.errors, at, text_of(one, "says")) && !tells(schema.errors, at, ""))
        test_fail(__FILE__, __LINE__, "%s, %s: got '%s' and '%s'", one->kind->kind,
                  text_of(one, "name"), problems_text(a, p.errors),
                  problems_text(a, schema.errors));
}

static void check_let_in(const struct one *one)
{
    struct problems p = judge(one->arena, one->kind, "a", one->old, one->spec);

    if (p.errors.n)
        test_fail(__FILE__, __LINE__, "%s, %s: %s", one->kind->kind, text_of(one, "name"),
                  problems_text(one->arena, p.errors));
}

TEST(objects_are_told_what_is_wrong_and_what_is_unwise)
{
    CHECK(for_all_cases("unit/validate.yaml", "cases", check_told) > 120);
}

TEST(what_the_schema_refuses_is_refused_here_too)
{
    CHECK(for_all_cases("conformance/schema/refused.yaml", "cases", check_refused) > 80);
}

TEST(what_the_schema_lets_in_is_let_in_here_too)
{
    CHECK(for_all_cases("conformance/schema/refused.yaml", "fine", check_let_in) > 10);
}

/* ---- what all kinds have in common */

TEST(what_did_not_change_is_not_held_against_an_object)
{
    scoped(arena) struct arena *a = arena_new();
    const char *bad = "{\"replicas\":-1}";
    struct problems p = judge(a, &slinky_nodeset_kind, "a", bad, bad);

    CHECK_INT(p.errors.n, 0);
    CHECK_INT(p.warnings.n, 0);
}

TEST(an_object_on_its_way_out_is_left_alone)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    struct slinky_nodeset *old = object_of(a, &slinky_nodeset_kind, "a", "{}");
    struct slinky_nodeset *now = object_of(a, &slinky_nodeset_kind, "a", "{\"replicas\":-1}");

    now->meta.deletion_timestamp = world.now;
    CHECK(validate_object(&p, &slinky_nodeset_kind, old, now, &world));
    CHECK_INT(p.errors.n, 0);
}

TEST(kinds_of_others_are_not_judged)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    struct k8s_meta meta = { 0 };
    struct kind other = { .kind = "Other" };

    CHECK(!validate_object(&p, &other, NULL, &meta, NULL));
}

TEST(without_surroundings_nothing_is_refused_for_them)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    struct slinky_local_ref files[] = { { "x" } };
    struct slinky_secret_key key = { .name = "a", .key = "b" };
    struct slinky_controller_ha ha = { .enabled = YES };
    struct slinky_persistence state = { .existing_claim = "y" };
    struct slinky_controller c = {
        .meta = { .name = "a", .namespace = "hpc" },
        .spec = { .slurm_key_ref = &key,
                  .jwt_key_ref = &key,
                  .config_file_refs = LIST(files),
                  .ha = &ha,
                  .persistence = &state },
    };

    CHECK(validate_object(&p, &slinky_controller_kind, NULL, &c, NULL));
    CHECK_INT(p.errors.n, 0);
    CHECK_INT(p.warnings.n, 2);
}

TEST(schema_problems_name_their_field)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    struct slinky_nodeset n = { .spec = { .controller_ref = { "slurm" }, .scaling_mode = "Any" } };

    validate_schema(&p, &slinky_nodeset_kind, &n);
    CHECK(tells(p.errors, "spec.scalingMode", ""));
}

TEST(problems_are_told_in_one_line)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };

    CHECK_STR(problems_text(a, p.errors), "");
    refuse(&p, "spec.a", "-1", "too %s; use more", "small");
    refuse(&p, "spec.a", "-1", "too small; use more");
    CHECK_STR(problems_text(a, p.errors), "spec.a: -1: too small; use more");
    refuse(&p, "spec.b", NULL, "missing; add it");
    refuse(&p, "spec.c", shown_str(&p, "x\"y"), "odd");
    CHECK_STR(
        problems_text(a, p.errors),
        "[spec.a: -1: too small; use more, spec.b: missing; add it, spec.c: \"x\\\"y\": odd]");
    CHECK_INT(p.warnings.n, 0);
}

TEST(long_values_are_cut_between_characters)
{
    scoped(arena) struct arena *a = arena_new();
    struct problems p = { .arena = a };
    char text[400] = { 0 };

    for (size_t i = 1; i + 2 < sizeof(text); i += 2)
        memcpy(text + i, "\xc3\xa4", 2);
    text[0] = 'x';
    CHECK(strlen(shown_str(&p, text)) < 140);
    CHECK(str_ends(shown_str(&p, text), "\xc3\xa4...\""));
    CHECK(shown_str(&p, NULL) == NULL);
}
