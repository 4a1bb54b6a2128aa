/* kinds.h - every kind we know, ended by NULL.
 *
 * Generated from api/ by `make generate`; changes go there.
 */
#pragma once
#include "json/kind.h"

extern const struct kind *const all_kinds[];
