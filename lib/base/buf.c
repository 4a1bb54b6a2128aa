/* buf.c - doubling growth under a limit. */
#include "base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void buf_done(struct buf *b)
{
    if (!b)
        return;
    free(b->bytes);
    *b = (struct buf){ .limit = b->limit };
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    b->overflow = false;
    if (b->bytes)
        b->bytes[0] = '\0';
}

void buf_consume(struct buf *b, size_t n)
{
    if (!b->bytes || !n)
        return;
    if (n > b->len)
        n = b->len;
    memmove(b->bytes, b->bytes + n, b->len - n + 1);
    b->len -= n;
}

static int reserve(struct buf *b, size_t extra)
{
    size_t need = b->len + extra + 1;

    if (need < extra || (b->limit && b->len + extra > b->limit)) {
        b->overflow = true;
        return -EMSGSIZE;
    }
    if (need > b->size) {
        size_t size = b->size ? b->size * 2 : 128;

        b->size = size > need ? size : need;
        b->bytes = must_realloc(b->bytes, b->size);
    }
    return 0;
}

int buf_add(struct buf *b, const void *bytes, size_t n)
{
    int rc = reserve(b, n);

    if (rc < 0)
        return rc;
    if (n)
        memcpy(b->bytes + b->len, bytes, n);
    b->len += n;
    b->bytes[b->len] = '\0';
    return 0;
}

int buf_str(struct buf *b, const char *text)
{
    return buf_add(b, text, strlen(text));
}

int buf_char(struct buf *b, char c)
{
    return buf_add(b, &c, 1);
}

int buf_vfmt(struct buf *b, const char *format, va_list args)
{
    va_list again;
    int len;
    int rc;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0)
        abort();
    rc = reserve(b, (size_t)len);
    if (rc < 0)
        return rc;
    vsnprintf(b->bytes + b->len, (size_t)len + 1, format, args);
    b->len += (size_t)len;
    return 0;
}

int buf_fmt(struct buf *b, const char *format, ...)
{
    va_list args;
    int rc;

    va_start(args, format);
    rc = buf_vfmt(b, format, args);
    va_end(args);
    return rc;
}

const char *buf_text(const struct buf *b)
{
    return b->bytes ? b->bytes : "";
}

char *buf_take(struct buf *b)
{
    char *bytes = b->bytes ? b->bytes : must_alloc(1);

    *b = (struct buf){ .limit = b->limit };
    return bytes;
}
