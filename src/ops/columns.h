/* columns.h - a table for people: columns as wide as their widest cell. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"

enum { COLUMNS_MAX = 12 };

struct columns {
    struct arena *arena;
    size_t width; /* how many columns */
    const char **cells;
    size_t n, room;
};

/* Titles, ended by NULL, are the first row. */
struct columns columns_new(struct arena *a, const char *const *titles);
/* As many cells as there are titles; NULL is an empty cell. */
void columns_add(struct columns *c, const char *const *cells);
#define COLUMNS_ADD(c, ...) columns_add(c, (const char *const[]) { __VA_ARGS__ })
/* Lines without blanks at their ends. */
void columns_write(const struct columns *c, struct buf *out);
