/* parts.c - putting labels and annotations together. */
#include "model/parts.h"

struct pairs pairs_over(struct arena *a, struct pairs base, struct pairs over)
{
    struct pairs all = base;

    for_each (pair, over)
        all = pairs_with(a, all, pair->key, pair->value);
    return all;
}
