/* table.h - what a type looks like: one struct, one table, one walker for everything.
 *
 * A table says where each JSON field stands in a C struct. From it come reading, writing, copying,
 * comparing, validating, hashing and explaining; a new field is one row. Tables of API types are
 * generated from api/ (see codegen/); foreign JSON gets them by hand:
 *
 *     static const struct field drive_fields[] = {
 *         FIELD(drive, id, STR, "Id", .flags = REQUIRED),
 *         FIELD(drive, bytes, INT, "CapacityBytes"),
 *         FIELD(drive, healthy, BOOL, "Status.Healthy"),
 *         { 0 },
 *     };
 *     static const struct type drive_type = TYPE(drive, drive_fields);
 *
 * A dotted name reaches into objects; that is for reading only, and the same type has no row for
 * the object it reaches into.
 *
 * The zero value of every field means absent, so absence and zero never blur:
 *
 *     STR       const char *               NULL absent
 *     INT       struct maybe_int           .set
 *     REAL      struct maybe_real          .set
 *     BOOL      enum flag                  UNSET, NO, YES
 *     TIME      usec                       0 absent; RFC 3339, whole seconds
 *     MICROTIME usec                       0 absent; RFC 3339 with microseconds
 *     QUANTITY  const char *               a resource quantity; compared by value
 *     INT_STR   struct int_or_str          .type NONE absent
 *     STRS      struct strs                n == 0 and v == NULL absent; v != NULL with n == 0 is []
 *     MAP       struct pairs               string to string, sorted by key; absent and {} as above
 *     RAW       const struct json *        any JSON; null is a value and NULL is absent
 *     OBJECT    struct T by value          absent when all zero (required parts: metadata, spec)
 *     POINTER   struct T *                 NULL absent, so {} and absent differ
 *     LIST      struct { struct T *v; size_t n; }
 *     OBJECTS   struct { struct T *v; size_t n; }, an object of objects: T begins with its key,
 *               a const char * without a row of its own
 *
 * A JSON null is absent everywhere but in RAW.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "json/json.h"

enum flag { UNSET, NO, YES };

struct maybe_int {
    int64_t value;
    bool set;
};

struct maybe_real {
    double value;
    bool set;
};

/* clang-format off */
#define SOME(x) { .value = (x), .set = true }
/* clang-format on */
static inline int64_t int_or(struct maybe_int m, int64_t otherwise)
{
    return m.set ? m.value : otherwise;
}
static inline double real_or(struct maybe_real m, double otherwise)
{
    return m.set ? m.value : otherwise;
}

struct int_or_str {
    enum { NEITHER, AN_INT, A_STR } type;
    int64_t value;
    const char *text;
};

struct strs {
    const char **v;
    size_t n;
};

struct pair {
    const char *key;
    const char *value;
};

struct pairs {
    struct pair *v;
    size_t n;
};

/* LIST(array) gives any list field its elements; STRS("a", "b") a list of strings, living as long
 * as the enclosing block; for_each(item, list) walks either. */
/* clang-format off */
#define LIST(array) { .v = (array), .n = ARRAY_SIZE(array) }
#define STRS(...)                                                                                  \
    { .v = (const char *[]){ __VA_ARGS__ },                                                        \
      .n = sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *) }
/* clang-format on */
#define for_each(item, list)                                                                       \
    for (typeof(&*(list).v) item = (list).v; item && item < (list).v + (list).n; item++)

const char *pairs_get(struct pairs pairs, const char *key); /* NULL when absent */
/* A sorted copy with one more (or one replaced) pair. */
struct pairs pairs_with(struct arena *a, struct pairs pairs, const char *key, const char *value);
bool strs_has(struct strs strs, const char *text);

/* clang-format off */
enum field_type {
    FIELD_END, FIELD_STR, FIELD_INT, FIELD_REAL, FIELD_BOOL, FIELD_TIME, FIELD_MICROTIME,
    FIELD_QUANTITY, FIELD_INT_STR, FIELD_STRS, FIELD_MAP, FIELD_RAW, FIELD_OBJECT, FIELD_POINTER,
    FIELD_LIST, FIELD_OBJECTS,
};
/* clang-format on */

enum field_flags {
    REQUIRED = 1 << 0,  /* validation: must be there */
    SHARED = 1 << 1,    /* packing: interned, because many objects say the same; see table_pack() */
    SENSITIVE = 1 << 2, /* explained as ***, never logged */
    ATOMIC = 1 << 3,    /* comparing: a list or object that is replaced whole */
    SET_LIST = 1 << 4,  /* comparing: a list of strings whose order does not matter */
    NULLABLE = 1 << 5,
    QUANTITIES = 1 << 6,  /* MAP: the values are resource quantities */
    SHARED_KEYS = 1 << 7, /* packing: the keys of a MAP are interned, its values are not */
};

struct type;

/* What a value may be, beyond its type; NULL parts do not apply. Generated from the schema. */
struct rule {
    const char *const *one_of; /* NULL-terminated */
    const char *pattern;       /* POSIX extended, anchored by itself */
    struct maybe_int min, max; /* numbers */
    struct maybe_int min_items, max_items;
    struct maybe_int min_length, max_length;
};

/* clang-format off */
#define RULE(...) &(const struct rule){ __VA_ARGS__ }
#define ONE_OF(...) (const char *const[]){ __VA_ARGS__, NULL }
/* clang-format on */

struct field {
    const char *name;
    uint32_t offset;
    uint16_t flags;
    uint8_t type; /* enum field_type */
    uint8_t name_len;
    const struct type *of; /* OBJECT, POINTER, LIST, OBJECTS */
    const char *list_key;  /* LIST: the member that identifies an element; "a,b" for two */
    const struct rule *rule;
    const char *default_text; /* JSON of the schema's default, applied by table_default() */
    const char *doc;          /* one line, for `windlass explain` and docs */
};

struct type {
    const char *name; /* of the C struct: "slinky_nodeset_spec" */
    size_t size;
    const struct field *fields; /* ended by FIELD_END */
};

/* clang-format off */
#define FIELD(struct_name, member, field_type_, json_name, ...)                                    \
    { .name = json_name, .name_len = sizeof(json_name) - 1,                                        \
      .offset = offsetof(struct struct_name, member), .type = FIELD_##field_type_, ##__VA_ARGS__ }
#define TYPE(struct_name, fields_)                                                                 \
    { .name = #struct_name, .size = sizeof(struct struct_name), .fields = fields_ }
/* clang-format on */

/* Reading. object points at a zeroed struct of the type. Unknown members are skipped; a known one
 * given twice is refused. Text that is not JSON is -EBADMSG; a value that does not fit its row is
 * -EINVAL and names its path: `spec.replicas: want an integer, got "x"`. The texts of the object
 * lie in one copy of the input, so an arena that is to live long should take a table_copy()
 * instead. */
int table_read(struct arena *a, const struct type *type, const char *text, size_t len, void *object,
               struct error *err);
int table_read_json(struct arena *a, const struct type *type, const struct json *v, void *object,
                    struct error *err);

/* Writing: absent fields are left out, the rest stands in table order. */
void table_write(const struct type *type, const void *object, struct buf *out);
struct json *table_json(struct arena *a, const struct type *type, const void *object);

/* Copying: deep, into an arena, with maps sorted. */
void *table_copy(struct arena *a, const struct type *type, const void *object);

/* Packing: deep, into one block of malloc() memory with extra_front zeroed bytes for the caller (a
 * multiple of 8) right before the object, whose address is returned; that is what the other two
 * take. SHARED texts are interned once they come again; a SHARED list, map or pointer is interned
 * whole, with everything in it, so that equal ones cost their holders nothing. Packed objects are
 * immutable. */
void *table_pack(const struct type *type, const void *object, size_t extra_front);
void table_pack_free(const struct type *type, void *packed, size_t extra_front);
/* Bytes of the block, without what is shared. */
size_t table_pack_size(const void *packed, size_t extra_front);

/* Comparing: equal in every field; or: have already says all that want says (what else stands in
 * have does not count; lists with list_key match by key). *ret_path (may be NULL) names the first
 * difference, in the arena. */
bool table_equal(const struct type *type, const void *x, const void *y);
bool table_covers(struct arena *a, const struct type *type, const void *have, const void *want,
                  const char **ret_path);
/* Nothing is set. */
bool table_is_empty(const struct type *type, const void *object);
/* Independent of map order and of fields unknown to the table. */
uint64_t table_hash(const struct type *type, const void *object);

/* Fills absent fields from the schema's defaults, in objects that are there. */
int table_default(struct arena *a, const struct type *type, void *object, struct error *err);
/* Checks REQUIRED, patterns, enums and bounds. Calls on_problem for each, with texts that live in
 * the arena; returns how many. */
size_t table_validate(struct arena *a, const struct type *type, const void *object,
                      void (*on_problem)(void *userdata, const char *path, const char *problem),
                      void *userdata);

/* The value at a dotted JSON path as text, for indexes and printer columns:
 * "spec.controllerRef.name", "status.conditions.0.type", "metadata.labels.app.kubernetes.io/name"
 * (what follows a map is its key). NULL when absent or not a scalar. */
const char *table_get(struct arena *a, const struct type *type, const void *object,
                      const char *path);
/* The row that describes a path, NULL when there is none; for explain. Indexes may be left out. */
const struct field *table_find(const struct type *type, const char *path);
