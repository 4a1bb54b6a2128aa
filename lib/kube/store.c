/* store.c - chains of objects by value. */
#include "kube/store.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "k8s/meta.h"

enum { PREVIOUS, NEXT };

struct chain_slot {
    uint64_t hash;
    struct object *first; /* NULL with hash 0: never used; NULL with hash 1: emptied */
};

/* ------------------------------------------------------------------ objects */

static size_t front_size(const struct store *s)
{
    return sizeof(struct object) + s->index_count * sizeof(struct object *[2]);
}

void *object_data(const struct store *s, const struct object *o)
{
    return (char *)o + front_size(s);
}

struct object *object_behind(const struct store *s, const void *data)
{
    return (struct object *)((char *)data - front_size(s));
}

static const struct k8s_meta *meta_of(const struct store *s, const struct object *o)
{
    return object_data(s, o);
}

struct object *object_new(const struct store *s, const void *data, const char *bad)
{
    void *packed = table_pack(s->kind->type, data, front_size(s));
    struct object *o = object_behind(s, packed);
    int64_t version;

    atomic_init(&o->refs, 1);
    o->bad = bad ? must_str(bad) : NULL;
    if (str_int(meta_of(s, o)->resource_version, &version) && version > 0)
        o->version = (uint64_t)version;
    return o;
}

void object_ref(struct object *o)
{
    atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
}

void object_unref(const struct store *s, struct object *o)
{
    if (!o || atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) != 1)
        return;
    free(o->bad);
    table_pack_free(s->kind->type, object_data(s, o), front_size(s));
}

static size_t object_bytes(const struct store *s, const struct object *o)
{
    return table_pack_size(object_data(s, o), front_size(s));
}

/* ------------------------------------------------------------------ values */

static const char *owner_uid(const struct k8s_meta *meta)
{
    for_each (owner, meta->owner_references)
        if (owner->controller == YES)
            return owner->uid;
    return NULL;
}

/* The object's value in an index other than that by name; NULL when it has none. */
static const char *value_of(const struct store *s, const struct chains *c, struct arena *a,
                            const struct object *o)
{
    if (!strcmp(c->path, "@owner"))
        return owner_uid(meta_of(s, o));
    return table_get(a, s->kind->type, object_data(s, o), c->path);
}

static uint64_t hash_name(const char *namespace, const char *name)
{
    uint64_t hash = hash_bytes(HASH_SEED, namespace ?: "", namespace ? strlen(namespace) : 0);

    hash = hash_bytes(hash, "/", 1);
    return hash_bytes(hash, name, strlen(name)) | 2; /* 0 and 1 mean something else */
}

static uint64_t hash_value(const char *value)
{
    return hash_str(value) | 2;
}

static bool has_name(const struct store *s, const struct object *o, const char *namespace,
                     const char *name)
{
    const struct k8s_meta *meta = meta_of(s, o);

    return str_eq(meta->name, name) && str_eq(meta->namespace ?: "", namespace ?: "");
}

static bool has_value(const struct store *s, const struct chains *c, const struct object *o,
                      const char *value)
{
    scoped(arena) struct arena *a = arena_new();

    return str_eq(value_of(s, c, a, o), value);
}

/* ------------------------------------------------------------------ chains */

/* What is looked for: a name (index 0) or a value. */
struct wanted {
    const char *namespace, *name, *value;
    uint64_t hash;
};

static bool fits(const struct store *s, const struct chains *c, const struct object *o,
                 const struct wanted *w)
{
    return c->path ? has_value(s, c, o, w->value) : has_name(s, o, w->namespace, w->name);
}

/* The slot of the wanted chain, or NULL. */
static struct chain_slot *chain_find(const struct store *s, const struct chains *c,
                                     const struct wanted *w)
{
    size_t mask = c->size - 1;

    if (!c->size)
        return NULL;
    for (size_t i = w->hash & mask; c->slots[i].hash; i = (i + 1) & mask)
        if (c->slots[i].hash == w->hash && fits(s, c, c->slots[i].first, w))
            return &c->slots[i];
    return NULL;
}

static void chain_place(struct chains *c, uint64_t hash, struct object *first)
{
    size_t mask = c->size - 1;
    size_t i = hash & mask;

    while (c->slots[i].hash > 1)
        i = (i + 1) & mask;
    c->dead -= c->slots[i].hash == 1;
    c->slots[i] = (struct chain_slot){ hash, first };
    c->count++;
}

static void chains_grow(struct chains *c)
{
    struct chains old = *c;

    if ((c->count + c->dead + 1) * 4 <= c->size * 3)
        return;
    c->size = !c->size ? 8 : c->count * 2 >= c->size ? c->size * 2 : c->size;
    c->slots = must_alloc(c->size * sizeof *c->slots);
    c->count = 0;
    c->dead = 0;
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].hash > 1)
            chain_place(c, old.slots[i].hash, old.slots[i].first);
    free(old.slots);
}

static void chain_add(struct store *s, size_t index, struct object *o, const struct wanted *w)
{
    struct chains *c = &s->indexes[index];
    struct chain_slot *slot;

    chains_grow(c);
    slot = chain_find(s, c, w);
    if (!slot) {
        chain_place(c, w->hash, o);
        return;
    }
    o->links[index][NEXT] = slot->first;
    slot->first->links[index][PREVIOUS] = o;
    slot->first = o;
}

static void chain_remove(struct store *s, size_t index, struct object *o, const struct wanted *w)
{
    struct chains *c = &s->indexes[index];
    struct object *previous = o->links[index][PREVIOUS];
    struct object *next = o->links[index][NEXT];

    if (next)
        next->links[index][PREVIOUS] = previous;
    if (previous) {
        previous->links[index][NEXT] = next;
    } else {
        struct chain_slot *slot = chain_find(s, c, w);

        if (next) {
            slot->first = next;
        } else {
            *slot = (struct chain_slot){ .hash = 1 };
            c->count--;
            c->dead++;
        }
    }
    o->links[index][PREVIOUS] = NULL;
    o->links[index][NEXT] = NULL;
}

/* Calls chain_add or chain_remove for every index in which the object has a value. */
static void each_chain(struct store *s, struct object *o,
                       void (*change)(struct store *, size_t, struct object *,
                                      const struct wanted *))
{
    scoped(arena) struct arena *a = arena_new();
    const struct k8s_meta *meta = meta_of(s, o);
    struct wanted name = { .namespace = meta->namespace, .name = meta->name,
                           .hash = hash_name(meta->namespace, meta->name) };

    change(s, 0, o, &name);
    for (size_t i = 1; i < s->index_count; i++) {
        const char *value = value_of(s, &s->indexes[i], a, o);
        struct wanted wanted = { .value = value, .hash = value ? hash_value(value) : 0 };

        if (value)
            change(s, i, o, &wanted);
    }
}

/* ------------------------------------------------------------------ the store */

void store_init(struct store *s, const struct kind *kind, const char *const *indexes)
{
    size_t n = 1;

    while (indexes && indexes[n - 1])
        n++;
    *s = (struct store){ .kind = kind, .index_count = n,
                         .indexes = must_alloc(n * sizeof *s->indexes) };
    for (size_t i = 1; i < n; i++)
        s->indexes[i].path = must_str(indexes[i - 1]);
}

void store_done(struct store *s)
{
    struct object *o;

    for (size_t at = 0; (o = store_walk(s, &at));)
        object_unref(s, o);
    for (size_t i = 0; i < s->index_count; i++) {
        free((char *)s->indexes[i].path);
        free(s->indexes[i].slots);
    }
    free(s->indexes);
}

void store_add(struct store *s, struct object *o)
{
    each_chain(s, o, chain_add);
    s->count++;
    s->bytes += object_bytes(s, o);
}

void store_remove(struct store *s, struct object *o)
{
    each_chain(s, o, chain_remove);
    s->count--;
    s->bytes -= object_bytes(s, o);
}

struct object *store_get(const struct store *s, const char *namespace, const char *name)
{
    struct wanted wanted = { .namespace = namespace, .name = name };
    struct chain_slot *slot;

    if (!name)
        return NULL;
    wanted.hash = hash_name(namespace, name);
    slot = chain_find(s, &s->indexes[0], &wanted);
    return slot ? slot->first : NULL;
}

int store_index(const struct store *s, const char *path)
{
    for (size_t i = 1; i < s->index_count; i++)
        if (str_eq(s->indexes[i].path, path))
            return (int)i;
    return -1;
}

struct object *store_first(const struct store *s, int index, const char *value)
{
    struct wanted wanted = { .value = value, .hash = hash_value(value) };
    struct chain_slot *slot = value ? chain_find(s, &s->indexes[index], &wanted) : NULL;

    return slot ? slot->first : NULL;
}

struct object *store_next(const struct object *o, int index)
{
    return o->links[index][NEXT];
}

struct object *store_walk(const struct store *s, size_t *at)
{
    const struct chains *c = &s->indexes[0];

    while (*at < c->size && c->slots[*at].hash <= 1)
        ++*at;
    return *at < c->size ? c->slots[(*at)++].first : NULL;
}
