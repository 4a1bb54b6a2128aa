/* merge.h - putting one JSON value on top of another, and asking whether it already is.
 *
 * json_merge_patch() is RFC 7386. json_merge_strategic() is what Kubernetes does with pod specs:
 * lists of objects merge by key ("name", "containerPort" + "protocol", "mountPath", ...), decided
 * by the list's own field name from the table in list_key.c; lists of scalars and unknown lists are
 * replaced. null removes a member; `$patch: delete|replace`, `$retainKeys` and
 * `$deleteFromPrimitiveList/...` are honoured, `$setElementOrder/...` is left out. In a merged list
 * the patch's elements keep the patch's order and the others stay where they were, new elements
 * first.
 */
#pragma once
#include "json/json.h"

/* Results live in a; inputs are not changed and may be shared by the result. */
struct json *json_merge_patch(struct arena *a, const struct json *base, const struct json *patch);
struct json *json_merge_strategic(struct arena *a, const struct json *base,
                                  const struct json *patch);

/* True when have already says all that want says, so that applying want would change nothing.
 *
 * Members of have that want does not mention are the server's defaults and do not count; elements
 * of a list that want does not mention do, except where others add their own (finalizers, owners,
 * conditions). Lists with keys match by key in any order. Quantities (below limits, requests,
 * capacity,
 * ..., and sizes) compare by value: "1000m" is 1. What the server leaves out because it is empty is
 * not missed: null, [], "" and the false, 0 and {} of fields that have no other meaning for absent.
 * *ret_path (may be NULL) names the first difference. */
bool json_covers(struct arena *a, const struct json *have, const struct json *want,
                 const char **ret_path);
