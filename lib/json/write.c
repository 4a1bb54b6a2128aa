/* write.c - value to text. */
#include <inttypes.h>
#include <string.h>

#include "json/internal.h"

struct writer {
    struct buf *out;
    enum json_style style;
};

/* RFC 3629: the shortest form only, no surrogates. */
size_t utf8_length(const unsigned char *p, size_t n)
{
    size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;

    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xc2 || p[0] > 0xf4 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return len;
}

/* How many bytes from p on can stand in a JSON string as they are. */
static size_t plain_length(const unsigned char *p, size_t n)
{
    size_t at = 0;

    while (at < n) {
        size_t len =
            p[at] < 0x20 || p[at] == '"' || p[at] == '\\' ? 0 : utf8_length(p + at, n - at);

        if (!len)
            break;
        at += len;
    }
    return at;
}

static void write_escape(struct buf *out, unsigned char c)
{
    static const char *const shorts[256] = {
        ['"'] = "\\\"", ['\\'] = "\\\\", ['\n'] = "\\n", ['\r'] = "\\r",
        ['\t'] = "\\t", ['\b'] = "\\b",  ['\f'] = "\\f",
    };

    if (shorts[c])
        buf_str(out, shorts[c]);
    else if (c < 0x20)
        buf_fmt(out, "\\u%04x", c);
    else
        buf_str(out, "\xef\xbf\xbd"); /* U+FFFD: no reader would take the byte itself */
}

void json_write_str(struct buf *out, const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;

    buf_char(out, '"');
    while (len) {
        size_t plain = plain_length(p, len);

        buf_add(out, p, plain);
        p += plain;
        len -= plain;
        if (!len)
            break;
        write_escape(out, *p++);
        len--;
    }
    buf_char(out, '"');
}

static void write_break(const struct writer *w, int depth)
{
    if (w->style == JSON_PRETTY)
        buf_fmt(w->out, "\n%*s", depth * 2, "");
}

static void write_value(const struct writer *w, const struct json *v, int depth);

static void write_array(const struct writer *w, const struct json *v, int depth)
{
    buf_char(w->out, '[');
    for (size_t i = 0; i < v->array.count; i++) {
        if (i)
            buf_char(w->out, ',');
        write_break(w, depth + 1);
        write_value(w, v->array.items[i], depth + 1);
    }
    if (v->array.count)
        write_break(w, depth);
    buf_char(w->out, ']');
}

static void write_member(const struct writer *w, const struct json_member *m, bool first, int depth)
{
    if (!first)
        buf_char(w->out, ',');
    write_break(w, depth);
    json_write_str(w->out, m->name, strlen(m->name));
    buf_str(w->out, w->style == JSON_PRETTY ? ": " : ":");
    write_value(w, m->value, depth);
}

static void write_object(const struct writer *w, const struct json *v, int depth)
{
    scoped(free) const struct json_member **sorted = NULL;

    if (w->style == JSON_CANONICAL)
        sorted = members_sorted(v);
    buf_char(w->out, '{');
    for (size_t i = 0; i < v->object.count; i++)
        write_member(w, sorted ? sorted[i] : &v->object.members[i], i == 0, depth + 1);
    if (v->object.count)
        write_break(w, depth);
    buf_char(w->out, '}');
}

static void write_value(const struct writer *w, const struct json *v, int depth)
{
    switch (v->type) {
    case JSON_NULL:
        buf_str(w->out, "null");
        break;
    case JSON_BOOL:
        buf_str(w->out, v->yes ? "true" : "false");
        break;
    case JSON_INT:
        buf_fmt(w->out, "%" PRId64, v->integer);
        break;
    case JSON_REAL:
        buf_str(w->out, v->real.digits);
        break;
    case JSON_STR:
        json_write_str(w->out, v->str.text, v->str.len);
        break;
    case JSON_ARRAY:
        write_array(w, v, depth);
        break;
    case JSON_OBJECT:
        write_object(w, v, depth);
        break;
    }
}

void json_write(const struct json *v, enum json_style style, struct buf *out)
{
    struct writer w = { .out = out, .style = style };

    write_value(&w, v, 0);
}

char *json_text(struct arena *a, const struct json *v)
{
    scoped(buf) struct buf text = { 0 };

    json_write(v, JSON_COMPACT, &text);
    return arena_strn(a, buf_text(&text), text.len);
}
