/* jobstate.c - job states: the words of Slurm in one table, and the questions about them. */
#include "slurm/jobstate.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/scope.h"

struct word {
    const char *text, *brief; /* as REST says it; as squeue does */
    int base;                 /* enum job_base, or -1 */
    uint32_t flags;
};

static const struct word words[] = {
    { "PENDING", "PD", JOB_PENDING, 0 },
    { "RUNNING", "R", JOB_RUNNING, 0 },
    { "SUSPENDED", "S", JOB_SUSPENDED, 0 },
    { "COMPLETED", "CD", JOB_COMPLETED, 0 },
    { "CANCELLED", "CA", JOB_CANCELLED, 0 },
    { "FAILED", "F", JOB_FAILED, 0 },
    { "TIMEOUT", "TO", JOB_TIMEOUT, 0 },
    { "NODE_FAIL", "NF", JOB_NODE_FAIL, 0 },
    { "PREEMPTED", "PR", JOB_PREEMPTED, 0 },
    { "BOOT_FAIL", "BF", JOB_BOOT_FAIL, 0 },
    { "DEADLINE", "DL", JOB_DEADLINE, 0 },
    { "OUT_OF_MEMORY", "OOM", JOB_OUT_OF_MEMORY, 0 },
    { "LAUNCH_FAILED", "LF", -1, JOB_LAUNCH_FAILED },
    { "REQUEUED", "RQ", -1, JOB_REQUEUED },
    { "REQUEUE_HOLD", "RH", -1, JOB_REQUEUE_HOLD },
    { "SPECIAL_EXIT", "SE", -1, JOB_SPECIAL_EXIT },
    { "RESIZING", "RS", -1, JOB_RESIZING },
    { "CONFIGURING", "CF", -1, JOB_CONFIGURING },
    { "COMPLETING", "CG", -1, JOB_COMPLETING },
    { "STOPPED", "ST", -1, JOB_STOPPED },
    { "RECONFIG_FAIL", "", -1, JOB_RECONFIG_FAIL },
    { "POWER_UP_NODE", "PU", -1, JOB_POWER_UP_NODE },
    { "REVOKED", "RV", -1, JOB_REVOKED },
    { "REQUEUE_FED", "RF", -1, JOB_REQUEUE_FED },
    { "RESV_DEL_HOLD", "RD", -1, JOB_RESV_DEL_HOLD },
    { "SIGNALING", "SI", -1, JOB_SIGNALING },
    { "STAGE_OUT", "SO", -1, JOB_STAGE_OUT },
    { "EXPEDITING", "EX", -1, JOB_EXPEDITING },
};

static bool word_is(const char *word, const char *text, size_t len)
{
    return strncasecmp(word, text, len) == 0 && !word[len];
}

void job_state_add(struct job_state *state, const char *text, size_t len)
{
    for (const struct word *word = words; word < words + ARRAY_SIZE(words); word++) {
        if (!word_is(word->text, text, len) && !word_is(word->brief, text, len))
            continue;
        if (word->base >= 0) {
            state->base = (uint8_t)word->base;
            state->known = true;
        }
        state->flags |= word->flags;
        return;
    }
    state->flags |= JOB_STRANGE_WORD;
}

struct job_state job_state_of_words(struct strs list)
{
    struct job_state state = { 0 };

    for (size_t i = 0; i < list.n; i++)
        job_state_add(&state, list.v[i], strlen(list.v[i]));
    return state;
}

struct job_state job_state_of_text(const char *text)
{
    struct job_state state = { 0 };

    while (text && *text && *text != ' ') { /* behind a blank, sacct tells who cancelled it */
        size_t len = strcspn(text, "+, ");

        if (len > 0)
            job_state_add(&state, text, len);
        text += len;
        text += strspn(text, "+,");
    }
    return state;
}

const char *job_base_name(enum job_base base)
{
    return words[base].text; /* the table begins with the base states, in their order */
}

char *job_state_text(struct arena *a, struct job_state state)
{
    scoped(buf) struct buf out = { 0 };

    buf_str(&out, state.known ? job_base_name(state.base) : "UNKNOWN");
    for (const struct word *word = words; word < words + ARRAY_SIZE(words); word++)
        if (word->base < 0 && (state.flags & word->flags))
            buf_fmt(&out, "+%s", word->text);
    if (state.flags & JOB_STRANGE_WORD)
        buf_str(&out, "+?");
    return arena_str(a, buf_text(&out));
}

#define BASE(b) (1u << (b))
#define FINAL_BASES                                                                                \
    (BASE(JOB_COMPLETED) | BASE(JOB_CANCELLED) | BASE(JOB_FAILED) | BASE(JOB_TIMEOUT) |            \
     BASE(JOB_NODE_FAIL) | BASE(JOB_PREEMPTED) | BASE(JOB_BOOT_FAIL) | BASE(JOB_DEADLINE) |        \
     BASE(JOB_OUT_OF_MEMORY))
#define HOLDING_FLAGS                                                                              \
    (JOB_COMPLETING | JOB_CONFIGURING | JOB_STOPPED | JOB_RESIZING | JOB_STAGE_OUT)
#define COMES_BACK (JOB_REQUEUED | JOB_REQUEUE_HOLD | JOB_SPECIAL_EXIT | JOB_REQUEUE_FED)

/* The base is among these, and none of these flags is set, of which a strange word may be one. */
static enum answer base_without(struct job_state state, uint32_t bases, uint32_t none)
{
    if (!state.known)
        return ANSWER_UNKNOWN;
    if (!(bases & BASE(state.base)) || (state.flags & none))
        return ANSWER_NO;
    return none && (state.flags & JOB_STRANGE_WORD) ? ANSWER_UNKNOWN : ANSWER_YES;
}

enum answer job_is_pending(struct job_state state)
{
    return base_without(state, BASE(JOB_PENDING), 0);
}

enum answer job_is_running(struct job_state state)
{
    return base_without(state, BASE(JOB_RUNNING), 0);
}

enum answer job_is_holding(struct job_state state)
{
    if (!state.known)
        return ANSWER_UNKNOWN;
    if (state.base == JOB_RUNNING || state.base == JOB_SUSPENDED || (state.flags & HOLDING_FLAGS))
        return ANSWER_YES;
    return state.flags & JOB_STRANGE_WORD ? ANSWER_UNKNOWN : ANSWER_NO;
}

enum answer job_is_ended(struct job_state state)
{
    return base_without(state, FINAL_BASES, HOLDING_FLAGS | COMES_BACK);
}

enum answer job_is_good(struct job_state state)
{
    return base_without(state, BASE(JOB_COMPLETED), HOLDING_FLAGS | COMES_BACK);
}

enum answer job_is_failed(struct job_state state)
{
    return base_without(state, FINAL_BASES & ~BASE(JOB_COMPLETED), HOLDING_FLAGS | COMES_BACK);
}
