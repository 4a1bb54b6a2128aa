/* lint_values.h - the parts of lint: values, and what lines say together. */
#pragma once
#include "base/arena.h"
#include "slurm/conf_keys.h"
#include "slurm/conf_read.h"
#include "json/json.h"

/* NULL for a value that fits its key; otherwise what would: "a whole number up to 65535". */
const char *lint_value(struct arena *a, const struct conf_key *key, const char *value);
/* Whether the value of a key must not be printed. */
bool lint_is_secret(const char *key);

/* What the lines of slurm.conf say together: nodes named twice, partitions of nobody, ... What must
 * be there somewhere is missed only in the whole of it, not in a part. */
void lint_cluster(struct arena *a, struct conf_doc *doc, bool whole);
/* topology.yaml, parsed. */
void lint_topology(struct arena *a, struct conf_doc *doc, const char *name,
                   const struct json *value);
