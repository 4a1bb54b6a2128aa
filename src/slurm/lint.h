/* lint.h - what a Slurm daemon would stumble over, said before it does.
 *
 *     slurm.conf:17: SchedulerTyp is not a key of slurm.conf; did you mean SchedulerType?
 *
 * Errors are what Slurm refuses; it would not start, or not reconfigure. Warnings are what it
 * ignores or has forgotten. Includes are followed. plugstack.conf, topology.yaml and prolog or
 * epilog scripts have checks of their own.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "slurm/conf_keys.h"
#include "slurm/conf_read.h"

/* Checks what was read against the keys of its kind, adding to the document's problems. */
void lint_doc(struct arena *a, struct conf_doc *doc, const struct conf_kind *kind,
              const char *name);

/* Reads and checks a text; the name decides what it is. A name that is none of Slurm's gives one
 * problem that says so. */
struct conf_doc *lint_text(struct arena *a, const char *name, const char *text, size_t len,
                           const struct conf_opener *opener);
/* The same for a file, with the files that it includes. */
int lint_file(struct arena *a, const char *path, struct conf_doc **ret, struct error *err);
