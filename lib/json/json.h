/* json.h - a JSON value of any shape, living in an arena.
 *
 * What users may pass freely (a pod spec, an override) stays such a value: read, merged, compared
 * and written without knowing its fields. Objects keep the order in which their members were added.
 * Integers stay integers; every other number is kept as the text it came in as well as a double, so
 * that nothing is rounded on the way through. Values are immutable once published to other code;
 * the json_set_* calls are for the one who builds a value.
 *
 * Parsing is done by yyjson; nothing outside lib/json includes it.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

enum json_type { JSON_NULL, JSON_BOOL, JSON_INT, JSON_REAL, JSON_STR, JSON_ARRAY, JSON_OBJECT };

enum { JSON_DEPTH_MAX = 128 }; /* arrays and objects inside each other */

struct json;

struct json_member {
    const char *name;
    struct json *value;
};

struct json {
    enum json_type type;
    union {
        bool yes;
        int64_t integer;
        struct {
            double number;
            const char *digits; /* as written */
        } real;
        struct {
            const char *text; /* NUL-terminated; may hold NULs of its own, hence len */
            size_t len;
        } str;
        struct {
            struct json **items;
            size_t count, room;
        } array;
        struct {
            struct json_member *members;
            size_t count, room;
        } object;
    };
};

/* Parsing: strict JSON, UTF-8 checked, depth bounded. A key that is there twice or holds a NUL is
 * refused and its path named. Every refusal is -EBADMSG. */
int json_parse(struct arena *a, const char *text, size_t len, struct json **ret, struct error *err);

/* Writing: compact, or with two-space indents; canonical sorts every object's members. */
enum json_style { JSON_COMPACT, JSON_PRETTY, JSON_CANONICAL };
void json_write(const struct json *v, enum json_style style, struct buf *out);
char *json_text(struct arena *a, const struct json *v); /* compact */
/* A text quoted and escaped as a JSON string; bytes that are not UTF-8 become U+FFFD. */
void json_write_str(struct buf *out, const char *text, size_t len);

/* Making. Texts are copied; a NULL text is null, and so is a number that is not finite. */
struct json *json_null(struct arena *a);
struct json *json_bool(struct arena *a, bool yes);
struct json *json_int(struct arena *a, int64_t value);
struct json *json_real(struct arena *a, double value);
struct json *json_str(struct arena *a, const char *text);
struct json *json_strn(struct arena *a, const char *text, size_t len);
struct json *json_array(struct arena *a);
struct json *json_object(struct arena *a);
struct json *json_copy(struct arena *a, const struct json *v);
/* A member added or replaced; an item appended. The name is copied; the value is borrowed: it lives
 * in the same arena. json_set_str() with NULL sets nothing, as absent strings are NULL. */
void json_set(struct arena *a, struct json *object, const char *name, struct json *value);
void json_set_str(struct arena *a, struct json *object, const char *name, const char *text);
/* A member added without looking whether it is there already: for names known to be new. */
void json_append(struct arena *a, struct json *object, const char *name, struct json *value);
void json_remove(struct json *object, const char *name);
void json_add(struct arena *a, struct json *array, struct json *value);

/* Reading: all of these accept NULL and a value of another type, and then say "not there". */
const struct json *json_get(const struct json *object, const char *name);
/* Dotted path; digits index arrays: "spec.containers.0.image". A dot inside a name is written
 * "\\.". */
const struct json *json_at(const struct json *v, const char *path);
const char *json_str_or(const struct json *v, const char *otherwise);
int64_t json_int_or(const struct json *v, int64_t otherwise);
double json_real_or(const struct json *v, double otherwise); /* integers too */
bool json_bool_or(const struct json *v, bool otherwise);
size_t json_count(const struct json *v); /* items or members; 0 for the rest */
const struct json *json_item(const struct json *array, size_t i);
const char *json_type_name(enum json_type type); /* "an integer", for messages */

/* Comparing. Integers and reals of the same value are equal, whatever their digits: 1000 and 1e3.
 * Two NULLs are equal. */
bool json_equal(const struct json *a, const struct json *b);
uint64_t json_hash(const struct json *v); /* canonical: independent of member order */

/* Walks the members of a value known to be an object. */
#define for_each_member(var, value)                                                                \
    for (const struct json_member *var = (value)->object.members;                                  \
         var && var < (value)->object.members + (value)->object.count; var++)
