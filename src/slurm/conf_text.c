/* conf_text.c - writing lines, quoting values, and merging a user's options with our own. */
#include "slurm/conf_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

enum { OPTIONS_MAX = 256 }; /* of one key: more are not merged */

char *conf_done(struct arena *a, struct conf_text *t)
{
    char *text = arena_strn(a, buf_text(&t->out), t->out.len);

    buf_done(&t->out);
    return text;
}

void conf_line(struct conf_text *t, const char *text)
{
    buf_str(&t->out, text);
    buf_char(&t->out, '\n');
}

void conf_comment(struct conf_text *t, const char *text)
{
    buf_fmt(&t->out, "#%s\n", text);
}

void conf_section(struct conf_text *t, const char *title)
{
    buf_fmt(&t->out, "#\n### %s ###\n", title);
}

void conf_set(struct conf_text *t, const char *key, const char *value)
{
    buf_fmt(&t->out, "%s%s%s\n", key, t->separator ?: "=", value);
}

void conf_setf(struct conf_text *t, const char *key, const char *format, ...)
{
    va_list args;

    buf_fmt(&t->out, "%s%s", key, t->separator ?: "=");
    va_start(args, format);
    buf_vfmt(&t->out, format, args);
    va_end(args);
    buf_char(&t->out, '\n');
}

void conf_set_int(struct conf_text *t, const char *key, int64_t value)
{
    conf_setf(t, key, "%" PRId64, value);
}

void conf_set_some(struct conf_text *t, const char *key, const char *value)
{
    if (!str_empty(value))
        conf_set(t, key, value);
}

void conf_set_each(struct conf_text *t, const char *key, const char *prefix, struct strs values)
{
    for (size_t i = 0; i < values.n; i++)
        conf_setf(t, key, "%s%s", prefix, values.v[i]);
}

void conf_set_all(struct conf_text *t, struct conf_settings settings)
{
    for_each (setting, settings)
        conf_set_some(t, setting->key, setting->value);
}

static bool has_blank(const char *text)
{
    return strpbrk(text, " \t\v\f") != NULL;
}

int conf_quote(struct arena *a, const char *value, char **ret, struct error *err)
{
    size_t len = strlen(value);
    bool quoted = len == 0 || has_blank(value);
    char *out = arena_alloc(a, 2 * len + 3), *to = out;

    if (strpbrk(value, "\r\n"))
        return fail(err, -EINVAL, "the value has a line end in it, which no Slurm file can hold");
    if (strchr(value, '"') && (quoted || (len > 1 && value[0] == '"' && value[len - 1] == '"')))
        return fail(err, -EINVAL,
                    "the value has double quotes where Slurm would take them for its own");
    if (quoted)
        *to++ = '"';
    for (const char *from = value; *from; from++) {
        if (*from == '#' || *from == '\\')
            *to++ = '\\';
        *to++ = *from;
    }
    if (quoted)
        *to++ = '"';
    *to = '\0';
    *ret = out;
    return 0;
}

/* The next logical line of text, comments and continuations resolved; NULL at the end. */
static const char *logical_line(struct buf *line, const char *text)
{
    buf_clear(line);
    if (!*text)
        return NULL;
    for (;;) {
        size_t len = strcspn(text, "\n"), keep = strcspn(text, "#\n");
        bool more;

        while (keep > 0 && isspace((unsigned char)text[keep - 1]))
            keep--;
        more = keep > 0 && text[keep - 1] == '\\';
        buf_add(line, text, keep - more);
        text += len + (text[len] == '\n');
        if (!more || !*text)
            return text;
    }
}

static char *trimmed(struct arena *a, const char *text, size_t len)
{
    while (len > 0 && isspace((unsigned char)*text))
        text++, len--;
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        len--;
    return arena_strn(a, text, len);
}

/* The last value that the text gives to the key, NULL when it gives none that counts. */
static const char *user_value(struct arena *a, const char *text, const char *key)
{
    scoped(buf) struct buf line = { 0 };
    const char *found = NULL;

    while ((text = logical_line(&line, text))) {
        const char *equals = strchr(buf_text(&line), '=');
        const char *value;

        if (!equals)
            continue;
        if (strcasecmp(trimmed(a, line.bytes, (size_t)(equals - line.bytes)), key) != 0)
            continue;
        value = trimmed(a, equals + 1, strlen(equals + 1));
        if (*value && !has_blank(value))
            found = value;
    }
    return found;
}

static bool same_option(const char *a, const char *b)
{
    size_t a_len = strcspn(a, "="), b_len = strcspn(b, "=");

    return a_len == b_len && strncasecmp(a, b, a_len) == 0;
}

/* Slurm reads option names in lower case; what follows the '=' may be a path and stays. */
static const char *lower_option(struct arena *a, const char *text, size_t len)
{
    char *option = arena_strn(a, text, len);

    for (char *c = option; *c && *c != '='; c++)
        *c = (char)tolower((unsigned char)*c);
    return option;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds an option unless one of that name is there. */
static void add_option(struct strs *options, const char *option)
{
    for (size_t i = 0; i < options->n; i++)
        if (same_option(options->v[i], option))
            return;
    if (*option && options->n < OPTIONS_MAX)
        options->v[options->n++] = option;
}

static void write_merged(struct arena *a, struct conf_text *t, const struct conf_managed *managed,
                         const char *user)
{
    const char *v[OPTIONS_MAX];
    struct strs options = { .v = v };

    for (size_t i = 0; i < managed->options.n; i++)
        add_option(&options, managed->options.v[i]);
    while (*user) {
        size_t len = strcspn(user, ",");

        add_option(&options, lower_option(a, user, len));
        user += len + (user[len] == ',');
    }
    qsort(options.v, options.n, sizeof *options.v, by_text);
    buf_fmt(&t->out, "%s=", managed->key);
    for (size_t i = 0; i < options.n; i++)
        buf_fmt(&t->out, "%s%s", i ? "," : "", options.v[i]);
    buf_char(&t->out, '\n');
}

void conf_extra(struct conf_text *t, const char *extra, const struct conf_managed *managed,
                size_t count)
{
    scoped(arena) struct arena *a = arena_new();
    bool headed = false;

    if (str_empty(extra))
        return;
    conf_section(t, "EXTRA CONFIG");
    conf_line(t, extra);
    for (const struct conf_managed *m = managed; m < managed + count; m++) {
        const char *user = user_value(a, extra, m->key);

        if (!user)
            continue;
        if (!headed)
            conf_section(t, "MERGED CONFIG");
        headed = true;
        write_merged(a, t, m, user);
    }
}
