/* conf_read.c - Slurm's configuration grammar: lines joined, comments cut, pairs picked apart. */
#include "slurm/conf_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/str.h"

struct reader {
    struct arena *arena;
    struct conf_doc *doc;
    const struct conf_opener *opener;
    const char *file;
    unsigned line;  /* of what is read now */
    unsigned begin; /* where the logical line began */
    unsigned depth; /* of includes */
    struct buf logical;
};

void conf_add_problem(struct arena *a, struct conf_doc *doc, enum conf_level level,
                      const char *file, unsigned line, const char *format, ...)
{
    struct conf_problem problem = { .file = file, .line = line, .level = level };
    va_list args;

    *(level == CONF_ERROR ? &doc->errors : &doc->warnings) += 1;
    if (doc->problem_count == CONF_PROBLEMS_MAX)
        return;
    va_start(args, format);
    problem.text = vfmt(a, format, args);
    va_end(args);
    if (doc->problem_count == doc->problem_room) {
        size_t room = doc->problem_room ? 2 * doc->problem_room : 8;
        struct conf_problem *more = arena_make_n(a, struct conf_problem, room);

        if (doc->problem_count > 0)
            memcpy(more, doc->problems, doc->problem_count * sizeof *more);
        doc->problems = more;
        doc->problem_room = room;
    }
    doc->problems[doc->problem_count++] = problem;
}

#define PROBLEM(r, ...)                                                                            \
    conf_add_problem((r)->arena, (r)->doc, CONF_ERROR, (r)->file, (r)->begin, __VA_ARGS__)

static void add_entry(struct reader *r, struct conf_pair *pairs, size_t count)
{
    struct conf_doc *doc = r->doc;

    if (doc->count == doc->room) {
        size_t room = doc->room ? 2 * doc->room : 16;
        struct conf_entry *more = arena_make_n(r->arena, struct conf_entry, room);

        if (doc->count > 0)
            memcpy(more, doc->entries, doc->count * sizeof *more);
        doc->entries = more;
        doc->room = room;
    }
    doc->entries[doc->count++] =
        (struct conf_entry) { .file = r->file, .line = r->begin, .pairs = pairs, .count = count };
}

/* How much of a physical line stands before its comment. */
static size_t before_comment(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\\')
            i++; /* whatever follows is not special */
        else if (text[i] == '#')
            return i;
    }
    return len;
}

/* Whether the line goes on: a lone backslash at its end. *len then ends before it. */
static bool goes_on(const char *text, size_t *len)
{
    size_t slashes = 0;

    while (*len > 0 && isspace((unsigned char)text[*len - 1]))
        (*len)--;
    while (slashes < *len && text[*len - 1 - slashes] == '\\')
        slashes++;
    if (slashes % 2 == 0)
        return false;
    (*len)--;
    return true;
}

/* Appends with backslashes resolved: each makes the next character plain. */
static void add_unescaped(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\\' && i + 1 < len)
            i++;
        buf_char(out, text[i]);
    }
}

/* Collects one logical line; returns behind it. */
static const char *next_line(struct reader *r, const char *text, const char *end)
{
    bool more = true;

    buf_clear(&r->logical);
    r->begin = r->line + 1;
    while (more && text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)) ?: end;
        size_t len = before_comment(text, (size_t)(newline - text));

        r->line++;
        more = goes_on(text, &len);
        add_unescaped(&r->logical, text, len);
        text = newline < end ? newline + 1 : end;
    }
    return text;
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static bool is_key_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* A quoted value ends with a quote that a blank or the end follows; else quotes are plain. */
static size_t quoted_len(const char *at)
{
    const char *close = *at == '"' ? strchr(at + 1, '"') : NULL;

    return close && (!close[1] || isspace((unsigned char)close[1])) ? (size_t)(close + 1 - at) : 0;
}

/* One pair at *text; moves behind it. False when there is none, or it is broken. */
static bool take_pair(struct reader *r, const char **text, struct conf_pair *ret)
{
    const char *key = skip_blanks(*text), *at = key, *value;
    size_t len;

    while (is_key_char(*at))
        at++;
    len = (size_t)(at - key);
    at = skip_blanks(at);
    if (len > 0 && *at && strchr("-+*/", *at) && at[1] == '=')
        at++;
    if (len == 0 || *at != '=')
        return false;
    value = skip_blanks(at + 1);
    ret->key = arena_strn(r->arena, key, len);
    len = quoted_len(value);
    if (len > 0) {
        ret->value = arena_strn(r->arena, value + 1, len - 2);
    } else {
        len = strcspn(value, " \t\r\n\v\f");
        ret->value = arena_strn(r->arena, value, len);
        if (len == 0) {
            PROBLEM(r, "%s has no value: give it one, or remove it", ret->key);
            return false;
        }
    }
    *text = value + len;
    return true;
}

static void parse_pairs(struct reader *r, const char *text)
{
    size_t count = 0, room = 4, errors = r->doc->errors;
    struct conf_pair *pairs = arena_make_n(r->arena, struct conf_pair, room);

    while (*skip_blanks(text)) {
        if (count == room) {
            struct conf_pair *more = arena_make_n(r->arena, struct conf_pair, 2 * room);

            memcpy(more, pairs, count * sizeof *more);
            pairs = more;
            room *= 2;
        }
        if (!take_pair(r, &text, &pairs[count])) {
            if (r->doc->errors == errors)
                PROBLEM(r, "'%.60s' is not Key=Value", skip_blanks(text));
            break;
        }
        count++;
    }
    if (count > 0)
        add_entry(r, pairs, count);
}

static void read_text(struct reader *r, const char *text, size_t len);

/* The file of an "include" line, NULL when it is another line. */
static const char *include_of(struct reader *r, const char *text)
{
    size_t word = strlen("include"), len;

    text = skip_blanks(text);
    if (strncasecmp(text, "include", word) != 0 || !isspace((unsigned char)text[word]))
        return NULL;
    text = skip_blanks(text + word);
    len = strcspn(text, " \t\r\n\v\f");
    if (*text == '=')
        return NULL;
    if (*skip_blanks(text + len))
        PROBLEM(r, "'%s' stands behind the name of the included file", skip_blanks(text + len));
    return arena_strn(r->arena, text, len);
}

static void include(struct reader *r, const char *name)
{
    struct reader inner = {
        .arena = r->arena, .doc = r->doc, .opener = r->opener, .file = name, .depth = r->depth + 1
    };
    struct error err = { 0 };
    const char *text;
    size_t len;

    if (!*name) {
        PROBLEM(r, "include names no file");
        return;
    }
    if (!r->opener)
        return;
    if (r->depth == CONF_INCLUDE_DEPTH) {
        PROBLEM(r, "include %s: files include one another more than %d deep", name,
                CONF_INCLUDE_DEPTH);
        return;
    }
    if (r->doc->includes++ >= CONF_INCLUDES_MAX) {
        PROBLEM(r, "include %s: more than %d files", name, CONF_INCLUDES_MAX);
        return;
    }
    if (strpbrk(name, "*?[")) {
        conf_add_problem(r->arena, r->doc, CONF_WARNING, r->file, r->begin,
                         "include %s: Slurm takes no patterns and skips it; name each file", name);
        return;
    }
    if (r->opener->open(r->opener->userdata, r->arena, name, &text, &len, &err) < 0) {
        PROBLEM(r, "include %s: %s; Slurm waits a minute for it and gives up", name,
                error_text(&err));
        return;
    }
    read_text(&inner, text, len);
}

static void read_text(struct reader *r, const char *text, size_t len)
{
    const char *end = text + len;

    if (memchr(text, '\0', len)) {
        r->begin = 1;
        PROBLEM(r, "the file has a NUL byte in it: it is not text");
        return;
    }
    while (text < end) {
        const char *name;

        text = next_line(r, text, end);
        name = include_of(r, buf_text(&r->logical));
        if (name)
            include(r, name);
        else
            parse_pairs(r, buf_text(&r->logical));
    }
    buf_done(&r->logical);
}

struct conf_doc *conf_read(struct arena *a, const char *name, const char *text, size_t len,
                           const struct conf_opener *opener)
{
    struct reader r = {
        .arena = a, .doc = arena_make(a, struct conf_doc), .opener = opener, .file = name
    };

    read_text(&r, text, len);
    return r.doc;
}

static int open_beside(void *userdata, struct arena *a, const char *name, const char **ret_text,
                       size_t *ret_len, struct error *err)
{
    const char *path = userdata, *slash = strrchr(path, '/');
    scoped(free) char *text = NULL;
    int code;

    if (name[0] != '/' && slash)
        name = fmt(a, "%.*s%s", (int)(slash + 1 - path), path, name);
    code = file_read(name, CONF_FILE_MAX, &text, ret_len, err);
    if (code < 0)
        return code;
    *ret_text = arena_strn(a, text, *ret_len);
    return 0;
}

struct conf_opener conf_opener_beside(struct arena *a, const char *path)
{
    return (struct conf_opener) { .open = open_beside, .userdata = arena_str(a, path) };
}

int conf_read_file(struct arena *a, const char *path, struct conf_doc **ret, struct error *err)
{
    struct conf_opener opener = conf_opener_beside(a, path);
    scoped(free) char *text = NULL;
    size_t len;
    int code = file_read(path, CONF_FILE_MAX, &text, &len, err);

    if (code < 0)
        return code;
    *ret = conf_read(a, arena_str(a, path), text, len, &opener);
    return 0;
}

const char *conf_get(const struct conf_doc *doc, const char *key)
{
    for (size_t i = doc->count; i > 0; i--)
        if (strcasecmp(doc->entries[i - 1].pairs[0].key, key) == 0)
            return doc->entries[i - 1].pairs[0].value;
    return NULL;
}

const char *conf_option(const struct conf_entry *entry, const char *key)
{
    for (size_t i = 1; i < entry->count; i++)
        if (strcasecmp(entry->pairs[i].key, key) == 0)
            return entry->pairs[i].value;
    return NULL;
}
