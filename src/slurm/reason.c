/* reason.c - signatures in drain reasons. */
#include "slurm/reason.h"

#include <string.h>

#include "base/scope.h"
#include "base/str.h"

enum place { AT_START, ANYWHERE };

struct signature {
    enum drain_owner owner;
    enum place place;
    const char *text;
};

/* In the order of asking: a program's signature outweighs the words of Slurm behind it. */
static const struct signature signatures[] = {
    { DRAIN_BY_SLINKY, AT_START, "slurm-operator: " },
    { DRAIN_BY_WINDLASS, AT_START, "windlass: " },
    { DRAIN_BY_SOPERATOR, ANYWHERE, "[compute_maintenance] node replacement process" },
    { DRAIN_BY_SOPERATOR, ANYWHERE, "[compute_maintenance] node reboot process" },
    { DRAIN_BY_SOPERATOR, ANYWHERE, "[compute_maintenance]" },
    { DRAIN_BY_SOPERATOR, ANYWHERE, "[node_problem]" },
    { DRAIN_BY_SOPERATOR, ANYWHERE, "[user_problem]" },
    { DRAIN_BY_SOPERATOR, ANYWHERE, "[hardware_problem]" },
    { DRAIN_BY_SOPERATOR, AT_START, "soperator rolling update" },
    { DRAIN_BY_SLURM, ANYWHERE, "Kill task failed" },
    { DRAIN_BY_SLURM, ANYWHERE, "Not responding" },
    { DRAIN_BY_SLURM, AT_START, "Prolog error" },
    { DRAIN_BY_SLURM, AT_START, "Epilog error" },
    { DRAIN_BY_SLURM, AT_START, "Low RealMemory" },
    { DRAIN_BY_SLURM, AT_START, "Low CPUs" },
    { DRAIN_BY_SLURM, AT_START, "Low socket*core*thread count" },
    { DRAIN_BY_SLURM, AT_START, "Low TmpDisk" },
    { DRAIN_BY_SLURM, ANYWHERE, "count reported lower than configured" },
    { DRAIN_BY_SLURM, AT_START, "Node unexpectedly rebooted" },
    { DRAIN_BY_SLURM, AT_START, "Duplicate jobid" },
    { DRAIN_BY_SLURM, AT_START, "batch job complete failure" },
    { DRAIN_BY_SLURM, AT_START, "ResumeTimeout reached" },
    { DRAIN_BY_SLURM, AT_START, "reboot timed out" },
    { DRAIN_BY_SLURM, AT_START, "Reboot ASAP" },
};

static const struct signature *find(const char *reason)
{
    for (const struct signature *s = signatures; s < signatures + ARRAY_SIZE(signatures); s++)
        if (s->place == AT_START ? str_starts(reason, s->text) : strstr(reason, s->text) != NULL)
            return s;
    return NULL;
}

enum drain_owner reason_owner(const char *reason)
{
    const struct signature *found;

    if (str_empty(reason))
        return DRAIN_BY_NOBODY;
    found = find(reason);
    return found ? found->owner : DRAIN_BY_PERSON;
}

const char *reason_marker(const char *reason)
{
    const struct signature *found = str_empty(reason) ? NULL : find(reason);

    return found ? found->text : "";
}

const char *drain_owner_name(enum drain_owner owner)
{
    static const char *const names[] = { "nobody",   "slinky", "soperator",
                                         "windlass", "slurm",  "person" };

    return names[owner];
}

bool reason_is_mine(enum drain_owner me, const char *reason)
{
    enum drain_owner owner = reason_owner(reason);

    return owner == DRAIN_BY_NOBODY || owner == me;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80; /* not a UTF-8 continuation byte */
}

char *reason_clean(struct arena *a, const char *text)
{
    char *out = arena_str(a, text ?: ""), *to = out;
    size_t characters = 0;

    for (const char *from = out; *from; from++) {
        if (is_blank(*from) && to == out)
            continue;
        if (!is_blank(*from) && ((unsigned char)*from < 0x20 || *from == 0x7f))
            continue;
        if (starts_character(*from) && ++characters > REASON_MAX)
            break;
        *to++ = is_blank(*from) ? ' ' : *from;
    }
    while (to > out && to[-1] == ' ')
        to--;
    *to = '\0';
    return *out ? out : arena_str(a, "unknown");
}

char *reason_sign(struct arena *a, enum drain_owner owner, const char *text)
{
    const char *clean = reason_clean(a, text);

    if (owner == DRAIN_BY_SLINKY)
        return fmt(a, "slurm-operator: %s", clean);
    if (owner == DRAIN_BY_WINDLASS)
        return fmt(a, "windlass: %s", clean);
    return arena_str(a, clean);
}

struct drain_plan reason_plan_drain(struct arena *a, enum drain_owner me, struct node_state state,
                                    const char *reason, const char *text, bool override)
{
    const char *wanted = !override && !str_empty(reason) ? reason : reason_sign(a, me, text);
    bool drains = is_yes(node_is_drain(state));

    return (struct drain_plan) { .call = !drains || !str_eq(wanted, reason), .reason = wanted };
}

struct drain_plan reason_plan_undrain(struct arena *a, enum drain_owner me, struct node_state state,
                                      const char *reason, const char *text)
{
    return (struct drain_plan) {
        .call = is_yes(node_is_drain(state)) && reason_is_mine(me, reason),
        .reason = str_empty(text) ? "" : reason_sign(a, me, text),
    };
}
