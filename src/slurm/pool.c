/* pool.c - a block of bytes, and a hash table over it while it is being filled. */
#include "slurm/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct pool_slot {
    uint32_t at; /* UINT32_MAX: free */
    uint32_t len;
};

enum { FIRST_SIZE = 4096, FIRST_SLOTS = 256 };

static struct pool_slot *slots_new(uint32_t n)
{
    struct pool_slot *slots = must_alloc(n * sizeof *slots);

    memset(slots, 0xff, n * sizeof *slots);
    return slots;
}

void pool_init(struct pool *pool)
{
    *pool = (struct pool) { .size = FIRST_SIZE, .slot_count = FIRST_SLOTS };
    pool->bytes = must_alloc(FIRST_SIZE);
    pool->slots = slots_new(FIRST_SLOTS);
    pool_str(pool, "");
}

void pool_done(struct pool *pool)
{
    free(pool->bytes);
    free(pool->slots);
    *pool = (struct pool) { 0 };
}

static struct pool_slot *find(const struct pool *pool, const void *bytes, uint32_t len)
{
    uint32_t mask = pool->slot_count - 1;
    uint32_t i = (uint32_t)hash_bytes(HASH_SEED, bytes, len) & mask;

    for (; pool->slots[i].at != UINT32_MAX; i = (i + 1) & mask)
        if (pool->slots[i].len == len && !memcmp(pool->bytes + pool->slots[i].at, bytes, len))
            break;
    return &pool->slots[i];
}

static void grow_slots(struct pool *pool)
{
    struct pool_slot *old = pool->slots;
    uint32_t n = pool->slot_count;

    pool->slot_count *= 2;
    pool->slots = slots_new(pool->slot_count);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].at != UINT32_MAX)
            *find(pool, pool->bytes + old[i].at, old[i].len) = old[i];
    free(old);
}

static bool make_room(struct pool *pool, uint64_t need)
{
    uint64_t size = pool->size;

    while (size < need)
        size += size / 2;
    if (size >= UINT32_MAX)
        return false;
    if (size != pool->size)
        pool->bytes = must_realloc(pool->bytes, size);
    pool->size = (uint32_t)size;
    return true;
}

uint32_t pool_add(struct pool *pool, const void *bytes, uint32_t len)
{
    struct pool_slot *slot = find(pool, bytes, len);
    uint32_t at = len % 4 == 0 ? (pool->len + 3) & ~3u : pool->len;

    if (slot->at != UINT32_MAX)
        return slot->at;
    if (!make_room(pool, (uint64_t)at + len))
        return UINT32_MAX;
    memset(pool->bytes + pool->len, 0, at - pool->len);
    memcpy(pool->bytes + at, bytes, len);
    pool->len = at + len;
    *slot = (struct pool_slot) { at, len };
    if (++pool->used * 4 > pool->slot_count * 3)
        grow_slots(pool);
    return at;
}

uint32_t pool_str(struct pool *pool, const char *text)
{
    size_t len = strlen(text) + 1;

    return len < UINT32_MAX ? pool_add(pool, text, (uint32_t)len) : UINT32_MAX;
}

void pool_seal(struct pool *pool)
{
    free(take(pool->slots));
    pool->slot_count = pool->used = 0;
    pool->bytes = must_realloc(pool->bytes, pool->len);
    pool->size = pool->len;
}

size_t pool_size(const struct pool *pool)
{
    return sizeof *pool + pool->size + pool->slot_count * sizeof *pool->slots;
}
