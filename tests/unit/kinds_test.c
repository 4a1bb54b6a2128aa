/* kinds_test.c - promises that every generated table keeps. */
#include <regex.h>
#include <string.h>

#include "base/str.h"
#include "k8s/meta.h"
#include "kinds.h"
#include "support/test.h"

static void check_rule(const struct rule *rule)
{
    regex_t regex;

    if (!rule || !rule->pattern)
        return;
    CHECK(regcomp(&regex, rule->pattern, REG_EXTENDED | REG_NOSUB) == 0);
    regfree(&regex);
}

static void check_type(const struct type *type, int depth)
{
    CHECK(depth < 32);
    for (const struct field *f = type->fields; f->type; f++) {
        CHECK(f->name_len == strlen(f->name));
        CHECK(f->offset < type->size);
        CHECK(f->doc || depth == 0);
        for (const struct field *other = type->fields; other != f; other++)
            CHECK(!str_eq(other->name, f->name) && other->offset != f->offset);
        check_rule(f->rule);
        if (f->type >= FIELD_OBJECT)
            check_type(f->of, depth + 1);
        for (const char *key = f->list_key; key && *key;
             key += strcspn(key, ",") + (key[strcspn(key, ",")] == ','))
            CHECK(table_find(f->of, strndupa(key, strcspn(key, ","))));
    }
}

TEST(every_kind_begins_with_its_metadata_and_knows_its_status)
{
    for (const struct kind *const *kind = all_kinds; *kind; kind++) {
        const struct field *status = table_find((*kind)->type, "status");

        CHECK((*kind)->type->fields[0].of == &k8s_meta_type);
        CHECK((*kind)->type->fields[0].offset == 0);
        CHECK((*kind)->status == status);
        CHECK((*kind)->version && (*kind)->plural && (*kind)->group);
    }
}

TEST(every_table_is_sound)
{
    for (const struct kind *const *kind = all_kinds; *kind; kind++)
        check_type((*kind)->type, 0);
}

TEST(every_default_can_be_read)
{
    for (const struct kind *const *kind = all_kinds; *kind; kind++) {
        scoped(arena) struct arena *a = arena_new();
        void *object = arena_alloc(a, (*kind)->type->size);
        struct error err = { 0 };

        CHECK_OK(table_default(a, (*kind)->type, object, &err), err);
    }
}
