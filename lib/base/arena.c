/* arena.c - a list of growing blocks, freed at once. */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_BLOCK = 4096 - 64, LARGEST_BLOCK = 256 * 1024, ALIGNMENT = 16 };

struct block {
    struct block *older;
    size_t size;
    size_t used;
    _Alignas(ALIGNMENT) char bytes[];
};

struct arena {
    struct block *newest;
    size_t total;
};

void *must_alloc(size_t size)
{
    void *memory = calloc(1, size ?: 1);

    if (!memory)
        abort();
    return memory;
}

void *must_realloc(void *old, size_t size)
{
    void *memory = realloc(old, size ?: 1);

    if (!memory)
        abort();
    return memory;
}

char *must_str(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(must_alloc(size), text, size);
}

static struct block *block_new(struct block *older, size_t size)
{
    struct block *block = malloc(sizeof *block + size);

    if (!block)
        abort();
    *block = (struct block){ .older = older, .size = size };
    return block;
}

struct arena *arena_new(void)
{
    struct arena *a = must_alloc(sizeof *a);

    a->newest = block_new(NULL, FIRST_BLOCK);
    return a;
}

static void blocks_free(struct block *block, const struct block *keep)
{
    while (block && block != keep) {
        struct block *older = block->older;

        free(block);
        block = older;
    }
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    blocks_free(a->newest, NULL);
    free(a);
}

void arena_reset(struct arena *a)
{
    struct block *first = a->newest;

    while (first->older)
        first = first->older;
    blocks_free(a->newest, first);
    first->used = 0;
    a->newest = first;
    a->total = 0;
}

size_t arena_used(const struct arena *a)
{
    return a->total;
}

static void grow(struct arena *a, size_t size)
{
    size_t next = a->newest->size * 2;

    if (next > LARGEST_BLOCK)
        next = LARGEST_BLOCK;
    a->newest = block_new(a->newest, size > next ? size : next);
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    void *memory;

    if (rounded < size || rounded > SIZE_MAX / 2)
        abort();
    if (a->newest->size - a->newest->used < rounded)
        grow(a, rounded);
    memory = a->newest->bytes + a->newest->used;
    a->newest->used += rounded;
    a->total += rounded;
    return memset(memory, 0, rounded);
}

void *arena_copy(struct arena *a, const void *data, size_t size)
{
    void *memory = arena_alloc(a, size);

    return size ? memcpy(memory, data, size) : memory;
}

char *arena_strn(struct arena *a, const char *text, size_t len)
{
    char *copy = arena_alloc(a, len + 1);

    if (len)
        memcpy(copy, text, len);
    return copy;
}

char *arena_str(struct arena *a, const char *text)
{
    return text ? arena_strn(a, text, strlen(text)) : NULL;
}

char *vfmt(struct arena *a, const char *format, va_list args)
{
    va_list again;
    char *text;
    int len;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0)
        abort();
    text = arena_alloc(a, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, args);
    return text;
}

char *fmt(struct arena *a, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = vfmt(a, format, args);
    va_end(args);
    return text;
}
