/* quantity.h - resource quantities ("500m", "1Gi", "2e3") by value. */
#pragma once
#include <stdbool.h>

/* True when both say the same amount: "1000m" and "1", "1Ki" and "1024". Texts that are no
 * quantities, and NULL, are equal only to themselves. */
bool quantity_equal(const char *x, const char *y);
bool quantity_is_valid(const char *text);
