/* resource.h - objects of any kind, as a manifest has them.
 *
 * What we install is JSON that the server understands better than we do; all that is read off it is
 * where it lives. Writing is server-side apply under our name. What was applied is noted on the
 * object as a hash, so that a field that a later version no longer sets is taken away, and that
 * nothing is sent when nothing changed.
 */
#pragma once
#include "ops/session.h"

#define RESOURCE_APPLIED "windlass.dev/installed" /* annotation: hash of what was applied */

struct resource {
    struct kind kind;      /* .type reads the metadata alone */
    const char *namespace; /* NULL: cluster-wide */
    const char *name;
    struct json *json;
    const struct json *live; /* as the server has it; NULL: it has not, or was not asked */
};

struct resources {
    struct resource *v;
    size_t n;
};

/* -EINVAL for an object without kind, apiVersion or name. */
int resource_of(struct arena *a, struct json *object, struct resource *ret, struct error *err);
/* "deployment/slurm-operator" */
const char *resource_title(struct arena *a, const struct resource *r);

/* Fills in .live. */
int resource_look(struct session *s, struct resource *r, struct error *err);
/* The helm release that owns the live object, NULL when none does. */
const char *resource_helm_release(const struct resource *r);
/* We applied it, some day. */
bool resource_is_ours(const struct resource *r);

enum resource_change { RESOURCE_UNCHANGED, RESOURCE_CREATED, RESOURCE_CHANGED, RESOURCE_KEPT };
const char *resource_change_name(enum resource_change change);
/* What applying would do, by what resource_look() found. A Namespace that somebody else made is
 * kept as it is. */
enum resource_change resource_compare(struct arena *a, const struct resource *r);
int resource_apply(struct session *s, const struct resource *r, struct error *err);
/* Gone already is fine. */
int resource_delete(struct session *s, const struct resource *r, struct error *err);
