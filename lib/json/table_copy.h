/* table_copy.h - how the two kinds of copies share one walk. */
#pragma once
#include "json/intern.h"
#include "json/table_internal.h"

/* Where copies go. In an arena: wherever it likes. Packed: arrays and structs into .room, which
 * table_pack() has measured, texts behind them into .texts, shared ones into the intern table. */
struct placer {
    struct arena *arena; /* NULL when packing */
    char *room;
    char *texts;
    bool shared; /* within something shared, everything is */
};

/* Things in a packed block begin at multiples of 8. */
#define PACK_ROUND(size) (((size) + 7) & ~(size_t)7)

void *place_room(struct placer *p, size_t size);
const char *place_text(struct placer *p, const char *text, bool shared);
const struct json *place_json(struct placer *p, const struct json *v);

/* to points at zeroed memory. */
void copy_fields(struct placer *p, const struct type *type, const void *from, void *to);
void copy_elements(struct placer *p, const struct field *f, const char *from, size_t n, char *to);

/* An interned copy of n elements and of all they refer to. */
void *share_elements(const struct field *f, const void *v, size_t n);

/* What packed copies need: bytes of structs and arrays, and bytes of texts. */
struct needs {
    size_t room;
    size_t texts;
};
void json_needs(struct needs *needs, const struct json *v);
