/* problems.c - gathers what is wrong with an object. */
#include "slinky/problems.h"

#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "json/json.h"
#include "json/table.h"

enum { SHOWN_MAX = 120 };

static bool is_there(struct problem_list list, const char *path, const char *text)
{
    for_each (known, list)
        if (str_eq(known->path, path) && str_eq(known->text, text))
            return true;
    return false;
}

/* Lists are short, so they grow by being copied whenever their length reaches a power of two. */
static void add(struct problems *p, struct problem_list *list, struct problem problem)
{
    if (is_there(*list, problem.path, problem.text))
        return;
    if ((list->n & (list->n - 1)) == 0) {
        struct problem *v = arena_make_n(p->arena, struct problem, list->n ? 2 * list->n : 1);

        if (list->n)
            memcpy(v, list->v, list->n * sizeof(*v));
        list->v = v;
    }
    list->v[list->n++] = problem;
}

void refuse(struct problems *p, const char *path, const char *value, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(p, &p->errors,
        (struct problem) { .path = path, .value = value, .text = vfmt(p->arena, format, args) });
    va_end(args);
}

void warn_of(struct problems *p, const char *path, const char *value, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(p, &p->warnings,
        (struct problem) { .path = path, .value = value, .text = vfmt(p->arena, format, args) });
    va_end(args);
}

/* Cuts between characters, never inside one of several bytes. */
static size_t cut_at(const char *text, size_t max)
{
    while (max > 0 && ((unsigned char)text[max] & 0xc0) == 0x80)
        max--;
    return max;
}

const char *shown_str(struct problems *p, const char *text)
{
    if (!text)
        return NULL;
    if (strlen(text) > SHOWN_MAX)
        text = fmt(p->arena, "%.*s...", (int)cut_at(text, SHOWN_MAX), text);
    return json_text(p->arena, json_str(p->arena, text));
}

const char *shown_int(struct problems *p, int64_t number)
{
    return fmt(p->arena, "%lld", (long long)number);
}

char *problem_text(struct arena *a, const struct problem *problem)
{
    if (!problem->value)
        return fmt(a, "%s: %s", problem->path, problem->text);
    return fmt(a, "%s: %s: %s", problem->path, problem->value, problem->text);
}

char *problems_text(struct arena *a, struct problem_list list)
{
    scoped(buf) struct buf text = { 0 };

    if (list.n == 1)
        return problem_text(a, list.v);
    for_each (problem, list) {
        buf_str(&text, problem == list.v ? "[" : ", ");
        buf_str(&text, problem_text(a, problem));
    }
    if (list.n)
        buf_str(&text, "]");
    return arena_str(a, buf_text(&text));
}
