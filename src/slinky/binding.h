/* binding.h - a worker learns its node's topology before it starts.
 *
 * When a pod is bound, the topology annotation of the node is copied onto it, if the pod is a
 * worker and says something else. The Binding itself is never changed and always allowed: what
 * could not be done here the operator does later, and nobody's scheduling waits for us. Nodes and
 * workers are watched, by their metadata alone; what these watches have not told of yet is read.
 */
#pragma once
#include "webhook/webhook.h"

/* For the table of hooks; context is a struct admission. */
void binding_judge(struct arena *a, const struct review *review, struct verdict *ret,
                   void *context);
/* Whether the watches say that there is nothing to do. */
bool binding_quick(struct arena *a, const struct review *review, struct verdict *ret,
                   void *context);
/* The merge patch that brings the annotation; NULL when the pod has it. uid guards against a pod of
 * the same name. */
char *binding_patch(struct arena *a, struct pairs annotations, const char *uid,
                    const char *topology);
