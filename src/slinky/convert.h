/* convert.h - resources of slinky.slurm.net from v1alpha1 to v1beta1 and back, without loss.
 *
 * What the wanted version cannot say is kept in an annotation of the converted object, together
 * with what stands in its place, and comes back when the object is converted again: unless someone
 * has changed that place in the meantime, who then has the last word. Objects stay JSON values, so
 * that fields unknown to us survive. A conversion never fails for what is in the spec: an object
 * that cannot be converted could not even be deleted.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "json/json.h"

#define CONVERT_GROUP "slinky.slurm.net"
/* What the other version said, on objects of this one. */
#define CONVERT_KEPT_V1ALPHA1 "convert.slinky.slurm.net/v1alpha1"
#define CONVERT_KEPT_V1BETA1 "convert.slinky.slurm.net/v1beta1"

/* to: "slinky.slurm.net/v1beta1" or "slinky.slurm.net/v1alpha1". The result lives in the arena and
 * shares parts of the object. -EINVAL: an object that is none of ours, or a version that there is
 * not. */
int convert_object(struct arena *a, const struct json *object, const char *to, struct json **ret,
                   struct error *err);
/* Whether the object is one of the six kinds in one of the two versions. */
bool convert_knows(const struct json *object);
