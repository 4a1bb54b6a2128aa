/* table_internal.h - what the files of the walker share: finding a member by its row. */
#pragma once
#include "json/internal.h"
#include "json/table.h"

/* Any STRS, MAP, LIST or OBJECTS, seen without its element type. */
struct any_list {
    void *v;
    size_t n;
};

/* The address of a member as a pointer to its C type: *AT(object, f, enum flag). */
#define AT(object, f, c_type) ((c_type *)(void *)((char *)(uintptr_t)(object) + (f)->offset))

/* What v of an empty but present list points at: nobody reads or frees it. */
extern void *const table_nothing;

/* Bytes of one element of a STRS, MAP, LIST or OBJECTS, or of what a POINTER points at. */
size_t field_element_size(const struct field *f);
/* The element at i of a list. */
static inline void *list_at(const struct any_list *list, const struct field *f, size_t i)
{
    return (char *)list->v + i * field_element_size(f);
}

/* Whether the member that f describes is absent from object. */
bool field_is_absent(const struct field *f, const void *object);
/* The row with this JSON name, NULL when there is none. */
const struct field *field_named(const struct type *type, const char *name, size_t len);

/* Sorted by key, unless they already are. */
void pairs_sort(struct pairs pairs);

/* Reads one JSON value into the member that f describes; path is for messages. */
int table_read_member(struct arena *a, const struct field *f, const char *text, void *object,
                      const struct path *path, struct error *err);
