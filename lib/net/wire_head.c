/* wire_head.c - the request line and the header fields, and what they say about the body. */
#include <string.h>
#include <strings.h>

#include "net/wire_internal.h"

enum { LENGTH_DIGITS_MAX = 15 };

static enum wire_step bad(struct wire *wire, const char *why)
{
    return wire_refuse(wire, 400, why);
}

static bool is_target(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    for (; *c; c++)
        if (*c <= ' ' || *c >= 127)
            return false;
    return c > (const unsigned char *)text;
}

/* "http://host/path" is as good as "/path" (RFC 9112, 3.2.2). */
static char *path_of(char *target)
{
    char *slashes = strncasecmp(target, "http", 4) ? NULL : strstr(target, "://");

    if (!slashes)
        return target;
    return strchr(slashes + 3, '/') ?: target;
}

static enum wire_step read_version(struct wire *wire, const char *text)
{
    bool shaped = strlen(text) == 8 && !memcmp(text, "HTTP/", 5) && text[6] == '.' &&
                  text[5] >= '0' && text[5] <= '9' && text[7] >= '0' && text[7] <= '9';

    if (!shaped)
        return bad(wire, "malformed request line");
    if (text[5] != '1')
        return wire_refuse(wire, 505, "only HTTP/1.1 and HTTP/1.0 are spoken here");
    wire->http10 = text[7] == '0';
    wire->keep_alive = !wire->http10;
    return WIRE_WHOLE;
}

static enum wire_step read_request_line(struct wire *wire, char *head, char *line)
{
    char *target = strchr(line, ' ');
    char *version = target ? strchr(target + 1, ' ') : NULL;

    if (!version)
        return bad(wire, "malformed request line");
    *target++ = '\0';
    *version++ = '\0';
    for (const char *c = line; *c; c++)
        if (!wire_is_token((unsigned char)*c))
            return bad(wire, "malformed method");
    if (!is_target(target))
        return bad(wire, "malformed request target");
    target = path_of(target);
    if (*target != '/' && strcmp(target, "*") != 0)
        return bad(wire, "the request target is not a path");
    wire->method = (uint32_t)(line - head);
    wire->target = (uint32_t)(target - head);
    return read_version(wire, version);
}

static enum wire_step read_length(struct wire *wire, const char *value)
{
    size_t digits = strspn(value, "0123456789");
    uint64_t length = 0;

    if (wire->lengths++)
        return bad(wire, "more than one Content-Length");
    if (!digits || value[digits])
        return bad(wire, "Content-Length is not a number");
    for (size_t i = 0; i < digits && i <= LENGTH_DIGITS_MAX; i++)
        length = length * 10 + (unsigned)(value[i] - '0');
    if (digits > LENGTH_DIGITS_MAX || length > wire->max_body)
        return wire_refuse(wire, 413, "the body is too long");
    wire->left = length;
    return WIRE_WHOLE;
}

static enum wire_step read_encoding(struct wire *wire, const char *value)
{
    if (wire->chunked)
        return bad(wire, "more than one Transfer-Encoding");
    if (strcasecmp(value, "chunked"))
        return wire_refuse(wire, 501, "the only Transfer-Encoding known is chunked");
    wire->chunked = true;
    return WIRE_WHOLE;
}

static enum wire_step read_expectation(struct wire *wire, const char *value)
{
    if (strcasecmp(value, "100-continue"))
        return wire_refuse(wire, 417, "the only expectation met is 100-continue");
    wire->expects_continue = true;
    return WIRE_WHOLE;
}

static bool has_word(const char *list, const char *word)
{
    size_t len = strlen(word);

    while (*list) {
        size_t n;

        list += strspn(list, ", \t");
        n = strcspn(list, ", \t");
        if (n == len && !strncasecmp(list, word, len))
            return true;
        list += n;
    }
    return false;
}

static enum wire_step read_connection(struct wire *wire, const char *value)
{
    if (has_word(value, "close"))
        wire->keep_alive = false;
    else if (wire->http10 && has_word(value, "keep-alive"))
        wire->keep_alive = true;
    return WIRE_WHOLE;
}

static enum wire_step count_host(struct wire *wire, const char *value)
{
    (void)value;
    return wire->hosts++ ? bad(wire, "more than one Host") : WIRE_WHOLE;
}

static enum wire_step understand(struct wire *wire, const char *name, const char *value)
{
    static const struct {
        const char *name;
        enum wire_step (*read)(struct wire *wire, const char *value);
    } known[] = {
        { "content-length", read_length },
        { "transfer-encoding", read_encoding },
        { "expect", read_expectation },
        { "connection", read_connection },
        { "host", count_host },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(name, known[i].name))
            return known[i].read(wire, value);
    return WIRE_WHOLE;
}

/* Ends the value at its last visible byte; false when it holds control characters. */
static bool trim_value(char *value)
{
    size_t len = strlen(value);

    for (const unsigned char *c = (const unsigned char *)value; *c; c++)
        if ((*c < ' ' && *c != '\t') || *c == 127)
            return false;
    while (len && (value[len - 1] == ' ' || value[len - 1] == '\t'))
        value[--len] = '\0';
    return true;
}

static enum wire_step read_field(struct wire *wire, const char *head, char *line)
{
    char *c = line;
    char *value;

    for (; wire_is_token((unsigned char)*c); c++)
        if (*c >= 'A' && *c <= 'Z')
            *c |= 0x20;
    if (c == line || *c != ':')
        return bad(wire, "malformed header field");
    *c = '\0';
    value = c + 1 + strspn(c + 1, " \t");
    if (!trim_value(value))
        return bad(wire, "malformed value of a header field");
    if (wire->fields == WIRE_FIELDS_MAX)
        return wire_refuse(wire, 431, "too many header fields");
    wire->field[wire->fields].name = (uint32_t)(line - head);
    wire->field[wire->fields++].value = (uint32_t)(value - head);
    return understand(wire, line, value);
}

static enum wire_step judge(struct wire *wire)
{
    if (!wire->http10 && !wire->hosts)
        return bad(wire, "no Host");
    if (wire->chunked && (wire->lengths || wire->http10))
        return bad(wire, "the length of the body can be read in two ways");
    if (wire->http10)
        wire->expects_continue = false; /* RFC 9110, 10.1.1 */
    if (wire->chunked)
        wire->phase = WIRE_CHUNK_SIZE;
    else
        wire->phase = wire->left ? WIRE_LENGTH : WIRE_END;
    return WIRE_WHOLE;
}

enum wire_step wire_read_head(struct wire *wire, char *head)
{
    char *end = head + wire->head_len - 2; /* the empty line */
    bool first = true;

    if (memchr(head, '\0', wire->head_len))
        return bad(wire, "a NUL in the head of the request");
    for (char *line = head, *next; line < end; line = next, first = false) {
        char *line_end = strchr(line, '\r');
        enum wire_step step;

        if (line_end[1] != '\n') /* there is one: the head ends with it */
            return bad(wire, "malformed line end");
        next = line_end + 2;
        *line_end = '\0';
        step = first ? read_request_line(wire, head, line) : read_field(wire, head, line);
        if (step != WIRE_WHOLE)
            return step;
    }
    return judge(wire);
}
