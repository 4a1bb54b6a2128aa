/* merge.h - putting one JSON value on top of another, and asking whether it already is.
 *
 * json_merge_patch() is RFC 7386. json_merge_strategic() is what Kubernetes does with pod specs: lists of
 * objects merge by key ("name", "containerPort"+"protocol", "mountPath", ...), decided by the
 * list's own field name from a table in merge.c; lists of scalars and unknown lists are replaced; `$patch:
 * delete|replace` and null are honoured. json_covers() asks whether `have` already says all that
 * `want` says: extra members in `have` are the server's defaults and do not count.
 */
#pragma once
#include "json/json.h"

/* Results live in a; inputs are not changed and may be shared by the result. */
struct json *json_merge_patch(struct arena *a, const struct json *base, const struct json *patch);
struct json *json_merge_strategic(struct arena *a, const struct json *base,
                                  const struct json *patch);

/* True when applying want to have would change nothing. Quantities below limits, requests, capacity
 * and storage compare by value ("1000m" = "1"). *ret_path (may be NULL) names the first difference. */
bool json_covers(struct arena *a, const struct json *have, const struct json *want,
                 const char **ret_path);
