/* claims.c - who owns a worker's volume claims. */
#include "workers/claims.h"

enum claim_owner claim_owner_of(struct claim_policy policy, enum leaving leaving)
{
    bool for_good = leaving == LEAVES_SCALE || leaving == LEAVES_MODE || leaving == LEAVES_NODE;

    if (for_good && policy.delete_when_scaled)
        return CLAIM_PODS;
    return policy.delete_with_set ? CLAIM_SETS : CLAIM_NOBODYS;
}
