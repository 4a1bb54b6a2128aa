/* map.h - strings to pointers.
 *
 * The map copies its keys and borrows its values. Iteration order is that of the hash and changes
 * when the map grows; sort the keys when order matters. Not thread-safe. At three quarters full it
 * doubles, so an entry costs a pointer pair and its key, about 32 bytes beyond the key's own.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct map {
    struct map_slot *slots;
    size_t size; /* a power of two, or 0 */
    size_t count;
    size_t dead;
};

void map_done(struct map *m, void (*value_free)(void *));
void *map_get(const struct map *m, const char *key); /* NULL when absent */
bool map_has(const struct map *m, const char *key);
/* Puts value under key; returns the value that stood there before, or NULL. */
void *map_put(struct map *m, const char *key, void *value);
void *map_remove(struct map *m, const char *key); /* the removed value, or NULL */

/* for (size_t at = 0; map_next(&m, &at, &key, &value);) - removing the current key is allowed. */
bool map_next(const struct map *m, size_t *at, const char **ret_key, void **ret_value);
