/* manifest_check.h - what is wrong with a manifest, or missing beside it; for manifests.c only. */
#pragma once
#include "slinky/manifests.h"

/* Applies the defaults of the schema to one of our resources and notes the fields of its document
 * that nobody knows. */
int manifest_settle(struct manifests *m, struct manifest *one, const struct json *doc,
                    struct error *err);
/* Notes what admission would say of each resource. -EINVAL: not all of them would be let in. */
int manifest_judge(struct manifests *m, struct error *err);
/* Adds a Secret for every one that is referred to and was not given. */
void manifest_placeholders(struct manifests *m);
void manifests_add(struct manifests *m, const struct kind *kind, void *object, const char *where);
