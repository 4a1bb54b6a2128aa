/* fields.c - the header fields of a request. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "net/http_internal.h"

enum { LINES_LIMIT = 64 * 1024, OWN_FIELDS = 4 };

static void add(struct call *call, const char *name, const char *value)
{
    call->fields[call->field_count++] = (struct field) { name, value };
}

static bool is_token(const char *name)
{
    return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789!#$%&'*+-.^_`|~")];
}

static bool is_value(const char *value)
{
    for (const unsigned char *c = (const unsigned char *)value; *c; c++)
        if ((*c < ' ' && *c != '\t') || *c == 127)
            return false;
    return true;
}

/* "Name: value" */
static int add_line(struct call *call, const char *line, struct error *err)
{
    const char *colon = strchrnul(line, ':');
    const char *name = arena_strn(call->arena, line, (size_t)(colon - line));
    const char *value = *colon ? colon + 1 + strspn(colon + 1, " \t") : "";

    if (!*colon || !is_token(name) || !is_value(value)) /* the value may be a secret: not told */
        return fail(err, -EINVAL, "'%s' is not a header field", *colon ? name : "(no colon)");
    add(call, name, arena_str(call->arena, value));
    return 0;
}

static size_t count_lines(const struct buf *lines)
{
    size_t n = 1;

    for (size_t i = 0; i < lines->len; i++)
        n += lines->bytes[i] == '\n';
    return n;
}

static int add_authorization(struct call *call, char *lines, struct error *err)
{
    char *rest = NULL;

    for (char *line = strtok_r(lines, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
        if (add_line(call, line, err) < 0)
            return wrap(err, "authorize");
    return 0;
}

static int add_all(struct call *call, struct buf *authorization, struct error *err)
{
    const struct http_request *request = &call->request;
    bool posts = str_eq(request->method, "POST") || str_eq(request->method, "PUT") ||
                 str_eq(request->method, "PATCH");

    add(call, "accept", "*/*"); /* replaced below when the request has its own */
    if (call->http->options.user_agent)
        add(call, "user-agent", call->http->options.user_agent);
    if (request->content_type)
        add(call, "content-type", request->content_type);
    if (request->body_len || posts)
        add(call, "content-length", fmt(call->arena, "%zu", request->body_len));
    for (const char *const *line = request->headers; *line; line++) {
        if (add_line(call, *line, err) < 0)
            return err->code;
        if (!strcasecmp(call->fields[call->field_count - 1].name, "accept"))
            call->fields[0] = call->fields[--call->field_count];
    }
    return authorization->len ? add_authorization(call, authorization->bytes, err) : 0;
}

int fields_make(struct call *call, struct error *err)
{
    const struct http_options *options = &call->http->options;
    scoped(buf) struct buf lines = { .limit = LINES_LIMIT };
    size_t given = 0;
    int rc = 0;

    if (options->authorize)
        rc = options->authorize(options->userdata, call->request.method, call->request.path, &lines,
                                err);
    if (rc < 0)
        return rc;
    while (call->request.headers[given])
        given++;
    call->fields =
        arena_make_n(call->arena, struct field, OWN_FIELDS + given + count_lines(&lines));
    call->field_count = 0;
    rc = add_all(call, &lines, err);
    if (lines.bytes)
        explicit_bzero(lines.bytes, lines.size);
    return rc;
}
