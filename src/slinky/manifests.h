/* manifests.h - resources read from files, as if they were in a cluster.
 *
 * YAML or JSON, several documents in a file, Lists taken apart. Objects of kinds that we do not
 * know are left out, unless they claim to be of our own group. Defaults of the schema are applied,
 * and what admission would say is said, with file, document and field.
 */
#pragma once
#include "base/error.h"
#include "slinky/front.h"

struct manifest {
    const struct kind *kind;
    void *object;
    const char *where; /* "slurm.yaml, document 2 (NodeSet hpc/gpu)" */
};

struct manifests {
    struct arena *arena;
    const char *namespace; /* of objects that name none */
    /* Hears what is no reason to stop; may be NULL. */
    void (*on_note)(void *userdata, const char *text);
    void *userdata;

    struct manifest *v; /* sorted once manifests_ready() was called */
    size_t n, room;
};

/* A file, the *.yaml, *.yml and *.json of a directory, or "-" for standard input. */
int manifests_read(struct manifests *m, const char *path, struct error *err);
int manifests_read_text(struct manifests *m, const char *name, const char *text, size_t len,
                        struct error *err);
/* Called when all is read: puts objects in order and placeholders where a resource refers to a
 * Secret that was not given, and notes what admission would say. -EEXIST: an object is there twice;
 * -EINVAL: a resource would be refused. */
int manifests_ready(struct manifests *m, struct error *err);

/* The text of a placeholder. */
#define MANIFEST_PLACEHOLDER "NOT-GIVEN"

/* Looks references up among the manifests. Borrows m. */
struct slinky_world manifests_world(struct manifests *m);
/* NULL when there is none. */
const void *manifests_get(const struct manifests *m, const struct kind *kind, const char *namespace,
                          const char *name);
