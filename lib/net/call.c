/* call.c - one request from its copy to its end: its time, its answer, its story. */
#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "net/http_internal.h"

enum { BODY_LIMIT = 32 * 1024 * 1024, HEADERS_LIMIT = 64 * 1024 };
enum { REPEATS_MAX = 3, REPEATS_UNSEEN_MAX = 10 };

static const char *const *copy_lines(struct arena *a, const char *const *lines)
{
    size_t n = 0;
    const char **copy;

    while (lines && lines[n])
        n++;
    copy = arena_make_n(a, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = arena_str(a, lines[i]);
    return copy;
}

static usec deadline_of(const struct http *http, const struct http_request *request)
{
    if (request->deadline)
        return request->deadline;
    return request->idle_limit ? USEC_NEVER : clock_now() + http->options.timeout;
}

struct call *call_new(struct http *http, const struct http_request *request)
{
    struct call *call = must_alloc(sizeof *call);
    struct arena *a = arena_new();

    *call = (struct call) { .http = http, .arena = a, .request = *request, .queued = clock_now() };
    call->request.method = arena_str(a, request->method ?: "GET");
    call->request.path = arena_str(a, request->path ?: "/");
    call->target = fmt(a, "%s%s%s", http->url.path, call->request.path[0] == '/' ? "" : "/",
                       call->request.path);
    call->request.headers = copy_lines(a, request->headers);
    call->request.body = request->body_len ? arena_copy(a, request->body, request->body_len) : NULL;
    call->request.content_type = arena_str(a, request->content_type);
    call->deadline = deadline_of(http, request);
    call->response.body.limit = request->body_limit ?: BODY_LIMIT;
    call->response.headers.limit = HEADERS_LIMIT;
    return call;
}

void call_free(struct call *call)
{
    http_response_done(&call->response);
    arena_free(call->arena);
    free(call);
}

bool call_is_stream(const struct call *call)
{
    return call->request.idle_limit != 0;
}

usec call_expiry(const struct call *call)
{
    usec idle_end = USEC_NEVER;

    if (call_is_stream(call) && call->road)
        idle_end = call->last_byte + call->request.idle_limit;
    return idle_end < call->deadline ? idle_end : call->deadline;
}

void call_got_status(struct call *call, int status, int version)
{
    call->response.status = status;
    call->response.version = version;
    buf_clear(&call->response.headers); /* those of interim answers */
}

static int add_field(struct buf *headers, const char *name, size_t name_len, const char *value,
                     size_t value_len)
{
    size_t start = headers->len;

    if (buf_add(headers, name, name_len) < 0 || buf_char(headers, '\0') < 0 ||
        buf_add(headers, value, value_len) < 0 || buf_char(headers, '\0') < 0)
        return -EMSGSIZE;
    for (size_t i = start; i < start + name_len; i++)
        if (headers->bytes[i] >= 'A' && headers->bytes[i] <= 'Z')
            headers->bytes[i] |= 0x20;
    return 0;
}

int call_got_field(struct call *call, const char *name, size_t name_len, const char *value,
                   size_t value_len)
{
    if (!call->head_done && !memchr(value, '\0', value_len)) /* trailers are not kept */
        call->rc = add_field(&call->response.headers, name, name_len, value, value_len);
    return call->rc;
}

int call_got_head(struct call *call)
{
    const struct http_request *request = &call->request;

    call->last_byte = clock_now();
    if (call->response.status < 200)
        return 0;
    call->head_done = true;
    if (request->on_headers)
        call->rc = request->on_headers(request->userdata, &call->response);
    return call->rc;
}

int call_got_data(struct call *call, const char *bytes, size_t len)
{
    bool good = call->response.status >= 200 && call->response.status < 300;

    call->last_byte = clock_now();
    if (call->request.on_data && good)
        call->rc = call->request.on_data(call->request.userdata, bytes, len);
    else
        call->rc = buf_add(&call->response.body, bytes, len);
    return call->rc;
}

bool call_may_repeat(const struct call *call)
{
    const char *method = call->request.method;

    return call->request.may_repeat || (!str_eq(method, "POST") && !str_eq(method, "PATCH"));
}

bool call_repeat(struct call *call, int rc, bool unseen)
{
    bool harmless = unseen || (call_may_repeat(call) && call->on_used_link);

    if (rc != -ECONNRESET || !harmless || call->response.status ||
        call->repeats >= (unseen ? REPEATS_UNSEEN_MAX : REPEATS_MAX))
        return false;
    call->repeats++;
    call->sent = 0;
    call->stream = 0;
    error_clear(&call->err);
    return true;
}

int call_tell(struct call *call, int rc, const char *what)
{
    int path_len = (int)strcspn(call->request.path, "?");

    return fail(&call->err, rc, "%s %.*s: %s", call->request.method, path_len, call->request.path,
                what);
}

int call_tell_stopped(struct call *call)
{
    bool body = call->head_done;

    if (call->rc != -EMSGSIZE)
        return call_tell(call, call->rc, "ended by its reader");
    return call_tell(call, -EMSGSIZE,
                     fmt(call->arena, "the %s of the answer is longer than %zu bytes",
                         body ? "body" : "head",
                         body ? call->response.body.limit : call->response.headers.limit));
}

static const char *where_it_stood(const struct call *call)
{
    if (!call->road)
        return "it waited for its turn";
    if (!call->carrier)
        return "no connection";
    return call->response.status ? "in the middle of the answer" : "no answer";
}

int call_tell_expired(struct call *call)
{
    usec now = clock_now();
    bool silent = now < call->deadline;
    double seconds = (double)(now - (silent ? call->last_byte : call->queued)) / USEC_SEC;

    return call_tell(call, -ETIMEDOUT,
                     fmt(call->arena, "%s after %.1f s (%s)", silent ? "silent" : "timed out",
                         seconds, where_it_stood(call)));
}
