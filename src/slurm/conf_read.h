/* conf_read.h - reading the files that conf.h writes, and those that users write.
 *
 * The grammar is that of Slurm's own parser: Key=Value, keys in any case, '#' begins a comment
 * unless a backslash is in front of it (quotes do not help), a backslash at the end of a line joins
 * the next one, a value with blanks stands in double quotes, other backslashes vanish, and "include
 * FILE" reads another file in place. On the lines of some keys (NodeName) more pairs follow the
 * first. Reading never stops at a mistake: each becomes a problem with its file and line, and
 * reading goes on.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

enum {
    CONF_INCLUDE_DEPTH = 8,
    CONF_INCLUDES_MAX = 100,  /* files in all: three that include one another would never end */
    CONF_FILE_MAX = 8 << 20,  /* bytes of one file */
    CONF_PROBLEMS_MAX = 1000, /* more are counted, not kept */
};

enum conf_level { CONF_WARNING, CONF_ERROR };

struct conf_problem {
    const char *file;
    unsigned line;
    enum conf_level level;
    const char *text; /* what is wrong, and what to do */
};

struct conf_pair {
    const char *key;   /* as written */
    const char *value; /* without quotes and escapes */
};

/* A logical line: its first pair, and the options behind it. */
struct conf_entry {
    const char *file;
    unsigned line; /* where it begins */
    struct conf_pair *pairs;
    size_t count; /* at least 1 */
};

struct conf_doc {
    struct conf_entry *entries;
    size_t count, room;
    struct conf_problem *problems;
    size_t problem_count, problem_room;
    size_t errors, warnings; /* of all problems, kept or not */
    size_t includes;
};

/* How an include is opened: the text of the named file, in the arena. NULL: includes are not
 * followed and draw no problem. */
struct conf_opener {
    int (*open)(void *userdata, struct arena *a, const char *name, const char **ret_text,
                size_t *ret_len, struct error *err);
    void *userdata;
};

/* Opens included files in the directory of the file that includes them. */
struct conf_opener conf_opener_beside(struct arena *a, const char *path);

/* Reads a text that is called name in problems. */
struct conf_doc *conf_read(struct arena *a, const char *name, const char *text, size_t len,
                           const struct conf_opener *opener);
/* The same for a file; includes are looked for beside it. -ENOENT and the like when it cannot be
 * opened. */
int conf_read_file(struct arena *a, const char *path, struct conf_doc **ret, struct error *err);

void conf_add_problem(struct arena *a, struct conf_doc *doc, enum conf_level level,
                      const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* The last value of a key that begins a line, NULL when none; keys in any case. */
const char *conf_get(const struct conf_doc *doc, const char *key);
/* An option of an entry. */
const char *conf_option(const struct conf_entry *entry, const char *key);
