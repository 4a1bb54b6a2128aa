/* map.c - open addressing with linear probing and tombstones. */
#include "base/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct map_slot {
    char *key; /* NULL: never used; DEAD: removed */
    void *value;
};

static char dead_key[] = "";
#define DEAD dead_key

static bool live(const struct map_slot *slot)
{
    return slot->key && slot->key != DEAD;
}

static struct map_slot *find(const struct map *m, const char *key)
{
    size_t mask = m->size - 1;

    if (!m->size || !key)
        return NULL;
    for (size_t i = hash_str(key) & mask; m->slots[i].key; i = (i + 1) & mask)
        if (m->slots[i].key != DEAD && !strcmp(m->slots[i].key, key))
            return &m->slots[i];
    return NULL;
}

static void place(struct map *m, char *key, void *value)
{
    size_t mask = m->size - 1;
    size_t i = hash_str(key) & mask;

    while (m->slots[i].key)
        i = (i + 1) & mask;
    m->slots[i] = (struct map_slot){ key, value };
}

static void rebuild(struct map *m, size_t size)
{
    struct map old = *m;

    m->slots = must_alloc(size * sizeof *m->slots);
    m->size = size;
    m->dead = 0;
    for (size_t i = 0; i < old.size; i++)
        if (live(&old.slots[i]))
            place(m, old.slots[i].key, old.slots[i].value);
    free(old.slots);
}

static void make_room(struct map *m)
{
    if ((m->count + m->dead + 1) * 4 <= m->size * 3)
        return;
    if (!m->size)
        rebuild(m, 8);
    else
        rebuild(m, m->count * 2 >= m->size ? m->size * 2 : m->size);
}

void map_done(struct map *m, void (*value_free)(void *))
{
    for (size_t i = 0; i < m->size; i++) {
        if (!live(&m->slots[i]))
            continue;
        free(m->slots[i].key);
        if (value_free)
            value_free(m->slots[i].value);
    }
    free(m->slots);
    *m = (struct map){ 0 };
}

void *map_get(const struct map *m, const char *key)
{
    struct map_slot *slot = find(m, key);

    return slot ? slot->value : NULL;
}

bool map_has(const struct map *m, const char *key)
{
    return find(m, key) != NULL;
}

void *map_put(struct map *m, const char *key, void *value)
{
    struct map_slot *slot = find(m, key);
    void *old = NULL;

    if (slot) {
        old = slot->value;
        slot->value = value;
        return old;
    }
    make_room(m);
    place(m, must_str(key), value);
    m->count++;
    return NULL;
}

void *map_remove(struct map *m, const char *key)
{
    struct map_slot *slot = find(m, key);
    void *value;

    if (!slot)
        return NULL;
    value = slot->value;
    free(slot->key);
    *slot = (struct map_slot){ .key = DEAD };
    m->count--;
    m->dead++;
    return value;
}

bool map_next(const struct map *m, size_t *at, const char **ret_key, void **ret_value)
{
    while (*at < m->size && !live(&m->slots[*at]))
        ++*at;
    if (*at >= m->size)
        return false;
    if (ret_key)
        *ret_key = m->slots[*at].key;
    if (ret_value)
        *ret_value = m->slots[*at].value;
    ++*at;
    return true;
}
