/* pool.h - many small pieces of bytes in one block, each kept once, named by 32-bit numbers.
 *
 * Half of what Slurm tells of ten thousand nodes are the same few words. A pool is filled, then
 * sealed: from there on it is immutable, as large as what it holds, and readable from any thread.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool {
    char *bytes;
    uint32_t len, size;
    struct pool_slot *slots; /* while it is being filled */
    uint32_t slot_count, used;
};

void pool_init(struct pool *pool); /* piece 0 is the empty string */
void pool_done(struct pool *pool);
/* The number of a piece that equals these bytes, added when new. Pieces of whole words (len and the
 * caller's data a multiple of 4) are aligned for uint32_t. UINT32_MAX: the pool is full. */
uint32_t pool_add(struct pool *pool, const void *bytes, uint32_t len);
uint32_t pool_str(struct pool *pool, const char *text);
void pool_seal(struct pool *pool);
size_t pool_size(const struct pool *pool); /* bytes it occupies */

static inline const char *pool_at(const struct pool *pool, uint32_t number)
{
    return pool->bytes + number;
}
