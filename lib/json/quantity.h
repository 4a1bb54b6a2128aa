/* quantity.h - Kubernetes resource quantities ("250m", "16Gi", "1e3", "0.5") by their value.
 *
 * Values are exact down to a billionth; what is finer is rounded away from zero. They agree with
 * Kubernetes from 0 to 2^63 - 1. Beyond, where its conversions wrap around, ours stop at the limit,
 * and a suffix without a digit, which it takes for 0, is no quantity here. Nothing passes through
 * floating point. Every function says false for a text that is no quantity and for NULL.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

bool quantity_is_valid(const char *text);
/* *ret is below, at or above 0 as a is less than, equal to or more than b. */
bool quantity_compare(const char *a, const char *b, int *ret);
/* Texts that are no quantities are equal only when they are the same. */
bool quantity_equal(const char *a, const char *b);

/* The value in units of so much, rounded away from zero: 1 for plain numbers, 1 << 20 for MiB.
 * A value out of range becomes the nearest that fits. */
bool quantity_units(const char *text, int64_t unit, int64_t *ret);
/* The same in thousandths, for CPUs: "0.1" is 100. */
bool quantity_milli(const char *text, int64_t *ret);
