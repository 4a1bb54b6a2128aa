/* values.h - JSON values changed by copying: the old one stays as it is for whoever shares it. */
#pragma once
#include "json/json.h"
#include "json/table.h"

/* The object with one member added or replaced; NULL is an empty object. */
struct json *value_with(struct arena *a, const struct json *object, const char *name,
                        const struct json *value);
struct json *value_without(struct arena *a, const struct json *object, const char *name);
/* All items of both; either may be NULL. */
struct json *value_joined(struct arena *a, const struct json *one, const struct json *other);
/* A list of texts. */
struct json *value_list(struct arena *a, struct strs texts);
bool value_is_object(const struct json *v);
/* How many items a list has; 0 for what is none. */
size_t value_items(const struct json *list);
/* Whether a list has an item that is equal. */
bool value_has(const struct json *list, const struct json *item);
/* The item of a list whose member has this text, NULL when there is none. */
const struct json *value_named(const struct json *list, const char *member, const char *text);
