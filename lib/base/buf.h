/* buf.h - bytes that grow, up to a limit.
 *
 * A buffer filled from a network carries its limit; one that we fill ourselves may leave it 0 (no
 * limit). An append that would pass the limit is refused whole: the buffer keeps what it had,
 * .overflow is set, and buf_add returns -EMSGSIZE. buf->bytes is always NUL-terminated once anything was added.
 */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *bytes; /* NULL while empty and never grown */
    size_t len;
    size_t size;
    size_t limit;
    bool overflow;
};

void buf_done(struct buf *b);
static inline __attribute__((unused)) void scope_end_buf(struct buf *b)
{
    buf_done(b); /* scoped(buf) struct buf b = { .limit = ... }; */
}

void buf_clear(struct buf *b); /* keeps the memory */
void buf_consume(struct buf *b, size_t n); /* drops the first n bytes */
int buf_add(struct buf *b, const void *bytes, size_t n);
int buf_str(struct buf *b, const char *text);
int buf_char(struct buf *b, char c);
int buf_fmt(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
int buf_vfmt(struct buf *b, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* The text, "" when empty; borrowed. */
const char *buf_text(const struct buf *b);
/* Hands the bytes over (never NULL) and leaves the buffer empty. */
char *buf_take(struct buf *b);
