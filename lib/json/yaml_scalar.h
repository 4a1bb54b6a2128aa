/* yaml_scalar.h - what a plain scalar means, and which strings must not be written as one; internal
 * to lib/json. */
#pragma once
#include "json/json.h"

/* The value of an unquoted scalar: the YAML 1.2 core schema, with 0644 octal as in YAML 1.1, since
 * that is how Kubernetes reads file modes. Infinities and NaN, which JSON cannot hold, give NULL.
 */
struct json *yaml_plain_value(struct arena *a, const char *text, size_t len);

/* Whether the text can stand unquoted and every reader, of YAML 1.1 or 1.2, takes it for a string.
 */
bool yaml_is_plain_string(const char *text, size_t len);
