/* log.c - one line, one write(). */
#include "base/log.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"

static _Atomic enum log_level max_level = LOG_INFO;
static _Atomic enum log_format line_format = LOG_TEXT;
static const char *const level_names[] = { "error", "info", "debug", "trace" };

void log_configure(enum log_level level, enum log_format format)
{
    atomic_store(&max_level, level);
    atomic_store(&line_format, format);
}

bool log_level_parse(const char *text, enum log_level *ret)
{
    for (unsigned i = 0; i < ARRAY_SIZE(level_names); i++) {
        char number[2] = { (char)('0' + i), '\0' };

        if (text && (!strcasecmp(text, level_names[i]) || str_eq(text, number))) {
            *ret = (enum log_level)i;
            return true;
        }
    }
    return false;
}

bool log_wants(enum log_level level)
{
    return level <= atomic_load_explicit(&max_level, memory_order_relaxed);
}

const struct log *log_with(struct arena *a, const struct log *parent, const char *key,
                           const char *value)
{
    struct log *log = arena_make(a, struct log);
    struct log_field *fields = arena_make_n(a, struct log_field, 2);

    fields[0] = (struct log_field){ .key = arena_str(a, key), .text = arena_str(a, value ?: "") };
    *log = (struct log){ .parent = parent, .fields = fields };
    return log;
}

static void add_quoted(struct buf *line, const char *text)
{
    buf_char(line, '"');
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            buf_fmt(line, "\\%c", *p);
        else if (*p == '\n')
            buf_str(line, "\\n");
        else if (*p < 0x20)
            buf_fmt(line, "\\u%04x", *p);
        else
            buf_char(line, (char)*p);
    }
    buf_char(line, '"');
}

static bool plain(const char *text)
{
    if (!*text)
        return false;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p <= ' ' || *p == '"' || *p == '=' || *p == '\\' || *p == 0x7f)
            return false;
    return true;
}

static void add_field(struct buf *line, const struct log_field *field, enum log_format format)
{
    if (format == LOG_JSON) {
        buf_char(line, ',');
        add_quoted(line, field->key);
        buf_char(line, ':');
    } else {
        buf_fmt(line, " %s=", field->key);
    }
    if (!field->text)
        buf_fmt(line, "%lld", (long long)field->number);
    else if (format == LOG_TEXT && plain(field->text))
        buf_str(line, field->text);
    else
        add_quoted(line, field->text);
}

static void add_fields(struct buf *line, const struct log_field *fields, enum log_format format)
{
    for (; fields && fields->key; fields++)
        add_field(line, fields, format);
}

static void add_parents(struct buf *line, const struct log *log, enum log_format format)
{
    if (!log)
        return;
    add_parents(line, log->parent, format);
    add_fields(line, log->fields, format);
}

void log_write(enum log_level level, const struct log *log, const char *message,
               const struct log_field *fields)
{
    enum log_format format = atomic_load(&line_format);
    scoped(arena) struct arena *a = arena_new();
    scoped(buf) struct buf line = { 0 };
    const char *now = time_text(a, clock_wall(), true);

    if (format == LOG_JSON) {
        buf_fmt(&line, "{\"ts\":\"%s\",\"level\":\"%s\",\"msg\":", now, level_names[level]);
        add_quoted(&line, message);
    } else {
        buf_fmt(&line, "%s %-5s %s", now, level_names[level], message);
    }
    add_parents(&line, log, format);
    add_fields(&line, fields, format);
    buf_str(&line, format == LOG_JSON ? "}\n" : "\n");
    write_all(STDERR_FILENO, line.bytes, line.len);
}
