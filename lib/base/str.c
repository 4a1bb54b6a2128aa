/* str.c - comparisons, numbers and hashes of strings. */
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool str_eq(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

bool str_empty(const char *s)
{
    return !s || !*s;
}

bool str_starts(const char *s, const char *prefix)
{
    return s && prefix && !strncmp(s, prefix, strlen(prefix));
}

bool str_ends(const char *s, const char *suffix)
{
    size_t len = s ? strlen(s) : 0;
    size_t tail = suffix ? strlen(suffix) : 0;

    return s && suffix && tail <= len && !memcmp(s + len - tail, suffix, tail);
}

bool str_in(const char *s, const char *const *list)
{
    if (!s)
        return false;
    for (; list && *list; list++)
        if (!strcmp(s, *list))
            return true;
    return false;
}

int str_cmp(const char *a, const char *b)
{
    if (a == b)
        return 0; /* what many objects say is kept once */
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

bool str_int(const char *s, int64_t *ret)
{
    char *end;
    long long value;

    if (str_empty(s) || (!strchr("+-", *s) && (*s < '0' || *s > '9')))
        return false;
    errno = 0;
    value = strtoll(s, &end, 10);
    if (errno || *end || end == s)
        return false;
    *ret = value;
    return true;
}

bool str_double(const char *s, double *ret)
{
    char *end;
    double value;

    if (str_empty(s) || (!strchr("+-.", *s) && (*s < '0' || *s > '9')))
        return false;
    errno = 0;
    value = strtod(s, &end);
    if (errno || *end || end == s)
        return false;
    *ret = value;
    return true;
}

uint64_t hash_bytes(uint64_t seed, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++)
        seed = (seed ^ p[i]) * UINT64_C(0x100000001b3);
    return seed;
}

uint64_t hash_str(const char *s)
{
    return s ? hash_bytes(HASH_SEED, s, strlen(s)) : 0;
}
