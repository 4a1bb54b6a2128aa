/* manifest.h - what `windlass install` puts into a cluster.
 *
 * The text is dist/install.yaml, rendered from the charts and embedded when the program is built,
 * so that chart and program cannot drift. Here it is fitted to a namespace and an image.
 */
#pragma once
#include "ops/resource.h"

#define MANIFEST_NAMESPACE "slinky"        /* of the text as it stands */
#define MANIFEST_OPERATOR "slurm-operator" /* names of the Deployments */
#define MANIFEST_WEBHOOK "slurm-operator-webhook"

extern const char manifest_text[];
extern const size_t manifest_text_len;

struct manifest_options {
    const char *namespace;
    const char *image; /* NULL: the one that belongs to this version */
};

/* In the order in which they are to be made. */
int manifest_read(struct arena *a, const struct manifest_options *options, struct resources *ret,
                  struct error *err);
