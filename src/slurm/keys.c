/* keys.c - random keys, passwords and base64. */
#include "slurm/keys.h"

#include <openssl/evp.h>
#include <string.h>

#include "base/rand.h"

enum { FIRST_CHARACTER = '!', LAST_CHARACTER = '~' };

char *key_text(struct arena *a, size_t n)
{
    char *text = arena_alloc(a, n + 1);

    for (size_t i = 0; i < n; i++)
        text[i] = (char)(FIRST_CHARACTER + rand_below(LAST_CHARACTER - FIRST_CHARACTER + 1));
    return text;
}

void *key_bytes(struct arena *a, size_t n)
{
    void *bytes = arena_alloc(a, n);

    rand_bytes(bytes, n);
    return bytes;
}

static char pick(const char *from)
{
    return from[rand_below(strlen(from))];
}

char *key_password(struct arena *a)
{
    enum { DIGITS = 4, SIGNS = 2 };
    char *text = arena_alloc(a, PASSWORD_CHARACTERS + 1);

    for (size_t i = 0; i < PASSWORD_CHARACTERS; i++)
        text[i] = i < DIGITS ? pick("0123456789")
                  : i < DIGITS + SIGNS
                      ? pick("@$^&*()_+-={}|[]<>/")
                      : pick("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (size_t i = PASSWORD_CHARACTERS; i > 1; i--) { /* Fisher and Yates */
        size_t other = rand_below(i);
        char kept = text[i - 1];

        text[i - 1] = text[other];
        text[other] = kept;
    }
    return text;
}

char *base64_text(struct arena *a, const void *bytes, size_t n)
{
    char *text = arena_alloc(a, (n + 2) / 3 * 4 + 1);

    EVP_EncodeBlock((unsigned char *)text, bytes, (int)n);
    return text;
}

char *base64_bytes(struct arena *a, const char *text, size_t *ret_len)
{
    size_t len = strlen(text), padding = 0;
    char *bytes = arena_alloc(a, len / 4 * 3 + 1);
    int got;

    while (padding < 2 && padding < len && text[len - 1 - padding] == '=')
        padding++;
    if (len % 4 != 0 || memchr(text, '=', len - padding) || strpbrk(text, " \t\r\n"))
        return NULL;
    got = EVP_DecodeBlock((unsigned char *)bytes, (const unsigned char *)text, (int)len);
    if (got < 0)
        return NULL;
    *ret_len = (size_t)got - padding;
    bytes[*ret_len] = '\0';
    return bytes;
}
