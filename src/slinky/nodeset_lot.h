/* nodeset_lot.h - many calls to the API server, a lot at a time; only for the files of the kind.
 *
 *     struct lot *lot = lot_new(p, "delete");
 *     lot_add(lot, (struct call){ ... });
 *     return lot_done(lot);
 *
 * A lot is sent when it is full. What its calls point to may live in lot->arena, which is emptied
 * then, so that a thousand workers take the memory of a few. A call that comes too late (the object
 * is there already, gone already, or another one by now) has not failed; the watch will tell.
 */
#pragma once
#include "kube/client.h"

enum { LOT = 128 };

struct nodeset_pass;

struct lot {
    struct arena *arena; /* of the calls that were not sent yet */
    size_t done;         /* calls that changed something */
    struct nodeset_pass *p;
    const char *verb; /* for the story */
    struct call calls[LOT];
    size_t n;
    int rc; /* of the first that failed */
};

struct lot *lot_new(struct nodeset_pass *p, const char *verb);
void lot_add(struct lot *lot, struct call call);
/* Sends the rest and returns the first failure, whose story is in r->err. The counts stay readable.
 */
int lot_done(struct lot *lot);
