/* convert_parts.h - what the files of convert.h share. */
#pragma once
#include "json/json.h"

/* A member that may be changed; NULL when it is not there. */
struct json *member_of(struct json *object, const char *name);

/* convert_rules.c: the object in the other version as far as that one can say it. Changes the
 * object in place; false for a kind that is none of ours. */
bool rules_up(struct arena *a, struct json *object);   /* v1alpha1 to v1beta1 */
bool rules_down(struct arena *a, struct json *object); /* and back */
bool rules_know(const char *kind);

/* convert_kept.c: what turns spec and status of have into those of want, as text; NULL: nothing. */
char *kept_of(struct arena *a, const struct json *have, const struct json *want);
/* Does it to the object, wherever it still looks like have did. Text that makes no sense is left
 * alone. */
void kept_apply(struct arena *a, struct json *object, const char *kept);
