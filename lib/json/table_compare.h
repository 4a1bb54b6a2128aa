/* table_compare.h - what comparing for equality and comparing for coverage share. */
#pragma once
#include "json/table_internal.h"

bool field_equal(const struct field *f, const void *x, const void *y);
bool pairs_equal(const struct field *f, const struct pair *x, const struct pair *y);
