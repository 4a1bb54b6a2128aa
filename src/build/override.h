/* override.h - what users say about a container or a pod, put on top of what we say.
 *
 * It is Kubernetes' strategic merge with the corners filed off, so that saying one thing never
 * breaks another:
 *
 *     - null, "", {} and [] say nothing; false and 0 do;
 *     - args are added behind ours;
 *     - the handler of a probe or hook is merged into ours when it is of the same type and replaces
 *       it when it is of another, and stays when only the times of the probe change;
 *     - a volume or environment variable of the same name replaces ours whole;
 *     - a container of the same name is merged into ours, any other comes after them;
 *     - tolerations are added to ours.
 */
#pragma once
#include "json/json.h"

/* Either may be NULL. Results live in a and may share parts of both. */
const struct json *override_container(struct arena *a, const struct json *ours,
                                      const struct json *user);
const struct json *override_pod_spec(struct arena *a, const struct json *ours,
                                     const struct json *user);
