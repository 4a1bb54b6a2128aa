/* table_fuzz.c - any text read as any kind: refused, or read, written, copied, packed and compared
 * without a difference.
 *
 * The first line names the struct, or chooses one if there is none of that name, so that one corpus
 * serves all kinds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kinds.h"
#include "json/intern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static const struct type *type_for(const char *name, size_t len)
{
    size_t count = 0;

    for (; all_kinds[count]; count++)
        if (strlen(all_kinds[count]->type->name) == len &&
            !memcmp(all_kinds[count]->type->name, name, len))
            return all_kinds[count]->type;
    return all_kinds[hash_bytes(HASH_SEED, name, len) % count]->type;
}

/* Packed three times, because parts are shared from the second and lists from the third on. */
static void check_copies(struct arena *a, const struct type *type, const void *object)
{
    size_t before = intern_stats().values;
    void *packed[3];

    must(table_equal(type, object, table_copy(a, type, object)));
    for (int i = 0; i < 3; i++) {
        packed[i] = table_pack(type, object, 8);
        must(table_equal(type, object, packed[i]));
        must(table_hash(type, object) == table_hash(type, packed[i]));
        must(table_pack_size(packed[i], 8) <= table_pack_size(packed[0], 8));
    }
    must(table_covers(a, type, packed[2], object, NULL));
    for (int i = 0; i < 3; i++)
        table_pack_free(type, packed[i], 8);
    must(intern_stats().values == before);
}

static void check_text(struct arena *a, const struct type *type, const void *object)
{
    const char *text = json_text(a, table_json(a, type, object));
    void *second = arena_alloc(a, type->size);

    must(table_read(a, type, text, strlen(text), second, NULL) == 0);
    must(table_equal(type, object, second));
    must(!strcmp(json_text(a, table_json(a, type, second)), text));
}

static void ignore_problem(void *userdata, const char *path, const char *problem)
{
    must(path && problem);
    (*(size_t *)userdata)++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scoped(arena) struct arena *a = arena_new();
    const char *text = size ? memchr(data, '\n', size) : NULL;
    const struct type *type;
    void *object;
    struct error err = { 0 };
    size_t problems = 0;

    if (!text)
        return 0;
    type = type_for((const char *)data, (size_t)(text - (const char *)data));
    text++;
    size -= (size_t)(text - (const char *)data);
    object = arena_alloc(a, type->size);
    if (table_read(a, type, text, size, object, &err) < 0) {
        must(err.code < 0 && *err.text);
        return 0;
    }
    check_copies(a, type, object);
    check_text(a, type, object);
    must(table_validate(a, type, object, ignore_problem, &problems) == problems);
    must(table_default(a, type, object, &err) == 0);
    check_text(a, type, object);
    return 0;
}
