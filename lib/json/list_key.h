/* list_key.h - which member identifies an element of a Kubernetes list; internal to lib/json.
 *
 * The facts are those that the API types publish as patch strategies and list types.
 */
#pragma once
#include "json/json.h"

enum { LIST_KEYS = 2 };

struct list_rule {
    const char *list;                /* the list's own field name */
    const char *keys[LIST_KEYS];     /* none: a set of scalars */
    const char *defaults[LIST_KEYS]; /* the value of a key that is left out */
    bool shared; /* others add elements of their own: an element we did not ask for may stay */
};

/* NULL: the list is replaced as a whole. Where one name stands for several lists (ports of
 * containers and of services), the elements decide. */
const struct list_rule *list_rule_of(const char *list, const struct json *one,
                                     const struct json *other);
/* The identity of an element under its rule; NULL when it lacks a key. */
const char *list_key_of(struct arena *a, const struct list_rule *rule, const struct json *element);
