/* nodeset_lot.c - many calls to the API server, a lot at a time. */
#include "slinky/nodeset_lot.h"

#include <errno.h>
#include <string.h>

#include "slinky/nodeset_parts.h"

/* What a namespace or a NodeSet on its way out refuses is nobody's mistake. */
static bool is_fine(const struct lot *lot, const struct call *call, const struct outcome *outcome)
{
    int code = outcome->code;

    if (call->verb != VERB_CREATE)
        return code == 0 || code == -ENOENT || code == -ESTALE;
    return code == 0 || code == -EEXIST || lot->p->cr->meta.deletion_timestamp ||
           (code == -EACCES && strstr(error_text(&outcome->err), "it is being terminated"));
}

static void settle(struct lot *lot, const struct call *call, const struct outcome *outcome)
{
    const struct k8s_meta *meta = call->object;

    if (is_fine(lot, call, outcome)) {
        lot->done += outcome->code == 0;
    } else if (lot->rc == 0) {
        lot->rc = outcome->code;
        lot->p->r->err = outcome->err;
        wrap(&lot->p->r->err, "%s %s %s", lot->verb, call->kind->kind,
             call->name
                 ?: meta ? meta->name
                         : "");
    }
}

static void send(struct lot *lot)
{
    struct reconcile *r = lot->p->r;
    struct arena *outer = r->arena;
    struct outcome *outcomes = arena_make_n(lot->arena, struct outcome, lot->n + 1);

    if (lot->n) {
        r->arena = lot->arena; /* the answers go with the lot */
        reconcile_batch(r, lot->calls, lot->n, outcomes);
        r->arena = outer;
    }
    for (size_t i = 0; i < lot->n; i++)
        settle(lot, &lot->calls[i], &outcomes[i]);
    lot->n = 0;
    arena_reset(lot->arena);
}

struct lot *lot_new(struct nodeset_pass *p, const char *verb)
{
    struct lot *lot = arena_make(p->r->arena, struct lot);

    lot->p = p;
    lot->arena = arena_new();
    lot->verb = verb;
    return lot;
}

void lot_add(struct lot *lot, struct call call)
{
    lot->calls[lot->n++] = call;
    if (lot->n == LOT)
        send(lot);
}

int lot_done(struct lot *lot)
{
    send(lot);
    arena_free(take(lot->arena));
    return lot->rc;
}
