/* store.h - the objects of one cache, found by name and by the values of indexed fields.
 *
 * An object is one block: the header below, a pair of links for each index, then the packed struct
 * that readers see. An index is a table of chains, so that an object costs two pointers for each
 * and every operation takes the same time however many objects share a value. No locks here: the
 * cache holds its own around every call.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json/kind.h"

struct object {
    _Atomic uint32_t refs;
    uint32_t mark;    /* of the list that mentioned it last */
    uint64_t version; /* resourceVersion as a number, 0 when it is none */
    char *bad;        /* why it could not be read, or NULL */
    struct object *links[][2]; /* previous and next in the chain of each index; the first is by name */
};

struct chain_slot;
struct chains { /* value -> the objects that have it */
    const char *path; /* NULL: "namespace/name"; "@owner": uid of the controlling owner */
    struct chain_slot *slots;
    size_t size, count, dead;
};

struct store {
    const struct kind *kind;
    struct chains *indexes;
    size_t index_count; /* the one by name included */
    size_t count;
    size_t bytes;
};

void store_init(struct store *s, const struct kind *kind, const char *const *indexes);
void store_done(struct store *s);

/* A packed copy with one reference. */
struct object *object_new(const struct store *s, const void *data, const char *bad);
void object_ref(struct object *o);
void object_unref(const struct store *s, struct object *o);
void *object_data(const struct store *s, const struct object *o);
struct object *object_behind(const struct store *s, const void *data);

/* Takes over the caller's reference. There must be no object of that name. */
void store_add(struct store *s, struct object *o);
/* Hands the store's reference to the caller. */
void store_remove(struct store *s, struct object *o);

struct object *store_get(const struct store *s, const char *namespace, const char *name);
/* The first object with that value, then store_next(); -1 for an index there is not. */
int store_index(const struct store *s, const char *path);
struct object *store_first(const struct store *s, int index, const char *value);
struct object *store_next(const struct object *o, int index);
/* Every object: for (size_t at = 0; (o = store_walk(s, &at));) - removing o is allowed. */
struct object *store_walk(const struct store *s, size_t *at);
