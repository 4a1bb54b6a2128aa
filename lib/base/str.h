/* str.h - small questions about strings; every one of them accepts NULL as "no string". */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool str_eq(const char *a, const char *b); /* two NULLs are equal */
bool str_empty(const char *s);             /* NULL or "" */
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
bool str_in(const char *s, const char *const *list); /* a NULL-terminated list */
int str_cmp(const char *a, const char *b); /* NULL sorts first */

/* The whole of s as a number; false leaves *ret alone: empty, trailing text or out of range. */
bool str_int(const char *s, int64_t *ret);
bool str_double(const char *s, double *ret);

uint64_t hash_bytes(uint64_t seed, const void *bytes, size_t n); /* FNV-1a; begin with HASH_SEED */
uint64_t hash_str(const char *s);
#define HASH_SEED UINT64_C(0xcbf29ce484222325)
