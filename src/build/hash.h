/* hash.h - what is written into annotations so that a change restarts pods: SHA-256 in hex. */
#pragma once
#include <stddef.h>

#include "json/table.h"

const char *hash_of_bytes(struct arena *a, const void *bytes, size_t n);
const char *hash_of_text(struct arena *a, const char *text); /* NULL is "" */
/* Of the values in the order of their keys, one after another; "" when there are none. */
const char *hash_of_texts(struct arena *a, struct pairs data);
/* The same for the data of a Secret, whose values are base64. */
const char *hash_of_secret(struct arena *a, struct pairs data);
