/* intern.h - one copy of what many cached objects say.
 *
 * Label keys, namespaces, owners and condition reasons repeat in thousands of objects. Interned
 * bytes exist once in the process, counted; two interned values are equal exactly when their
 * addresses are. A value is immutable from the moment it is interned until its last reference is
 * dropped. Safe to call from any thread.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Interning pays only for what comes again, and much of what could be shared is said by one object
 * alone (its own name in a label). So a value that is new is refused with NULL and remembered, in a
 * small table that forgets, and interned when it is offered a second time. Otherwise a reference is
 * taken. */
const char *intern_str(const char *text);
void intern_drop_str(const char *interned);

/* The same for a block of bytes, aligned for pointers. *ret_new says that nobody had it before, so
 * that references which the block itself holds now belong to it. */
const void *intern_block(const void *bytes, size_t size, bool *ret_new);
/* Drops a reference; true when it was the last: let go of what the block refers to, then give the
 * block itself to intern_free(). */
bool intern_drop_block(const void *interned);
void intern_free(const void *interned);

struct intern_stats {
    size_t values;
    size_t bytes; /* of the values with their headers, and of the table that finds them */
};
struct intern_stats intern_stats(void);
