/* ready.h - whether what was installed has come up, and what it waits for.
 *
 * Pure functions of objects as the server has them. What cannot be told is not ready.
 */
#pragma once
#include "json/json.h"

/* What the object still lacks, in the arena; NULL when it is as it should be. CRDs have to be
 * established, Deployments available at their newest, webhooks need their authority. Kinds that
 * have nothing to come up are ready once they are there. live NULL: "is not there". */
const char *ready_lacks(struct arena *a, const struct json *live);
/* Why a pod does not come up, NULL when nothing seems wrong with it. */
const char *ready_pod_trouble(struct arena *a, const struct json *pod);
