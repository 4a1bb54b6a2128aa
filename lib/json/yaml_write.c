/* yaml_write.c - values as YAML in block style, the way kubectl prints them. */
#include <string.h>

#include "base/str.h"
#include "json/internal.h"
#include "json/yaml.h"
#include "json/yaml_scalar.h"

/* Longer keys are written with "? ", since readers look no further than 1024 characters for a
 * colon. */
enum { SIMPLE_KEY_MAX = 512 };

/* One character of UTF-8 at p; an invalid byte counts as U+FFFD. */
static size_t next_char(const unsigned char *p, size_t n, uint32_t *ret)
{
    size_t len = utf8_length(p, n);

    *ret = len ? p[0] : 0xfffd;
    if (len > 1)
        *ret &= 0x7fu >> len;
    for (size_t i = 1; i < len; i++)
        *ret = *ret << 6 | (p[i] & 0x3f);
    return len ?: 1;
}

/* What YAML calls printable, less what its versions disagree on: line separators and marks. */
static bool is_printable(uint32_t c)
{
    return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < 0x2028) || (c > 0x2029 && c < 0xd800) ||
           (c >= 0xe000 && c <= 0xfffd && c != 0xfeff) || c >= 0x10000;
}

static void write_escape(struct buf *out, uint32_t c)
{
    if (c == '"' || c == '\\')
        buf_fmt(out, "\\%c", (char)c);
    else if (c == '\n')
        buf_str(out, "\\n");
    else if (c == '\t')
        buf_str(out, "\\t");
    else if (c == '\r')
        buf_str(out, "\\r");
    else if (c < 0x100)
        buf_fmt(out, "\\x%02X", c);
    else
        buf_fmt(out, "\\u%04X", c);
}

static void write_quoted(struct buf *out, const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;

    buf_char(out, '"');
    for (size_t at = 0, used; at < len; at += used) {
        uint32_t c;

        used = next_char(p + at, len - at, &c);
        if (!is_printable(c) || c == '"' || c == '\\')
            write_escape(out, c);
        else if (c == 0xfffd)
            buf_str(out, "\xef\xbf\xbd");
        else
            buf_add(out, p + at, used);
    }
    buf_char(out, '"');
}

static void write_string(struct buf *out, const char *text, size_t len)
{
    if (yaml_is_plain_string(text, len))
        buf_add(out, text, len);
    else
        write_quoted(out, text, len);
}

/* Whether a text of several lines can stand as a literal block, where nothing can be escaped. */
static bool is_literal(const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;

    if (!memchr(text, '\n', len) || strchr(" \n\t", text[0]))
        return false;
    for (size_t at = 0, used; at < len; at += used) {
        uint32_t c;

        used = next_char(p + at, len - at, &c);
        if ((!is_printable(c) && c != '\n' && c != '\t') || c == 0xfffd)
            return false;
    }
    return true;
}

static void write_literal(struct buf *out, const char *text, size_t len, int indent)
{
    const char *end = text + len;
    bool many = len > 1 && end[-1] == '\n' && end[-2] == '\n';

    buf_str(out, end[-1] != '\n' ? "|-" : many ? "|+" : "|");
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text)) ?: end;

        buf_char(out, '\n');
        if (line_end > text)
            buf_fmt(out, "%*s", indent, "");
        buf_add(out, text, (size_t)(line_end - text));
        text = line_end + 1;
    }
    buf_char(out, '\n');
}

/* Readers of YAML 1.1 want a point and a sign in what they take for a number: 1e3 becomes 1.0e+3.
 */
static void write_real(struct buf *out, const char *digits)
{
    size_t mantissa = strcspn(digits, "eE");
    const char *exponent = digits + mantissa;

    buf_add(out, digits, mantissa);
    if (!*exponent)
        return;
    if (!memchr(digits, '.', mantissa))
        buf_str(out, ".0");
    buf_char(out, 'e');
    exponent++;
    if (*exponent != '-' && *exponent != '+')
        buf_char(out, '+');
    buf_str(out, exponent);
}

static void write_value(struct buf *out, const struct json *v, int indent, bool after_key);

static void write_indent(struct buf *out, int indent)
{
    buf_fmt(out, "%*s", indent, "");
}

static void write_key(struct buf *out, const char *name)
{
    size_t before = out->len;

    write_string(out, name, strlen(name));
    if (out->len - before > SIMPLE_KEY_MAX) {
        out->len = before;
        buf_str(out, "? ");
        write_quoted(out, name, strlen(name));
        buf_char(out, '\n');
    }
}

/* The first line of an object stands where we are; the others are indented. */
static void write_object(struct buf *out, const struct json *v, int indent)
{
    for (size_t i = 0; i < v->object.count; i++) {
        if (i)
            write_indent(out, indent);
        write_key(out, v->object.members[i].name);
        if (out->bytes[out->len - 1] == '\n')
            write_indent(out, indent);
        buf_char(out, ':');
        write_value(out, v->object.members[i].value, indent, true);
    }
}

static void write_array(struct buf *out, const struct json *v, int indent)
{
    for (size_t i = 0; i < v->array.count; i++) {
        if (i)
            write_indent(out, indent);
        buf_char(out, '-');
        write_value(out, v->array.items[i], indent, false);
    }
}

static void write_scalar(struct buf *out, const struct json *v, int indent)
{
    if (v->type == JSON_STR && is_literal(v->str.text, v->str.len)) {
        write_literal(out, v->str.text, v->str.len, indent + 2);
        return;
    }
    if (v->type == JSON_STR)
        write_string(out, v->str.text, v->str.len);
    else if (v->type == JSON_REAL)
        write_real(out, v->real.digits);
    else
        json_write(v, JSON_COMPACT, out);
    buf_char(out, '\n');
}

/* A value behind "key:" or "-", with the line's end. An array under a key is not indented further.
 */
static void write_value(struct buf *out, const struct json *v, int indent, bool after_key)
{
    bool array = v->type == JSON_ARRAY;
    int inner = after_key && array ? indent : indent + 2;

    if (json_count(v) == 0) {
        buf_char(out, ' ');
        write_scalar(out, v, indent);
        return;
    }
    if (after_key) {
        buf_char(out, '\n');
        write_indent(out, inner);
    } else {
        buf_char(out, ' ');
    }
    if (array)
        write_array(out, v, inner);
    else
        write_object(out, v, inner);
}

void yaml_write(const struct json *v, struct buf *out)
{
    if (json_count(v) == 0)
        write_scalar(out, v, 0);
    else if (v->type == JSON_ARRAY)
        write_array(out, v, 0);
    else
        write_object(out, v, 0);
}
