/* nodestate.c - node states: the words of Slurm in one table, the questions about them in another.
 */
#include "slurm/nodestate.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/scope.h"

struct word {
    const char *text;
    int base; /* enum node_base, or -1 */
    uint32_t flags;
};

/* The full words first: writing takes the first that fits. Short ones are those of sinfo. Words
 * that stand for several states (sinfo's "drained": idle or down) are left out on purpose. */
static const struct word words[] = {
    { "UNKNOWN", NODE_UNKNOWN, 0 },
    { "DOWN", NODE_DOWN, 0 },
    { "IDLE", NODE_IDLE, 0 },
    { "ALLOCATED", NODE_ALLOCATED, 0 },
    { "ERROR", NODE_ERROR, 0 },
    { "MIXED", NODE_MIXED, 0 },
    { "FUTURE", NODE_FUTURE, 0 },
    { "RESERVED", -1, NODE_RESERVED },
    { "UNDRAIN", -1, NODE_UNDRAIN },
    { "CLOUD", -1, NODE_CLOUD },
    { "RESUME", -1, NODE_RESUME },
    { "DRAIN", -1, NODE_DRAIN },
    { "COMPLETING", -1, NODE_COMPLETING },
    { "NOT_RESPONDING", -1, NODE_NOT_RESPONDING },
    { "POWERED_DOWN", -1, NODE_POWERED_DOWN },
    { "FAIL", -1, NODE_FAIL },
    { "POWERING_UP", -1, NODE_POWERING_UP },
    { "MAINTENANCE", -1, NODE_MAINTENANCE },
    { "REBOOT_REQUESTED", -1, NODE_REBOOT_REQUESTED },
    { "REBOOT_CANCELED", -1, NODE_REBOOT_CANCELED },
    { "POWERING_DOWN", -1, NODE_POWERING_DOWN },
    { "DYNAMIC_FUTURE", -1, NODE_DYNAMIC_FUTURE },
    { "REBOOT_ISSUED", -1, NODE_REBOOT_ISSUED },
    { "PLANNED", -1, NODE_PLANNED },
    { "INVALID_REG", -1, NODE_INVALID_REG },
    { "POWER_DOWN", -1, NODE_POWER_DOWN },
    { "POWER_UP", -1, NODE_POWER_UP },
    { "POWER_DRAIN", -1, NODE_POWER_DRAIN },
    { "DYNAMIC_NORM", -1, NODE_DYNAMIC_NORM },
    { "BLOCKED", -1, NODE_BLOCKED },
    { "EXTERNAL", -1, NODE_EXTERNAL },
    { "UNK", NODE_UNKNOWN, 0 },
    { "ALLOC", NODE_ALLOCATED, 0 },
    { "MIX", NODE_MIXED, 0 },
    { "FUTR", NODE_FUTURE, 0 },
    { "ERR", NODE_ERROR, 0 },
    { "RESV", -1, NODE_RESERVED },
    { "COMP", -1, NODE_COMPLETING },
    { "MAINT", -1, NODE_MAINTENANCE },
    { "PLND", -1, NODE_PLANNED },
    { "REBOOT", -1, NODE_REBOOT_REQUESTED },
};

/* Marks behind a state, as sinfo prints them. '$' means a reservation with maintenance. */
static const struct {
    char mark;
    uint32_t flags;
} marks[] = {
    { '*', NODE_NOT_RESPONDING },   { '~', NODE_POWERED_DOWN },  { '#', NODE_POWERING_UP },
    { '!', NODE_POWER_DOWN },       { '%', NODE_POWERING_DOWN }, { '$', NODE_MAINTENANCE },
    { '@', NODE_REBOOT_REQUESTED }, { '^', NODE_REBOOT_ISSUED }, { '-', NODE_PLANNED },
};

#define BASE(b) (1u << (b))
#define ANY_BASE UINT32_MAX

/* A question is yes when one of these holds: the base is among `bases`, or `bases` is ANY_BASE; all
 * of `all` and none of `none` are set; at least one of `any` is set, unless `any` is 0. */
struct clause {
    uint32_t bases;
    uint32_t all, any, none;
};

enum { CLAUSES_MAX = 3 };

struct question {
    struct clause clauses[CLAUSES_MAX]; /* the rest have .bases 0 */
};

#define BUSY_BASES (BASE(NODE_ALLOCATED) | BASE(NODE_MIXED))
#define QUIET_BASES (BASE(NODE_IDLE) | BASE(NODE_DOWN) | BASE(NODE_ERROR) | BASE(NODE_FUTURE))
#define POWER_STEPS                                                                                \
    (NODE_POWERED_DOWN | NODE_POWERING_DOWN | NODE_POWER_DOWN | NODE_POWERING_UP | NODE_POWER_DRAIN)
#define OUT_OF_SERVICE                                                                             \
    (NODE_DRAIN | NODE_FAIL | NODE_COMPLETING | NODE_NOT_RESPONDING | NODE_REBOOT_ISSUED |         \
     NODE_REBOOT_REQUESTED | NODE_INVALID_REG | NODE_MAINTENANCE | NODE_BLOCKED | POWER_STEPS)

static const struct question busy = {
    { { BUSY_BASES, 0, 0, 0 }, { ANY_BASE, NODE_COMPLETING, 0, 0 } },
};
static const struct question idle = { { { BASE(NODE_IDLE), 0, 0, OUT_OF_SERVICE } } };
static const struct question drain = { { { ANY_BASE, NODE_DRAIN, 0, NODE_UNDRAIN } } };
static const struct question draining = {
    { { BUSY_BASES, NODE_DRAIN, 0, NODE_UNDRAIN },
      { ANY_BASE, NODE_DRAIN | NODE_COMPLETING, 0, NODE_UNDRAIN } },
};
static const struct question drained = {
    { { QUIET_BASES, NODE_DRAIN, 0, NODE_UNDRAIN | NODE_COMPLETING } },
};
static const struct question down = {
    { { BASE(NODE_DOWN) | BASE(NODE_ERROR), 0, 0, 0 }, { ANY_BASE, NODE_FAIL, 0, 0 } },
};
static const struct question gone = { { { BASE(NODE_DOWN), NODE_NOT_RESPONDING, 0, 0 } } };
static const struct question responding = {
    { { ANY_BASE & ~BASE(NODE_FUTURE), 0, 0,
        NODE_NOT_RESPONDING | NODE_POWERED_DOWN | NODE_POWERING_DOWN | NODE_POWERING_UP } },
};
static const struct question powered = {
    { { ANY_BASE, 0, 0, NODE_POWERED_DOWN | NODE_POWERING_DOWN } },
};
static const struct question rebooting = {
    { { ANY_BASE, 0, NODE_REBOOT_ISSUED | NODE_REBOOT_REQUESTED, 0 } },
};
static const struct question reserved = {
    { { ANY_BASE, 0, NODE_RESERVED | NODE_MAINTENANCE, 0 } },
};
static const struct question dynamic = {
    { { ANY_BASE, 0, NODE_DYNAMIC_NORM | NODE_DYNAMIC_FUTURE, 0 } },
};
static const struct question invalid = { { { ANY_BASE, NODE_INVALID_REG, 0, 0 } } };

/* A clause is sure as soon as one of its parts is: a strange word may still be any flag that is not
 * set, so it makes "none of" unsure, and turns a "no" for want of a flag into "unknown". */
static enum answer clause_holds(const struct clause *clause, struct node_state state)
{
    bool strange = state.flags & NODE_STRANGE_WORD;
    bool base_known = state.known && state.base != NODE_UNKNOWN;
    enum answer base = clause->bases == ANY_BASE ? ANSWER_YES
                       : base_known              ? answer_of(clause->bases & BASE(state.base))
                                                 : ANSWER_UNKNOWN;
    bool has_all = (state.flags & clause->all) == clause->all;
    bool has_any = !clause->any || (state.flags & clause->any);
    bool has_none = !(state.flags & clause->none);
    enum answer flags = has_all && has_any ? ANSWER_YES : strange ? ANSWER_UNKNOWN : ANSWER_NO;
    enum answer none = !has_none                 ? ANSWER_NO
                       : strange && clause->none ? ANSWER_UNKNOWN
                                                 : ANSWER_YES;

    return answer_and(base, answer_and(flags, none));
}

static enum answer ask(const struct question *question, struct node_state state)
{
    enum answer answer = ANSWER_NO;

    if (!state.known)
        return ANSWER_UNKNOWN;
    for (const struct clause *c = question->clauses; c < question->clauses + CLAUSES_MAX; c++)
        if (c->bases)
            answer = answer_or(answer, clause_holds(c, state));
    return answer;
}

void node_state_add(struct node_state *state, const char *text, size_t len)
{
    for (const struct word *word = words; word < words + ARRAY_SIZE(words); word++) {
        if (strncasecmp(word->text, text, len) != 0 || word->text[len])
            continue;
        if (word->base >= 0) {
            state->base = (uint8_t)word->base;
            state->known = true;
        }
        state->flags |= word->flags;
        return;
    }
    state->flags |= NODE_STRANGE_WORD;
}

struct node_state node_state_of_words(struct strs list)
{
    struct node_state state = { 0 };

    for (size_t i = 0; i < list.n; i++)
        node_state_add(&state, list.v[i], strlen(list.v[i]));
    return state;
}

/* Takes marks off the end of a word and adds what they mean; returns the length left. */
static size_t take_marks(struct node_state *state, const char *text, size_t len)
{
    for (size_t i = 0; i < ARRAY_SIZE(marks) && len > 0; i++) {
        if (text[len - 1] == marks[i].mark) {
            state->flags |= marks[i].flags;
            len--;
            i = (size_t)-1; /* from the first again: there may be another in front of it */
        }
    }
    return len;
}

struct node_state node_state_of_text(const char *text)
{
    struct node_state state = { 0 };

    while (text && *text) {
        size_t len = strcspn(text, "+, ");

        if (len > 0)
            node_state_add(&state, text, take_marks(&state, text, len));
        text += len;
        text += strspn(text, "+, ");
    }
    return state;
}

const char *node_base_name(enum node_base base)
{
    for (const struct word *word = words; word < words + ARRAY_SIZE(words); word++)
        if (word->base == (int)base)
            return word->text;
    return "UNKNOWN";
}

const char *node_flag_name(uint32_t flag)
{
    for (const struct word *word = words; word < words + ARRAY_SIZE(words); word++)
        if (word->base < 0 && word->flags == flag)
            return word->text;
    return flag == NODE_STRANGE_WORD ? "?" : "";
}

char *node_state_text(struct arena *a, struct node_state state)
{
    scoped(buf) struct buf out = { 0 };

    buf_str(&out, node_base_name(state.known ? (enum node_base)state.base : NODE_UNKNOWN));
    for (uint32_t flag = 1; flag && flag <= NODE_STRANGE_WORD; flag <<= 1)
        if (state.flags & flag)
            buf_fmt(&out, "+%s", node_flag_name(flag));
    return arena_str(a, buf_text(&out));
}

#define QUESTION(name)                                                                             \
    enum answer node_is_##name(struct node_state state)                                            \
    {                                                                                              \
        return ask(&name, state);                                                                  \
    }
QUESTION(busy)
QUESTION(idle)
QUESTION(drain)
QUESTION(draining)
QUESTION(drained)
QUESTION(down)
QUESTION(gone)
QUESTION(responding)
QUESTION(powered)
QUESTION(rebooting)
QUESTION(reserved)
QUESTION(dynamic)
QUESTION(invalid)

bool node_is_unknown(struct node_state state)
{
    return !state.known || state.base == NODE_UNKNOWN;
}
