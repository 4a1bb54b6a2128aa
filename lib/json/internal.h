/* internal.h - what the files of lib/json share; nobody else includes it, or yyjson.
 *
 * Numbers are always read raw (YYJSON_READ_NUMBER_AS_RAW): a value of type raw is a number whose
 * text yyjson has checked, and yy_int() and yy_real() say what it is. So no digit is lost on the
 * way to a value that keeps its text.
 */
#pragma once
#include <yyjson.h>

#include "json/json.h"

/* The whole text as one immutable document: strict, UTF-8 checked; -EBADMSG with line and column.
 * Depth and duplicate keys are not checked here but by json_from_yy(). */
int json_yy_read(const char *text, size_t len, yyjson_doc **ret, struct error *err);
static inline __attribute__((unused)) void scope_end_yy(yyjson_doc *const *doc)
{
    yyjson_doc_free(*doc); /* scoped(yy) yyjson_doc *doc = NULL; */
}

/* A copy of v in the arena. Too deep, a key twice, a key with a NUL: -EBADMSG, the path named from
 * v. */
int json_from_yy(struct arena *a, yyjson_val *v, struct json **ret, struct error *err);

/* False when v is not a number, or has no such value: 1.5 and 1e3 are not integers, nor is 2^63. */
bool yy_int(yyjson_val *v, int64_t *ret);
bool yy_real(yyjson_val *v, double *ret);

/* Number texts by value, exactly: "1e3" is "1000.0". The hash agrees with that. */
bool number_equal(const char *a, const char *b);
uint64_t number_hash(const char *digits);
/* -?digits that fit an int64_t, except "-0", which no integer can keep. */
bool number_int(const char *digits, int64_t *ret);
/* The digits of any JSON number, written to room when it is an integer. */
enum { NUMBER_ROOM = 24 };
const char *number_digits(const struct json *v, char room[static NUMBER_ROOM]);

/* Length of the UTF-8 sequence at p, of which n > 0 bytes are there; 0 when it is none. */
size_t utf8_length(const unsigned char *p, size_t n);

/* The members of an object in the order of their names; the array is the caller's to free(). */
const struct json_member **members_sorted(const struct json *object);

/* Finding many members of one object: by position when the order is as expected, by halving when
 * the object is large, so that a hostile object of 100,000 keys costs no more than its share. */
struct finder {
    const struct json *object;
    const struct json_member **sorted; /* NULL while the object is small */
    size_t next;
};

void finder_init(struct finder *f,
                 const struct json *object); /* any value; only objects have any */
void finder_done(struct finder *f);
static inline __attribute__((unused)) void scope_end_finder(struct finder *f)
{
    finder_done(f);
}
struct json *finder_get(struct finder *f, const char *name); /* NULL when absent */

/* Where we are while walking down a value; lives on the stack of the walk. */
struct path {
    const struct path *up;
    const char *name; /* NULL for an index */
    size_t index;
};

/* "spec.containers.0.image"; "the document" at the top. */
const char *path_text(struct arena *a, const struct path *path);
