/* reason.h - who drained a node, told by the reason, and what one of us may do about it.
 *
 * Slurm keeps one line of text beside a drained node. Programs sign theirs with a prefix or a
 * marker; what carries no signature was written by Slurm itself or by a person, and nobody else may
 * lift it. The signatures are in one table:
 *
 *     slinky     "slurm-operator: "                          at the start
 *     soperator  "[compute_maintenance]", "[node_problem]", "[user_problem]", "[hardware_problem]"
 *                anywhere, "soperator rolling update" at the start
 *     windlass   "windlass: "                                at the start
 *     slurm      what slurmctld and slurmd write ("Not responding", "Kill task failed", ...)
 *     person     everything else
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "slurm/nodestate.h"

enum {
    REASON_MAX = 256, /* characters that we write; more is cut */
};

enum drain_owner {
    DRAIN_BY_NOBODY, /* no reason at all */
    DRAIN_BY_SLINKY,
    DRAIN_BY_SOPERATOR,
    DRAIN_BY_WINDLASS,
    DRAIN_BY_SLURM,
    DRAIN_BY_PERSON,
};

enum drain_owner reason_owner(const char *reason);
/* The signature that was found, for telling one kind of Soperator drain from another; "" for none.
 */
const char *reason_marker(const char *reason);
const char *drain_owner_name(enum drain_owner owner);

/* Whether `me` may set or lift a drain beside this reason: nobody's, or its own. */
bool reason_is_mine(enum drain_owner me, const char *reason);

/* The text fit for a reason: tabs and line ends become blanks, other control characters go, blanks
 * at both ends go, and it is cut to REASON_MAX characters (not bytes). "unknown" when nothing is
 * left. */
char *reason_clean(struct arena *a, const char *text);
/* The cleaned text with the owner's signature in front of it; Soperator's texts carry theirs
 * already and stay as they are. */
char *reason_sign(struct arena *a, enum drain_owner owner, const char *text);

/* What to tell Slurm. With .call false there is nothing to tell: it says so already. */
struct drain_plan {
    bool call;
    const char *reason; /* to send; "" clears */
};

/* Drain a node in this state beside this reason. Without `override` a reason that stands already is
 * kept, so that who came first stays visible. */
struct drain_plan reason_plan_drain(struct arena *a, enum drain_owner me, struct node_state state,
                                    const char *reason, const char *text, bool override);
/* Lift a drain: only where one stands, is not being lifted already, and is ours or nobody's. A NULL
 * or empty text clears the reason. A state that is not known is left alone. */
struct drain_plan reason_plan_undrain(struct arena *a, enum drain_owner me, struct node_state state,
                                      const char *reason, const char *text);
