/* breaker.c - counts failures in a row and spaces the tries that follow. */
#include "slurm/breaker.h"

#include <stdio.h>

#define WAIT_MIN (1 * USEC_SEC)
#define WAIT_MAX (30 * USEC_SEC)

bool breaker_is_open(const struct breaker *b)
{
    return b->failures >= BREAKER_LIMIT;
}

usec breaker_wait(const struct breaker *b)
{
    usec now = clock_now();

    return breaker_is_open(b) && b->next > now ? b->next - now : 0;
}

bool breaker_begin(struct breaker *b)
{
    if (!breaker_is_open(b))
        return true;
    if (b->trying || breaker_wait(b) > 0)
        return false;
    b->trying = true;
    return true;
}

void breaker_end(struct breaker *b, bool answered, const char *why)
{
    b->trying = false;
    if (answered) {
        b->failures = 0;
        b->last[0] = '\0';
        return;
    }
    if (breaker_wait(b) > 0)
        return; /* one that was under way when the circuit opened: nothing new */
    b->failures++;
    snprintf(b->last, sizeof b->last, "%s", why);
    if (breaker_is_open(b))
        b->next = clock_now() + backoff(b->failures - BREAKER_LIMIT, WAIT_MIN, WAIT_MAX);
}

void breaker_cancel(struct breaker *b)
{
    b->trying = false;
}
