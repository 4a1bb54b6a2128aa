/* hash.c - SHA-256 of what pods are restarted for. */
#include "build/hash.h"

#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/str.h"

const char *hash_of_bytes(struct arena *a, const void *bytes, size_t n)
{
    unsigned char sum[SHA256_DIGEST_LENGTH];
    char *text = arena_alloc(a, 2 * sizeof sum + 1);

    SHA256(bytes, n, sum);
    for (size_t i = 0; i < sizeof sum; i++) {
        text[2 * i] = "0123456789abcdef"[sum[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[sum[i] & 15];
    }
    return text;
}

const char *hash_of_text(struct arena *a, const char *text)
{
    return hash_of_bytes(a, text ?: "", text ? strlen(text) : 0);
}

static int by_key(const void *one, const void *other)
{
    return str_cmp(((const struct pair *)one)->key, ((const struct pair *)other)->key);
}

static const char *hash_of_values(struct arena *a, struct pairs data, bool base64)
{
    struct pair *sorted = arena_copy(a, data.v, data.n * sizeof *data.v);
    scoped(buf) struct buf all = { 0 };

    if (data.n)
        qsort(sorted, data.n, sizeof *sorted, by_key);
    for (size_t i = 0; i < data.n; i++) {
        size_t len = strlen(sorted[i].value ?: "");
        const char *value =
            base64 ? base64_decode(a, sorted[i].value ?: "", &len) : sorted[i].value;

        if (value)
            buf_add(&all, value, len);
    }
    return all.len ? hash_of_bytes(a, all.bytes, all.len) : "";
}

const char *hash_of_texts(struct arena *a, struct pairs data)
{
    return hash_of_values(a, data, false);
}

const char *hash_of_secret(struct arena *a, struct pairs data)
{
    return hash_of_values(a, data, true);
}
