/* podstate.c - the state of a Slurm node as conditions of its worker's pod. */
#include "workers/podstate.h"

#include "base/str.h"

static const struct {
    enum node_base base;
    const char *name;
} bases[] = {
    { NODE_ALLOCATED, "Allocated" }, { NODE_DOWN, "Down" }, { NODE_ERROR, "Error" },
    { NODE_FUTURE, "Future" },       { NODE_IDLE, "Idle" }, { NODE_MIXED, "Mixed" },
    { NODE_UNKNOWN, "Unknown" },
};

static const struct {
    uint32_t flag;
    const char *name;
} flags[] = {
    { NODE_COMPLETING, "Completing" },
    { NODE_DRAIN, "Drain" },
    { NODE_FAIL, "Fail" },
    { NODE_INVALID_REG, "InvalidReg" },
    { NODE_MAINTENANCE, "Maintenance" },
    { NODE_NOT_RESPONDING, "NotResponding" },
    { NODE_UNDRAIN, "Undrain" },
};

static void add_sum(struct podstate_condition *ret, size_t *n, const char *type, enum answer answer,
                    const char *message)
{
    if (type && answer != ANSWER_UNKNOWN)
        ret[(*n)++] = (struct podstate_condition) { type, is_yes(answer), message };
}

size_t podstate_of(struct arena *a, const struct podstate_words *words,
                   const struct slurm_facts *slurm, struct podstate_condition *ret)
{
    const char *message = slurm->reason ?: "";
    size_t n = 0;

    if (!is_yes(slurm->registered) || !slurm->state.known)
        return 0;
    for (size_t i = 0; i < ARRAY_SIZE(bases); i++)
        if (slurm->state.base == bases[i].base)
            ret[n++] = (struct podstate_condition) { fmt(a, "%s%s", words->prefix, bases[i].name),
                                                     true, message };
    for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
        if (slurm->state.flags & flags[i].flag)
            ret[n++] = (struct podstate_condition) { fmt(a, "%s%s", words->prefix, flags[i].name),
                                                     true, message };
    add_sum(ret, &n, words->drained, node_is_drained(slurm->state), message);
    add_sum(ret, &n, words->busy, node_is_busy(slurm->state), message);
    return n;
}

bool podstate_is_ours(const struct podstate_words *words, const char *type)
{
    return str_starts(type, words->prefix) || str_eq(type, words->drained) ||
           str_eq(type, words->busy);
}

bool podstate_protects(const struct set_facts *set, const struct worker_facts *w)
{
    enum answer busy;

    if (!set->protects)
        return false;
    busy = is_no(w->slurm.registered) ? ANSWER_NO : node_is_busy(w->slurm.state);
    return busy == ANSWER_UNKNOWN ? w->protected : is_yes(busy);
}
