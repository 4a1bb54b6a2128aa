/* rand.c - getrandom(), which does not fail once the machine is up. */
#include "base/rand.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

void rand_bytes(void *out, size_t n)
{
    char *at = out;

    while (n) {
        ssize_t got = getrandom(at, n, 0);

        if (got < 0 && errno != EINTR)
            abort();
        if (got > 0) {
            at += got;
            n -= (size_t)got;
        }
    }
}

uint64_t rand_below(uint64_t bound)
{
    uint64_t value;

    if (!bound)
        return 0;
    rand_bytes(&value, sizeof value);
    return value % bound;
}

void rand_name(char *text, size_t n)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    for (size_t i = 0; i < n; i++)
        text[i] = letters[rand_below(sizeof letters - 1)];
    text[n] = '\0';
}
