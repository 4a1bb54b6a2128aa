/* compare.c - equality, hashes and finding members of large objects. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "json/internal.h"

enum { SMALL_OBJECT = 32 };

static int by_name(const void *a, const void *b)
{
    const struct json_member *const *x = a;
    const struct json_member *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

const struct json_member **members_sorted(const struct json *object)
{
    size_t n = object->object.count;
    const struct json_member **sorted = must_alloc((n + 1) * sizeof *sorted);

    for (size_t i = 0; i < n; i++)
        sorted[i] = &object->object.members[i];
    qsort(sorted, n, sizeof *sorted, by_name);
    return sorted;
}

void finder_init(struct finder *f, const struct json *object)
{
    *f = (struct finder) { .object = object && object->type == JSON_OBJECT ? object : NULL };
    if (f->object && object->object.count > SMALL_OBJECT)
        f->sorted = members_sorted(object);
}

void finder_done(struct finder *f)
{
    free(f->sorted);
    *f = (struct finder) { 0 };
}

static const struct json_member *find_sorted(const struct finder *f, const char *name)
{
    const struct json_member wanted = { .name = name };
    const struct json_member *key = &wanted;
    const struct json_member **found =
        bsearch(&key, f->sorted, f->object->object.count, sizeof *f->sorted, by_name);

    return found ? *found : NULL;
}

struct json *finder_get(struct finder *f, const char *name)
{
    const struct json_member *found = NULL;

    if (!f->object)
        return NULL;
    if (f->next < f->object->object.count && !strcmp(f->object->object.members[f->next].name, name))
        found = &f->object->object.members[f->next];
    else if (f->sorted)
        found = find_sorted(f, name);
    else
        for (size_t i = 0; i < f->object->object.count && !found; i++)
            if (!strcmp(f->object->object.members[i].name, name))
                found = &f->object->object.members[i];
    if (!found)
        return NULL;
    f->next = (size_t)(found - f->object->object.members) + 1;
    return found->value;
}

static bool numbers_equal(const struct json *a, const struct json *b)
{
    char room_a[NUMBER_ROOM], room_b[NUMBER_ROOM];

    if (a->type == JSON_INT && b->type == JSON_INT)
        return a->integer == b->integer;
    return number_equal(number_digits(a, room_a), number_digits(b, room_b));
}

static bool arrays_equal(const struct json *a, const struct json *b)
{
    if (a->array.count != b->array.count)
        return false;
    for (size_t i = 0; i < a->array.count; i++)
        if (!json_equal(a->array.items[i], b->array.items[i]))
            return false;
    return true;
}

static bool objects_equal(const struct json *a, const struct json *b)
{
    scoped(finder) struct finder others = { 0 };

    if (a->object.count != b->object.count)
        return false;
    finder_init(&others, b);
    for_each_member (member, a) {
        const struct json *other = finder_get(&others, member->name);

        if (!other || !json_equal(member->value, other))
            return false;
    }
    return true;
}

static bool is_number(const struct json *v)
{
    return v->type == JSON_INT || v->type == JSON_REAL;
}

bool json_equal(const struct json *a, const struct json *b)
{
    if (!a || !b)
        return a == b;
    if (is_number(a) && is_number(b))
        return numbers_equal(a, b);
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case JSON_BOOL:
        return a->yes == b->yes;
    case JSON_STR:
        return a->str.len == b->str.len && !memcmp(a->str.text, b->str.text, a->str.len);
    case JSON_ARRAY:
        return arrays_equal(a, b);
    case JSON_OBJECT:
        return objects_equal(a, b);
    default:
        return true;
    }
}

/* Spreads every bit, so that sums of hashes (members in any order) stay apart. */
static uint64_t mixed(uint64_t hash)
{
    hash ^= hash >> 33;
    hash *= UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 33;
    hash *= UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ (hash >> 33);
}

static uint64_t hash_object(const struct json *v)
{
    uint64_t sum = 0;

    for_each_member (member, v) {
        uint64_t pair[] = { hash_str(member->name), json_hash(member->value) };

        sum += mixed(hash_bytes(HASH_SEED, pair, sizeof pair));
    }
    return sum;
}

static uint64_t hash_array(const struct json *v)
{
    uint64_t hash = HASH_SEED;

    for (size_t i = 0; i < v->array.count; i++) {
        uint64_t item = json_hash(v->array.items[i]);

        hash = hash_bytes(hash, &item, sizeof item);
    }
    return hash;
}

uint64_t json_hash(const struct json *v)
{
    enum json_type type = v->type == JSON_INT ? JSON_REAL : v->type;
    char room[NUMBER_ROOM];
    uint64_t content = 0;

    if (is_number(v))
        content = number_hash(number_digits(v, room));
    else if (v->type == JSON_BOOL)
        content = v->yes;
    else if (v->type == JSON_STR)
        content = hash_bytes(HASH_SEED, v->str.text, v->str.len);
    else if (v->type == JSON_ARRAY)
        content = hash_array(v);
    else if (v->type == JSON_OBJECT)
        content = hash_object(v);
    return mixed(content + (uint64_t)type * UINT64_C(0x9e3779b97f4a7c15));
}

static void path_write(struct buf *out, const struct path *path)
{
    if (path->up) {
        path_write(out, path->up);
        buf_char(out, '.');
    }
    if (path->name)
        buf_str(out, path->name);
    else
        buf_fmt(out, "%zu", path->index);
}

const char *path_text(struct arena *a, const struct path *path)
{
    scoped(buf) struct buf text = { 0 };

    if (!path)
        return "the document";
    path_write(&text, path);
    return arena_str(a, buf_text(&text));
}
