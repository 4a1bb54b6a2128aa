/* problems.h - what is wrong with an object, where, and what to do about it.
 *
 * A check adds what it finds and goes on, so that people see everything at once. Errors refuse the
 * object, warnings only tell. Saying the same of the same field twice counts once. All texts live
 * in the arena that the list was begun with; formats are copied into it, paths and values are
 * borrowed.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct problem {
    const char *path;  /* "spec.updateStrategy.type" */
    const char *value; /* what stands there, as JSON; NULL when it is missing or says nothing */
    const char *text;  /* what is wrong and what to do */
};

struct problem_list {
    struct problem *v;
    size_t n;
};

struct problems {
    struct arena *arena;
    struct problem_list errors;
    struct problem_list warnings;
};

void refuse(struct problems *p, const char *path, const char *value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void warn_of(struct problems *p, const char *path, const char *value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Values as people wrote them, shortened when long. */
const char *shown_str(struct problems *p, const char *text); /* NULL stays NULL */
const char *shown_int(struct problems *p, int64_t number);
/* A path with more behind it: path_of(p, "spec.refs[%zu]", i). */
#define path_of(p, ...) fmt((p)->arena, __VA_ARGS__)

/* `spec.replicas: -1: the number ...`, or `spec.replicas: the number ...` without a value. */
char *problem_text(struct arena *a, const struct problem *problem);
/* All of a list in one line: the only one as it is, several as `[one, another]`; "" for none. */
char *problems_text(struct arena *a, struct problem_list list);
