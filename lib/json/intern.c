/* intern.c - a hash table of counted byte strings behind one lock. */
#include "json/intern.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scope.h"

enum { FIRST_SIZE = 256, REMEMBERED = 4096 };

/* Sixteen bytes in front of every value, so that the value stays aligned. */
struct entry {
    uint32_t refs; /* under lock */
    uint32_t hash;
    uint32_t size;
    uint32_t is_block; /* text and block are never one another, even with the same bytes */
    char bytes[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry **slots; /* under lock; open addressing, a power of two */
static size_t slot_count;
static size_t used;
static size_t value_bytes;
static uint32_t remembered[REMEMBERED]; /* under lock; hashes of what was refused lately */

/* Eight bytes at a time: labels and reasons are short, and this runs for each of them. */
static uint32_t hash_of(const char *bytes, size_t size, bool is_block)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) ^ (size << 1) ^ is_block;

    for (; size >= 8; bytes += 8, size -= 8) {
        uint64_t word;

        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    if (size) {
        uint64_t word = 0;

        memcpy(&word, bytes, size);
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    hash *= UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(hash >> 32);
}

static bool entry_is(const struct entry *entry, uint32_t hash, const void *bytes, size_t size,
                     bool is_block)
{
    return entry->hash == hash && entry->size == size && entry->is_block == is_block &&
           !memcmp(entry->bytes, bytes, size);
}

static void insert(struct entry *entry)
{
    size_t at = entry->hash & (slot_count - 1);

    while (slots[at])
        at = (at + 1) & (slot_count - 1);
    slots[at] = entry;
}

static void grow(void)
{
    struct entry **old = slots;
    size_t old_count = slot_count;

    slot_count = old_count ? old_count * 2 : FIRST_SIZE;
    slots = must_alloc(slot_count * sizeof *slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i])
            insert(old[i]);
    free(old);
}

static struct entry *entry_new(uint32_t hash, const void *bytes, size_t size, bool is_block)
{
    struct entry *entry = must_alloc(sizeof *entry + size);

    *entry =
        (struct entry) { .refs = 1, .hash = hash, .size = (uint32_t)size, .is_block = is_block };
    memcpy(entry->bytes, bytes, size);
    return entry;
}

/* Whether this hash was here before; two values with one hash only make us intern too early. */
static bool comes_again(uint32_t hash)
{
    uint32_t *slot = &remembered[hash % REMEMBERED];
    bool again = *slot == hash;

    *slot = hash;
    return again;
}

static const char *find_or_add(const void *bytes, size_t size, bool is_block, bool *ret_new)
{
    uint32_t hash = hash_of(bytes, size, is_block);
    struct entry *entry;

    scoped_lock(&lock);
    for (size_t at = hash; slot_count && (entry = slots[at & (slot_count - 1)]); at++) {
        if (entry_is(entry, hash, bytes, size, is_block)) {
            entry->refs++;
            *ret_new = false;
            return entry->bytes;
        }
    }
    if (!comes_again(hash))
        return NULL;
    if (used >= slot_count / 4 * 3)
        grow();
    entry = entry_new(hash, bytes, size, is_block);
    insert(entry);
    used++;
    value_bytes += sizeof *entry + size;
    *ret_new = true;
    return entry->bytes;
}

static struct entry *entry_of(const void *interned)
{
    return (struct entry *)((uintptr_t)interned - offsetof(struct entry, bytes));
}

/* Empties a slot and moves up those that a search would no longer reach past the gap. */
static void remove_slot(size_t gap)
{
    size_t mask = slot_count - 1;

    for (size_t at = (gap + 1) & mask; slots[at]; at = (at + 1) & mask) {
        size_t home = slots[at]->hash & mask;

        if (((at - home) & mask) >= ((at - gap) & mask)) {
            slots[gap] = slots[at];
            gap = at;
        }
    }
    slots[gap] = NULL;
}

static bool drop(struct entry *entry)
{
    size_t at = entry->hash;

    scoped_lock(&lock);
    if (--entry->refs > 0)
        return false;
    while (slots[at & (slot_count - 1)] != entry)
        at++;
    remove_slot(at & (slot_count - 1));
    used--;
    value_bytes -= sizeof *entry + entry->size;
    return true;
}

const char *intern_str(const char *text)
{
    bool is_new;

    return find_or_add(text, strlen(text) + 1, false, &is_new);
}

void intern_drop_str(const char *interned)
{
    if (drop(entry_of(interned)))
        intern_free(interned);
}

const void *intern_block(const void *bytes, size_t size, bool *ret_new)
{
    return find_or_add(bytes, size, true, ret_new);
}

bool intern_drop_block(const void *interned)
{
    return drop(entry_of(interned));
}

void intern_free(const void *interned)
{
    free(entry_of(interned));
}

struct intern_stats intern_stats(void)
{
    scoped_lock(&lock);
    return (struct intern_stats) { used, value_bytes + slot_count * sizeof *slots };
}
