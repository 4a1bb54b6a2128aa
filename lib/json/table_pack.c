/* table_pack.c - objects for the cache: packed into one block as planned, and taken apart again.
 *
 * A block is its own size, the caller's front, the object, its arrays, its texts. What the object
 * refers to outside of its block is interned.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "json/intern.h"
#include "json/table_copy.h"

static size_t *block_of(const void *packed, size_t extra_front)
{
    return (size_t *)(void *)((char *)(uintptr_t)packed - extra_front) - 1;
}

void *table_pack(const struct type *type, const void *object, size_t extra_front)
{
    struct plan plan = { 0 };
    struct placer placer = { 0 };
    size_t *block;
    size_t size;
    char *packed;

    assert(extra_front % 8 == 0);
    plan_object(&plan, type, object);
    size = PACK_ROUND(type->size) + plan.needs.room + plan.needs.texts;
    block = must_alloc(sizeof *block + extra_front + size);
    *block = extra_front + size;
    packed = (char *)(block + 1) + extra_front;
    placer.room = packed + PACK_ROUND(type->size);
    placer.texts = placer.room + plan.needs.room;
    placer.plan = plan.decisions;
    copy_fields(&placer, type, object, packed);
    plan_done(&plan);
    return packed;
}

size_t table_pack_size(const void *packed, size_t extra_front)
{
    return sizeof(size_t) + *block_of(packed, extra_front);
}

static void release_fields(const struct type *type, const void *object, struct span own, bool all);

static bool is_inside(struct span own, const void *part)
{
    return (const char *)part >= own.from && (const char *)part < own.to;
}

static void release_text(const char *text, struct span own, bool shared)
{
    if (text && shared && !is_inside(own, text))
        intern_drop_str(text);
}

static void release_element(const struct field *f, const void *element, struct span own, bool all)
{
    if (f->type == FIELD_MAP) {
        const struct pair *pair = element;

        release_text(pair->key, own, all || f->flags & SHARED_KEYS);
        release_text(pair->value, own, all);
        return;
    }
    if (f->type == FIELD_STRS || f->type == FIELD_OBJECTS)
        release_text(*(const char *const *)element, own, all);
    if (f->type != FIELD_STRS)
        release_fields(f->of, element, own, all);
}

void release_elements(const struct field *f, const char *v, size_t n, struct span own, bool all)
{
    for (size_t i = 0; i < n; i++)
        release_element(f, v + i * field_element_size(f), own, all);
}

static void release_array(const struct field *f, const void *v, size_t n, struct span own, bool all)
{
    bool shared = all || f->flags & SHARED;

    if (!v || v == table_nothing)
        return;
    if (!shared || is_inside(own, v)) {
        release_elements(f, v, n, own, shared);
    } else if (intern_drop_block(v)) {
        release_elements(f, v, n, (struct span) { 0 }, true);
        intern_free(v);
    }
}

/* Drops what a packed object holds in the intern table; all: it is part of a shared list. */
static void release_fields(const struct type *type, const void *object, struct span own, bool all)
{
    for (const struct field *f = type->fields; f->type; f++) {
        const struct any_list *list = AT(object, f, struct any_list);
        bool shared = all || f->flags & SHARED;

        switch (f->type) {
        case FIELD_STR:
        case FIELD_QUANTITY:
            release_text(*AT(object, f, const char *), own, shared);
            break;
        case FIELD_INT_STR:
            release_text(AT(object, f, struct int_or_str)->text, own, shared);
            break;
        case FIELD_OBJECT:
            release_fields(f->of, AT(object, f, char), own, all);
            break;
        case FIELD_POINTER:
            release_array(f, *AT(object, f, void *), 1, own, all);
            break;
        case FIELD_STRS:
        case FIELD_MAP:
        case FIELD_LIST:
        case FIELD_OBJECTS:
            release_array(f, list->v, list->n, own, all);
            break;
        default:
            break;
        }
    }
}

void table_pack_free(const struct type *type, void *packed, size_t extra_front)
{
    size_t *block;
    struct span own;

    if (!packed)
        return;
    block = block_of(packed, extra_front);
    own = (struct span) { packed, (const char *)(block + 1) + *block };
    release_fields(type, packed, own, false);
    free(block);
}
