/* base64url.c - six bits at a time. */
#include "slurm/base64url.h"

#include <stdint.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void base64url_write(struct buf *out, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint32_t bits = 0;
    int have = 0;

    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | p[i];
        for (have += 8; have >= 6; have -= 6)
            buf_char(out, alphabet[bits >> (have - 6) & 63]);
    }
    if (have)
        buf_char(out, alphabet[bits << (6 - have) & 63]);
}

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

bool base64url_read(struct arena *a, const char *text, size_t len, unsigned char **ret,
                    size_t *ret_len)
{
    unsigned char *bytes = arena_alloc(a, len * 3 / 4 + 1);
    size_t n = 0;
    uint32_t bits = 0;
    int have = 0;

    for (size_t i = 0; i < len; i++) {
        int value = value_of(text[i]);

        if (value < 0)
            return false;
        bits = bits << 6 | (uint32_t)value;
        have += 6;
        if (have >= 8)
            bytes[n++] = (unsigned char)(bits >> (have -= 8));
    }
    if (have >= 6 || (bits & ((1u << have) - 1)))
        return false;
    *ret = bytes;
    *ret_len = n;
    return true;
}
