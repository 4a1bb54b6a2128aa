/* answer.c - the client's side of HTTP/1.1 framing. */
#include "net/answer.h"

#include <string.h>
#include <strings.h>

enum { LINE_MAX_LEN = 64 * 1024, LENGTH_DIGITS_MAX = 18, SIZE_DIGITS_MAX = 15 };

void answer_init(struct answer *answer, const struct answer_events *events, void *userdata,
                 bool to_head)
{
    *answer = (struct answer) { .events = events, .userdata = userdata, .to_head = to_head };
    answer->line.limit = LINE_MAX_LEN;
}

void answer_done(struct answer *answer)
{
    buf_done(&answer->line);
}

static enum answer_step bad(struct answer *answer, const char *why)
{
    answer->why = why;
    return ANSWER_BAD;
}

static enum answer_step stop_if(int rc)
{
    return rc < 0 ? ANSWER_BAD : ANSWER_WHOLE;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "HTTP/1.1 200 OK" */
static enum answer_step read_status(struct answer *answer, const char *line, size_t len)
{
    if (len < 12 || memcmp(line, "HTTP/1.", 7) != 0 || !is_digit(line[7]) || line[8] != ' ' ||
        !is_digit(line[9]) || !is_digit(line[10]) || !is_digit(line[11]) ||
        (len > 12 && line[12] != ' '))
        return bad(answer, "not an HTTP/1.1 answer");
    answer->status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    if (answer->status < 100 || answer->status == 101)
        return bad(answer, "a status that nobody asked for");
    answer->keep_alive = line[7] != '0';
    answer->chunked = answer->has_length = false;
    answer->phase = ANSWER_FIELDS;
    return stop_if(answer->events->on_status(answer->userdata, answer->status));
}

static enum answer_step read_length(struct answer *answer, const char *value, size_t len)
{
    uint64_t length = 0;

    if (!len || len > LENGTH_DIGITS_MAX)
        return bad(answer, "malformed Content-Length");
    for (size_t i = 0; i < len; i++) {
        if (!is_digit(value[i]))
            return bad(answer, "malformed Content-Length");
        length = length * 10 + (unsigned)(value[i] - '0');
    }
    if (answer->has_length && length != answer->left)
        return bad(answer, "two lengths");
    answer->has_length = true;
    answer->left = length;
    return ANSWER_WHOLE;
}

static bool is(const char *text, size_t len, const char *word)
{
    return len == strlen(word) && !strncasecmp(text, word, len);
}

static enum answer_step understand(struct answer *answer, const char *name, size_t name_len,
                                   const char *value, size_t len)
{
    if (is(name, name_len, "content-length"))
        return read_length(answer, value, len);
    if (is(name, name_len, "transfer-encoding")) {
        if (!is(value, len, "chunked"))
            return bad(answer, "a Transfer-Encoding other than chunked");
        answer->chunked = true;
    } else if (is(name, name_len, "connection")) {
        if (is(value, len, "close"))
            answer->keep_alive = false;
        else if (is(value, len, "keep-alive"))
            answer->keep_alive = true;
    }
    return ANSWER_WHOLE;
}

static enum answer_step read_field(struct answer *answer, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    const char *value = colon ? colon + 1 : line;
    size_t name_len = (size_t)((colon ?: line) - line);
    size_t value_len;
    enum answer_step step;

    if (!colon || colon == line || memchr(line, '\0', len))
        return bad(answer, "malformed header field");
    while (value < line + len && (*value == ' ' || *value == '\t'))
        value++;
    value_len = (size_t)(line + len - value);
    while (value_len && (value[value_len - 1] == ' ' || value[value_len - 1] == '\t'))
        value_len--;
    step = understand(answer, line, name_len, value, value_len);
    if (step != ANSWER_WHOLE)
        return step;
    return stop_if(answer->events->on_field(answer->userdata, line, name_len, value, value_len));
}

/* RFC 9112, 6.3: how the body ends. */
static enum answer_step end_fields(struct answer *answer)
{
    bool bodiless = answer->to_head || answer->status == 204 || answer->status == 304;

    if (answer->status < 200) {
        answer->phase = ANSWER_STATUS;
    } else if (bodiless) {
        answer->phase = ANSWER_END;
    } else if (answer->chunked) {
        answer->phase = ANSWER_CHUNK_SIZE;
    } else if (answer->has_length) {
        answer->phase = answer->left ? ANSWER_LENGTH : ANSWER_END;
    } else {
        answer->phase = ANSWER_CLOSE;
        answer->keep_alive = false;
    }
    if (answer->chunked && answer->has_length)
        return bad(answer, "two lengths");
    return stop_if(answer->events->on_head(answer->userdata));
}

static enum answer_step read_size(struct answer *answer, const char *line, size_t len)
{
    uint64_t size = 0;
    size_t i = 0;

    for (; i < len && i <= SIZE_DIGITS_MAX; i++) {
        char c = line[i] | 0x20;

        if (is_digit(line[i]))
            size = size << 4 | (unsigned)(line[i] - '0');
        else if (c >= 'a' && c <= 'f')
            size = size << 4 | (unsigned)(c - 'a' + 10);
        else
            break;
    }
    if (!i || i > SIZE_DIGITS_MAX || (i < len && !strchr("; \t", line[i])))
        return bad(answer, "malformed chunk");
    answer->left = size;
    answer->phase = size ? ANSWER_CHUNK : ANSWER_TRAILERS;
    return ANSWER_WHOLE;
}

static enum answer_step read_line(struct answer *answer, const char *line, size_t len)
{
    switch (answer->phase) {
    case ANSWER_STATUS:
        return read_status(answer, line, len);
    case ANSWER_FIELDS:
        return len ? read_field(answer, line, len) : end_fields(answer);
    case ANSWER_CHUNK_SIZE:
        return read_size(answer, line, len);
    case ANSWER_CHUNK_END:
        answer->phase = ANSWER_CHUNK_SIZE;
        return len ? bad(answer, "malformed chunk") : ANSWER_WHOLE;
    default: /* trailers, which mean nothing to us */
        if (!len)
            answer->phase = ANSWER_END;
        return ANSWER_WHOLE;
    }
}

/* Gathers a line, and reads it once it is whole. */
static enum answer_step take_line(struct answer *answer, const char *bytes, size_t len,
                                  size_t *ret_used)
{
    const char *end = memchr(bytes, '\n', len);
    size_t n = end ? (size_t)(end - bytes) + 1 : len;
    enum answer_step step;

    *ret_used = n;
    if (buf_add(&answer->line, bytes, n) < 0)
        return bad(answer, "a line of the head is too long");
    if (!end)
        return ANSWER_MORE;
    n = answer->line.len - 1;
    if (n && answer->line.bytes[n - 1] == '\r')
        n--;
    step = read_line(answer, answer->line.bytes, n);
    buf_clear(&answer->line);
    return step;
}

static enum answer_step take_data(struct answer *answer, const char *bytes, size_t len,
                                  size_t *ret_used)
{
    size_t n = answer->phase == ANSWER_CLOSE || answer->left > len ? len : (size_t)answer->left;

    *ret_used = n;
    if (answer->events->on_data(answer->userdata, bytes, n) < 0)
        return ANSWER_BAD;
    if (answer->phase == ANSWER_CLOSE)
        return ANSWER_MORE;
    answer->left -= n;
    if (answer->left)
        return ANSWER_MORE;
    answer->phase = answer->phase == ANSWER_CHUNK ? ANSWER_CHUNK_END : ANSWER_END;
    return ANSWER_WHOLE;
}

enum answer_step answer_feed(struct answer *answer, const char *bytes, size_t len, size_t *ret_used)
{
    size_t at = 0;

    while (at < len && answer->phase != ANSWER_END) {
        bool in_body = answer->phase == ANSWER_LENGTH || answer->phase == ANSWER_CLOSE ||
                       answer->phase == ANSWER_CHUNK;
        size_t used = 0;
        enum answer_step step = in_body ? take_data(answer, bytes + at, len - at, &used)
                                        : take_line(answer, bytes + at, len - at, &used);

        at += used;
        *ret_used = at;
        if (step == ANSWER_BAD)
            return step;
    }
    *ret_used = at;
    return answer->phase == ANSWER_END ? ANSWER_WHOLE : ANSWER_MORE;
}

enum answer_step answer_end(struct answer *answer)
{
    if (answer->phase == ANSWER_CLOSE || answer->phase == ANSWER_END)
        return ANSWER_WHOLE;
    return bad(answer, "the server closed the connection in the middle of its answer");
}
