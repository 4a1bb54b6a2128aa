/* claims.h - who owns a worker's volume claims, and so with whom they go.
 *
 *                      scaled: Retain    scaled: Delete
 *     deleted: Retain  nobody            the pod, if it leaves for good
 *     deleted: Delete  the set           the pod, if it leaves for good, else the set
 *
 * A worker leaves for good when it is one too many. A worker that is replaced, or whose node is
 * cordoned, keeps its data.
 */
#pragma once
#include "workers/plan.h"

struct claim_policy {
    bool delete_with_set;
    bool delete_when_scaled;
};

enum claim_owner { CLAIM_NOBODYS, CLAIM_SETS, CLAIM_PODS };

enum claim_owner claim_owner_of(struct claim_policy policy, enum leaving leaving);
