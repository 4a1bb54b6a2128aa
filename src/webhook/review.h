/* review.h - admission reviews: the question of an API server, and our answer.
 *
 * A review is read in one walk, its objects straight into the structs of their kind: what the
 * kind's table does not name (managed fields, who asked) is stepped over. admission.k8s.io/v1 and
 * v1beta1 are the same on the wire; the answer comes in the version of the question.
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "json/table.h"

struct review {
    const char *api_version; /* admission.k8s.io/v1 or v1beta1 */
    const char *uid;
    const char *operation; /* CREATE, UPDATE, DELETE, CONNECT */
    const char *namespace, *name;
    bool dry_run;
    const void *object, *old_object; /* structs of the type asked for, or NULL */
    /* Why the object could not be read (it then has its metadata at most), NULL when it could. */
    const char *bad_object;
    const char *bad_old_object;
};

/* What a review of one type of objects looks like; filled once, then shared by all threads. */
struct review_shape {
    const struct type *object;
    struct field request_fields[8];
    struct type request;
    struct field fields[4];
    struct type type;
};

void review_shape_init(struct review_shape *shape, const struct type *object);

/* -EBADMSG: not JSON, not a review, or without what a review must have. An object that does not fit
 * its type is no failure of the review. */
int review_read(struct arena *a, const struct review_shape *shape, const char *text, size_t len,
                struct review *ret, struct error *err);

struct verdict {
    bool allowed;
    int code;            /* 0: 200 when allowed, 403 otherwise */
    const char *reason;  /* "Forbidden"; NULL: none */
    const char *message; /* why not; NULL: none */
    struct strs warnings;
};

void review_write(struct buf *out, const struct review *review, const struct verdict *verdict);
