/* conf_text.h - the lines of a configuration file, one after another.
 *
 *     struct conf_text t = { 0 };
 *     conf_section(&t, "GENERAL");
 *     conf_set(&t, "ClusterName", name);
 *     return conf_done(a, &t);
 *
 * Every call adds whole lines, so fragments of a file are functions that take a struct conf_text
 * and may be put together in any order.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "json/table.h"

struct conf_text {
    struct buf out;
    const char *separator; /* between key and value; NULL: "=" */
};

/* The text so far, in the arena; the writer is empty again. */
char *conf_done(struct arena *a, struct conf_text *t);

void conf_section(struct conf_text *t, const char *title); /* "#", "### TITLE ###" */
void conf_comment(struct conf_text *t, const char *text);  /* "#text" */
void conf_line(struct conf_text *t, const char *text);     /* verbatim, and a line end */
/* key=value, as it is: the value is one of ours and needs no quotes. */
void conf_set(struct conf_text *t, const char *key, const char *value);
void conf_setf(struct conf_text *t, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void conf_set_int(struct conf_text *t, const char *key, int64_t value);
/* Nothing for a value that is NULL or "". */
void conf_set_some(struct conf_text *t, const char *key, const char *value);
/* One line per value. */
void conf_set_each(struct conf_text *t, const char *key, const char *prefix, struct strs values);

/* A value as Slurm's parser reads it back: '#' and '\' escaped, quotes around it when it holds
 * blanks. -EINVAL for what the grammar cannot express: line ends, a double quote together with
 * blanks, and text that is in double quotes itself. The error does not repeat the value. */
int conf_quote(struct arena *a, const char *value, char **ret, struct error *err);

struct conf_setting {
    const char *key;
    const char *value; /* NULL or "": not written */
};

struct conf_settings {
    struct conf_setting *v;
    size_t n;
};

void conf_set_all(struct conf_text *t, struct conf_settings settings);

/* Options that must survive whatever the user's own text says about the same key. */
struct conf_managed {
    const char *key;
    struct strs options;
};

/* The user's text goes last and so wins over every line before it. Where it sets a managed key, one
 * more section repeats that key with both sides' options: ours first served, names compared without
 * regard to case, sorted. Only a value without blanks counts, the last one of a repeated key does.
 * The managed keys come sorted by name. */
void conf_extra(struct conf_text *t, const char *extra, const struct conf_managed *managed,
                size_t count);
