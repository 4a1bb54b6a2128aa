/* table_copy.c - deep copies: into an arena, or packed into one block with shared parts interned.
 *
 * Both are the same walk; they differ in where a struct placer puts things.
 */
#include <string.h>

#include "json/table_copy.h"

void *place_room(struct placer *p, size_t size)
{
    char *room = p->room;

    if (p->arena)
        return arena_alloc(p->arena, size);
    p->room += PACK_ROUND(size);
    return room;
}

/* What the plan decided about the next part that can be shared. */
static const void *decided(struct placer *p, bool shared)
{
    return shared || p->all_shared ? *p->plan++ : NULL;
}

const char *place_text(struct placer *p, const char *text, bool shared)
{
    char *room = p->texts;
    const char *interned;
    size_t size;

    if (!text)
        return NULL;
    if (p->arena)
        return arena_str(p->arena, text);
    interned = decided(p, shared);
    if (interned)
        return interned;
    size = strlen(text) + 1;
    p->texts += size;
    return memcpy(room, text, size);
}

static void copy_element(struct placer *p, const struct field *f, const void *from, void *to)
{
    switch (f->type) {
    case FIELD_STRS:
        *(const char **)to = place_text(p, *(const char *const *)from, f->flags & SHARED);
        return;
    case FIELD_MAP: {
        const struct pair *pair = from;

        *(struct pair *)to = (struct pair) {
            place_text(p, pair->key, f->flags & (SHARED | SHARED_KEYS)),
            place_text(p, pair->value, f->flags & SHARED),
        };
        return;
    }
    case FIELD_OBJECTS:
        *(const char **)to = place_text(p, *(const char *const *)from, f->flags & SHARED);
        copy_fields(p, f->of, from, to);
        return;
    default:
        copy_fields(p, f->of, from, to);
    }
}

void copy_elements(struct placer *p, const struct field *f, const char *from, size_t n, char *to)
{
    size_t size = field_element_size(f);

    for (size_t i = 0; i < n; i++)
        copy_element(p, f, from + i * size, to + i * size);
    if (f->type == FIELD_MAP) /* hand-made maps may come in any order */
        pairs_sort((struct pairs) { (struct pair *)(void *)to, n });
}

/* What a list, map or pointer holds: nothing, something present but empty, or elements. */
static void *copy_array(struct placer *p, const struct field *f, const void *v, size_t n)
{
    size_t size = n * field_element_size(f);
    bool within = p->all_shared;
    const void *interned;
    void *room;

    if (!v)
        return NULL;
    if (!size)
        return table_nothing;
    interned = p->arena ? NULL : decided(p, f->flags & SHARED);
    if (interned)
        return (void *)(uintptr_t)interned;
    room = place_room(p, size);
    p->all_shared = within || f->flags & SHARED;
    copy_elements(p, f, v, n, room);
    p->all_shared = within;
    return room;
}

/* Member by member, and zero when unset: a shared block is compared with its padding. */
static void copy_maybe_int(const struct maybe_int *from, struct maybe_int *to)
{
    to->value = from->set ? from->value : 0;
    to->set = from->set;
}

static void copy_maybe_real(const struct maybe_real *from, struct maybe_real *to)
{
    to->value = from->set ? from->value : 0;
    to->set = from->set;
}

static void copy_int_or_str(struct placer *p, const struct int_or_str *from, struct int_or_str *to,
                            bool shared)
{
    to->type = from->type;
    if (from->type == AN_INT)
        to->value = from->value;
    if (from->type == A_STR)
        to->text = place_text(p, from->text, shared);
}

static void copy_field(struct placer *p, const struct field *f, const void *from, void *to)
{
    const struct any_list *list = AT(from, f, struct any_list);
    bool shared = f->flags & SHARED;

    switch (f->type) {
    case FIELD_STR:
    case FIELD_QUANTITY:
        *AT(to, f, const char *) = place_text(p, *AT(from, f, const char *), shared);
        return;
    case FIELD_INT:
        copy_maybe_int(AT(from, f, struct maybe_int), AT(to, f, struct maybe_int));
        return;
    case FIELD_REAL:
        copy_maybe_real(AT(from, f, struct maybe_real), AT(to, f, struct maybe_real));
        return;
    case FIELD_BOOL:
        *AT(to, f, enum flag) = *AT(from, f, enum flag);
        return;
    case FIELD_TIME:
    case FIELD_MICROTIME:
        *AT(to, f, usec) = *AT(from, f, usec);
        return;
    case FIELD_INT_STR:
        copy_int_or_str(p, AT(from, f, struct int_or_str), AT(to, f, struct int_or_str), shared);
        return;
    case FIELD_RAW:
        *AT(to, f, const struct json *) = place_json(p, *AT(from, f, const struct json *));
        return;
    case FIELD_OBJECT:
        copy_fields(p, f->of, AT(from, f, char), AT(to, f, char));
        return;
    case FIELD_POINTER:
        *AT(to, f, void *) = copy_array(p, f, *AT(from, f, void *), 1);
        return;
    default:
        AT(to, f, struct any_list)->v = copy_array(p, f, list->v, list->n);
        AT(to, f, struct any_list)->n = list->v ? list->n : 0;
    }
}

void copy_fields(struct placer *p, const struct type *type, const void *from, void *to)
{
    for (const struct field *f = type->fields; f->type; f++)
        copy_field(p, f, from, to);
}

void *table_copy(struct arena *a, const struct type *type, const void *object)
{
    struct placer placer = { .arena = a };
    void *copy = arena_alloc(a, type->size);

    copy_fields(&placer, type, object, copy);
    return copy;
}
