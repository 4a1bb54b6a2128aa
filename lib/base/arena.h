/* arena.h - memory that lives and dies together.
 *
 * A function that takes an arena returns things that live as long as the arena does. Every
 * reconcile, webhook request and scrape runs inside one, so product code has no free(). Memory is
 * zeroed. Running out of memory ends the process. An arena belongs to one thread at a time.
 */
#pragma once
#include <stdarg.h>
#include <stddef.h>

#include "base/scope.h"

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);
DEFINE_SCOPE(arena, arena_free)

/* Forgets everything but keeps the first block, for loops that handle one item after another. */
void arena_reset(struct arena *a);
/* Bytes handed out since the arena was made or reset. */
size_t arena_used(const struct arena *a);

void *arena_alloc(struct arena *a, size_t size);
void *arena_copy(struct arena *a, const void *data, size_t size);
char *arena_str(struct arena *a, const char *text); /* NULL stays NULL */
char *arena_strn(struct arena *a, const char *text, size_t len);
char *fmt(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *vfmt(struct arena *a, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

#define arena_make(a, type) ((type *)arena_alloc(a, sizeof(type)))
#define arena_make_n(a, type, n) ((type *)arena_alloc(a, sizeof(type) * (n)))

/* malloc() and friends for what outlives an arena; they end the process rather than return NULL. */
void *must_alloc(size_t size); /* zeroed */
void *must_realloc(void *old, size_t size);
char *must_str(const char *text);
