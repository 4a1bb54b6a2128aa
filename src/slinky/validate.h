/* validate.h - which custom resources of slinky.slurm.net are let in.
 *
 * Pure functions: an object, what it replaces and what is known of the objects that it names, in;
 * problems out. They say again what the CRDs say as CEL, so that files can be checked without an
 * API server, and add what takes a look at other objects or at the name. Unless the spec is new or
 * changed nothing is refused, and nothing of an object that is being deleted: a rule must never
 * keep someone from removing a finalizer.
 */
#pragma once
#include "base/clock.h"
#include "slinky/problems.h"
#include "json/kind.h"

enum known {
    KNOWN_NOTHING, /* could not be found out: warned of, never held against the object */
    KNOWN_ABSENT,
    KNOWN_THERE,
};

/* What is known of other objects. A NULL function knows nothing. The results are borrowed and live
 * as long as the problems' arena. */
struct surroundings {
    usec now; /* on the wall; 0 leaves out what depends on it */
    /* The names of the files in a ConfigMap's data. */
    enum known (*files_of)(void *userdata, const char *namespace, const char *config_map,
                           struct strs *ret_files);
    /* The access modes of a PersistentVolumeClaim. */
    enum known (*access_modes_of)(void *userdata, const char *namespace, const char *claim,
                                  struct strs *ret_modes);
    void *userdata;
};

/* Judges an object of one of the six kinds; old is NULL when it is created. false when the kind is
 * none of ours. */
bool validate_object(struct problems *p, const struct kind *kind, const void *old,
                     const void *object, const struct surroundings *around);
/* What the API server checks by the schema (required fields, patterns, bounds), for files. */
void validate_schema(struct problems *p, const struct kind *kind, const void *object);
