/* nodestate.h - the state of a Slurm node: one base state, any number of flags, and what they mean.
 *
 * Slurm tells a state as words (REST: ["IDLE", "DRAIN"]), as one text ("IDLE+DRAIN" from scontrol)
 * or with marks at the end ("mixed*" from sinfo). All of them end as a struct node_state. A word
 * that this table does not know is kept as NODE_STRANGE_WORD, and then every question that the word
 * might have answered differently is answered "unknown" rather than guessed. The same holds for a
 * state that was never read: all zero is unknown.
 *
 * The questions, each defined in one row of a table in nodestate.c:
 *
 *     busy        runs or finishes work: ALLOCATED, MIXED or COMPLETING
 *     idle        base IDLE, not COMPLETING, free to take work: no DRAIN, FAIL, power or reboot
 * step draining    told to take no more work (DRAIN, and no UNDRAIN on its way) and still busy
 *     drained     told to take no more work, and not busy: safe to take away
 *     drain       one of the two: DRAIN without UNDRAIN
 *     down        base DOWN or ERROR, or FAIL: runs nothing until somebody helps
 *     gone        DOWN and NOT_RESPONDING: Slurm lost it; its record may be stale
 *     responding  no NOT_RESPONDING, not powered down or on its way, not FUTURE
 *     powered     neither POWERED_DOWN nor POWERING_DOWN
 *     rebooting   REBOOT_ISSUED, or REBOOT_REQUESTED and not yet begun
 *     reserved    in a reservation or under maintenance: RESERVED, MAINTENANCE
 *     dynamic     made by a slurmd that registered itself: its record may be deleted
 *     invalid     registered with less than its configuration promises: INVALID_REG
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "slurm/answer.h"
#include "json/table.h"

enum node_base {
    NODE_UNKNOWN, /* Slurm's own UNKNOWN, and what nobody has told us */
    NODE_DOWN,
    NODE_IDLE,
    NODE_ALLOCATED,
    NODE_ERROR,
    NODE_MIXED,
    NODE_FUTURE,
};

enum node_flag {
    NODE_RESERVED = 1 << 0,
    NODE_UNDRAIN = 1 << 1,
    NODE_CLOUD = 1 << 2,
    NODE_RESUME = 1 << 3,
    NODE_DRAIN = 1 << 4,
    NODE_COMPLETING = 1 << 5,
    NODE_NOT_RESPONDING = 1 << 6,
    NODE_POWERED_DOWN = 1 << 7,
    NODE_FAIL = 1 << 8,
    NODE_POWERING_UP = 1 << 9,
    NODE_MAINTENANCE = 1 << 10,
    NODE_REBOOT_REQUESTED = 1 << 11,
    NODE_REBOOT_CANCELED = 1 << 12,
    NODE_POWERING_DOWN = 1 << 13,
    NODE_DYNAMIC_FUTURE = 1 << 14,
    NODE_REBOOT_ISSUED = 1 << 15,
    NODE_PLANNED = 1 << 16,
    NODE_INVALID_REG = 1 << 17,
    NODE_POWER_DOWN = 1 << 18,
    NODE_POWER_UP = 1 << 19,
    NODE_POWER_DRAIN = 1 << 20,
    NODE_DYNAMIC_NORM = 1 << 21,
    NODE_BLOCKED = 1 << 22,
    NODE_EXTERNAL = 1 << 23,
    NODE_STRANGE_WORD = 1 << 30, /* a word that we do not know stood among them */
};

struct node_state {
    uint32_t flags; /* enum node_flag */
    uint8_t base;   /* enum node_base */
    bool known;     /* somebody told us a base state */
};

/* Adds one word, in any case, to the state: how a decoder reads a REST array. */
void node_state_add(struct node_state *state, const char *word, size_t len);
struct node_state node_state_of_words(struct strs words);
/* Reads "IDLE+DRAIN", "mixed*", "idle~", "ALLOCATED,DRAIN". */
struct node_state node_state_of_text(const char *text);
/* "IDLE+DRAIN": the base first, flags in the order of the enum; a strange word shows as "?". */
char *node_state_text(struct arena *a, struct node_state state);
const char *node_base_name(enum node_base base);
/* The name of one flag, "" for none. */
const char *node_flag_name(uint32_t flag);

enum answer node_is_busy(struct node_state state);
enum answer node_is_idle(struct node_state state);
enum answer node_is_drain(struct node_state state);
enum answer node_is_draining(struct node_state state);
enum answer node_is_drained(struct node_state state);
enum answer node_is_down(struct node_state state);
enum answer node_is_gone(struct node_state state);
enum answer node_is_responding(struct node_state state);
enum answer node_is_powered(struct node_state state);
enum answer node_is_rebooting(struct node_state state);
enum answer node_is_reserved(struct node_state state);
enum answer node_is_dynamic(struct node_state state);
enum answer node_is_invalid(struct node_state state);
/* Whether nothing at all is known: no base state, or Slurm's own UNKNOWN. */
bool node_is_unknown(struct node_state state);
