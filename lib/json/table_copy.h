/* table_copy.h - how the two kinds of copies share one walk. */
#pragma once
#include "json/table_internal.h"

/* Where copies go. In an arena: wherever it likes. Packed: arrays and structs into .room, texts
 * behind them into .texts, and what can be shared to where the plan says. */
struct placer {
    struct arena *arena; /* NULL when packing */
    char *room;
    char *texts;
    const void *const *plan; /* the next decision of table_pack()'s plan */
    bool all_shared;         /* within a shared list, everything can be shared */
};

/* Things in a packed block begin at multiples of 8. */
#define PACK_ROUND(size) (((size) + 7) & ~(size_t)7)

void *place_room(struct placer *p, size_t size);
const char *place_text(struct placer *p, const char *text, bool shared);
const struct json *place_json(struct placer *p, const struct json *v);

/* to points at zeroed memory. */
void copy_fields(struct placer *p, const struct type *type, const void *from, void *to);
void copy_elements(struct placer *p, const struct field *f, const char *from, size_t n, char *to);

/* What packed copies need: bytes of structs and arrays, and bytes of texts. */
struct needs {
    size_t room;
    size_t texts;
};
void json_needs(struct needs *needs, const struct json *v);

/* What becomes of an object that is packed: one decision for each part that can be shared, in the
 * order in which the walk meets them. NULL: it goes into the block like everything else. */
struct plan {
    const void **decisions;
    size_t count, size;
    struct needs needs;
};

void plan_object(struct plan *plan, const struct type *type, const void *object);
void plan_done(struct plan *plan);

/* Drops the references that n packed elements hold. What lies outside the span of their own block
 * is interned; a shared block has no span. */
struct span {
    const char *from, *to;
};
void release_elements(const struct field *f, const char *v, size_t n, struct span own, bool all);
