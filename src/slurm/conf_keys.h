/* conf_keys.h - every key of every file that Slurm 26.05 reads, and what its value may be.
 *
 * The tables say what Slurm's own parser says: which words are keys, which of them begin a line of
 * options (NodeName=), how wide a number may be, which words are among a closed set. Where Slurm
 * refuses a value, so do we; where it silently ignores one, the row is soft and we warn.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum conf_type {
    CONF_TEXT,
    CONF_U16,
    CONF_U32,
    CONF_U64,
    CONF_BOOL,    /* yes, no, true, false, up, down, 1, 0 */
    CONF_SPAN,    /* a time limit */
    CONF_SECONDS, /* a number, or no limit */
    CONF_AGE,     /* how long slurmdbd keeps something: 12month */
    CONF_LEVEL,   /* of logging: info, debug2, 3 */
    CONF_PORT,
    CONF_PORTS,      /* one, or a range */
    CONF_ONE_OF,     /* one of the words */
    CONF_SET_OF,     /* some of the words, commas between */
    CONF_PLUGIN,     /* plugins of one kind, commas between; the words are their names */
    CONF_HOSTS,      /* a host list, ALL, or names of node sets */
    CONF_CONTROLLER, /* name, or name(address) */
};

enum conf_key_flags {
    CONF_MANY = 1 << 0, /* may stand on several lines, which add up */
    CONF_SOFT = 1 << 1, /* Slurm ignores a bad value */
    CONF_GONE = 1 << 2, /* known, but without effect, or refused outright: see note */
};

struct conf_key {
    const char *name;
    enum conf_type type;
    unsigned flags;
    const char *words; /* blanks between; ONE_OF, SET_OF, PLUGIN */
    const struct conf_key
        *options;     /* of the same line, ended by a NULL name; NULL: it takes none */
    const char *note; /* GONE: what to do instead */
};

struct conf_kind {
    const char *file;            /* "slurm.conf" */
    const struct conf_key *keys; /* ended by a NULL name */
    const char *required;        /* keys, blanks between; NULL: none */
};

extern const struct conf_key conf_keys_slurm[];
extern const struct conf_key conf_keys_dbd[];

/* The kind of a file by its name: "x/slurm.conf", "slurm_base.conf.noedit"; NULL when it is none of
 * Slurm's. */
const struct conf_kind *conf_kind_of(const char *path);
/* All kinds, ended by a NULL file. */
const struct conf_kind *conf_kinds(void);

/* The row of a key, without regard to case; NULL when there is none. */
const struct conf_key *conf_key_find(const struct conf_key *keys, const char *name);
/* The key that was most likely meant, NULL when none is close. */
const struct conf_key *conf_key_near(const struct conf_key *keys, const char *name);
