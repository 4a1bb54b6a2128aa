/* nodeconf.h - what a dynamic node says about itself: slurmd -Z --conf "Features=gpu Weight=10".
 *
 * Users add Key=Value items with blanks between them. Keys are told apart without regard to case
 * and written with a capital first letter; values of a repeated key add up. The features of a node
 * are its node set's name and whatever the user's Feature and Features items name, sorted, each
 * once. An item without '=' voids the user's text as a whole, so that half of it is never applied.
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "json/table.h"

/* "Features=a,gpu Topology=... Weight=10": the items sorted, one blank between them. The topology
 * stands unless the user names one; NULL: none. */
char *nodeconf_text(struct arena *a, const char *nodeset, const char *extra, const char *topology);
struct strs nodeconf_features(struct arena *a, const char *nodeset, const char *extra);
/* Whether every item of the text is Key=Value. */
bool nodeconf_is_valid(const char *extra);
