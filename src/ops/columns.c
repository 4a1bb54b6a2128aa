/* columns.c - a table for people. */
#include "ops/columns.h"

#include <string.h>

struct columns columns_new(struct arena *a, const char *const *titles)
{
    struct columns c = { .arena = a };

    while (titles[c.width])
        c.width++;
    columns_add(&c, titles);
    return c;
}

void columns_add(struct columns *c, const char *const *cells)
{
    if (c->n + c->width > c->room) {
        const char **more =
            arena_make_n(c->arena, const char *, c->room = c->room * 2 + 16 * c->width);

        if (c->n)
            memcpy(more, c->cells, c->n * sizeof *more);
        c->cells = more;
    }
    for (size_t i = 0; i < c->width; i++)
        c->cells[c->n++] = cells[i] ?: "";
}

static int width_of(const struct columns *c, size_t column)
{
    size_t widest = 0;

    for (size_t i = column; i < c->n; i += c->width)
        widest = strlen(c->cells[i]) > widest ? strlen(c->cells[i]) : widest;
    return (int)widest;
}

void columns_write(const struct columns *c, struct buf *out)
{
    int widths[COLUMNS_MAX] = { 0 };

    for (size_t i = 0; i < c->width && i < COLUMNS_MAX; i++)
        widths[i] = width_of(c, i);
    for (size_t i = 0; i < c->n; i++) {
        bool last = i % c->width == c->width - 1;

        buf_fmt(out, "%-*s%s", last ? 0 : widths[i % c->width], c->cells[i], last ? "" : "  ");
        if (!last)
            continue;
        while (out->len && out->bytes[out->len - 1] == ' ')
            out->bytes[--out->len] = '\0';
        buf_char(out, '\n');
    }
}
