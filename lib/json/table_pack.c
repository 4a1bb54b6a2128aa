/* table_pack.c - objects for the cache: measured, packed into one block, taken apart again. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "json/table_copy.h"

static void measure(struct needs *needs, const struct type *type, const void *object);

static void text_needs(struct needs *needs, const char *text, bool shared)
{
    if (text && !shared)
        needs->texts += strlen(text) + 1;
}

static void element_needs(struct needs *needs, const struct field *f, const void *element)
{
    if (f->type == FIELD_MAP) {
        const struct pair *pair = element;

        text_needs(needs, pair->key, f->flags & SHARED_KEYS);
        text_needs(needs, pair->value, false);
        return;
    }
    if (f->type == FIELD_STRS || f->type == FIELD_OBJECTS)
        text_needs(needs, *(const char *const *)element, false);
    if (f->type != FIELD_STRS)
        measure(needs, f->of, element);
}

static void array_needs(struct needs *needs, const struct field *f, const void *v, size_t n)
{
    const char *element = v;
    size_t size = field_element_size(f);

    if (!v || f->flags & SHARED)
        return;
    needs->room += PACK_ROUND(n * size);
    for (size_t i = 0; i < n; i++, element += size)
        element_needs(needs, f, element);
}

static void measure(struct needs *needs, const struct type *type, const void *object)
{
    for (const struct field *f = type->fields; f->type; f++) {
        const struct any_list *list = AT(object, f, struct any_list);

        switch (f->type) {
        case FIELD_STR:
        case FIELD_QUANTITY:
            text_needs(needs, *AT(object, f, const char *), f->flags & SHARED);
            break;
        case FIELD_INT_STR:
            if (AT(object, f, struct int_or_str)->type == A_STR)
                text_needs(needs, AT(object, f, struct int_or_str)->text, f->flags & SHARED);
            break;
        case FIELD_RAW:
            json_needs(needs, *AT(object, f, const struct json *));
            break;
        case FIELD_OBJECT:
            measure(needs, f->of, AT(object, f, char));
            break;
        case FIELD_POINTER:
            array_needs(needs, f, *AT(object, f, void *), 1);
            break;
        case FIELD_STRS:
        case FIELD_MAP:
        case FIELD_LIST:
        case FIELD_OBJECTS:
            array_needs(needs, f, list->v, list->n);
            break;
        default:
            break;
        }
    }
}

void *table_pack(const struct type *type, const void *object, size_t extra_front)
{
    struct needs needs = { 0 };
    struct placer placer = { 0 };
    char *packed;

    assert(extra_front % 8 == 0);
    measure(&needs, type, object);
    packed = (char *)must_alloc(extra_front + PACK_ROUND(type->size) + needs.room + needs.texts) +
             extra_front;
    placer.room = packed + PACK_ROUND(type->size);
    placer.texts = placer.room + needs.room;
    copy_fields(&placer, type, object, packed);
    return packed;
}

size_t table_pack_size(const struct type *type, const void *packed)
{
    struct needs needs = { 0 };

    measure(&needs, type, packed);
    return PACK_ROUND(type->size) + needs.room + needs.texts;
}

static void release_fields(const struct type *type, const void *object, bool all);

static void release_element(const struct field *f, const void *element, bool all)
{
    if (f->type == FIELD_MAP) {
        const struct pair *pair = element;

        if (all || f->flags & SHARED_KEYS)
            intern_drop_str(pair->key);
        if (all)
            intern_drop_str(pair->value);
        return;
    }
    if (all && (f->type == FIELD_STRS || f->type == FIELD_OBJECTS))
        intern_drop_str(*(const char *const *)element);
    if (f->type != FIELD_STRS)
        release_fields(f->of, element, all);
}

static void release_elements(const struct field *f, const char *v, size_t n, bool all)
{
    for (size_t i = 0; i < n; i++)
        release_element(f, v + i * field_element_size(f), all);
}

static void release_array(const struct field *f, const void *v, size_t n, bool all)
{
    bool shared = all || f->flags & SHARED;

    if (!v || v == table_nothing)
        return;
    if (!shared) {
        release_elements(f, v, n, false);
    } else if (intern_drop_block(v)) {
        release_elements(f, v, n, true);
        intern_free(v);
    }
}

/* Drops what a packed object holds in the intern table; all: it is itself part of a shared block. */
static void release_fields(const struct type *type, const void *object, bool all)
{
    for (const struct field *f = type->fields; f->type; f++) {
        const struct any_list *list = AT(object, f, struct any_list);
        bool shared = all || f->flags & SHARED;

        switch (f->type) {
        case FIELD_STR:
        case FIELD_QUANTITY:
            if (shared)
                intern_drop_str(*AT(object, f, const char *));
            break;
        case FIELD_INT_STR:
            if (shared)
                intern_drop_str(AT(object, f, struct int_or_str)->text);
            break;
        case FIELD_OBJECT:
            release_fields(f->of, AT(object, f, char), all);
            break;
        case FIELD_POINTER:
            release_array(f, *AT(object, f, void *), 1, all);
            break;
        case FIELD_STRS:
        case FIELD_MAP:
        case FIELD_LIST:
        case FIELD_OBJECTS:
            release_array(f, list->v, list->n, all);
            break;
        default:
            break;
        }
    }
}

void table_pack_free(const struct type *type, void *packed, size_t extra_front)
{
    if (!packed)
        return;
    release_fields(type, packed, false);
    free((char *)packed - extra_front);
}

/* All texts inside are interned, so blocks that say the same are the same bytes. */
void *share_elements(const struct field *f, const void *v, size_t n)
{
    size_t size = n * field_element_size(f);
    scoped(free) char *scratch = must_alloc(size);
    struct placer placer = { .shared = true };
    const void *block;
    bool is_new;

    copy_elements(&placer, f, v, n, scratch);
    block = intern_block(scratch, size, &is_new);
    if (!is_new)
        release_elements(f, scratch, n, true);
    return (void *)(uintptr_t)block;
}
