/* base64.c - six bits a letter. */
#include "base/base64.h"

#include <stdint.h>
#include <string.h>

static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

char *base64_encode(struct arena *a, const void *bytes, size_t n)
{
    const unsigned char *in = bytes;
    char *out = arena_alloc(a, n / 3 * 4 + 5);
    char *at = out;

    for (size_t i = 0; i < n; i += 3) {
        size_t have = n - i < 3 ? n - i : 3;
        uint32_t bits = (uint32_t)in[i] << 16 | (have > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                        (have > 2 ? in[i + 2] : 0);

        for (size_t k = 0; k < 4; k++)
            *at++ = k <= have ? plain[bits >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

static int letter_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

/* The text ends, but for padding and white space. */
static bool only_padding(const char *text)
{
    return strspn(text, "= \t\r\n") == strlen(text);
}

char *base64_decode(struct arena *a, const char *text, size_t *ret_len)
{
    char *out = arena_alloc(a, strlen(text) / 4 * 3 + 4);
    size_t n = 0;
    size_t letters = 0;
    uint32_t bits = 0;

    for (; *text && *text != '='; text++) {
        int value = letter_value(*text);

        if (strchr(" \t\r\n", *text))
            continue;
        if (value < 0)
            return NULL;
        bits = bits << 6 | (uint32_t)value;
        if (++letters % 4 != 1)
            out[n++] = (char)(bits >> (6 - 2 * ((letters + 3) % 4)) & 0xff);
    }
    if (letters % 4 == 1 || !only_padding(text))
        return NULL;
    if (ret_len)
        *ret_len = n;
    return out;
}

void base64url_write(struct buf *out, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint32_t bits = 0;
    int have = 0;

    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | p[i];
        for (have += 8; have >= 6; have -= 6)
            buf_char(out, url[bits >> (have - 6) & 63]);
    }
    if (have)
        buf_char(out, url[bits << (6 - have) & 63]);
}

bool base64url_read(struct arena *a, const char *text, size_t len, unsigned char **ret,
                    size_t *ret_len)
{
    unsigned char *bytes = arena_alloc(a, len * 3 / 4 + 1);
    size_t n = 0;
    uint32_t bits = 0;
    int have = 0;

    for (size_t i = 0; i < len; i++) {
        int value = letter_value(text[i]);

        if (value < 0 || text[i] == '+' || text[i] == '/')
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
