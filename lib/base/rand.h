/* rand.h - the kernel's random bytes. */
#pragma once
#include <stddef.h>
#include <stdint.h>

void rand_bytes(void *out, size_t n);
uint64_t rand_below(uint64_t bound); /* 0 .. bound-1; 0 for a bound of 0 */
/* Fills text with n characters of [a-z0-9] and a NUL: text has n + 1 bytes. */
void rand_name(char *text, size_t n);
