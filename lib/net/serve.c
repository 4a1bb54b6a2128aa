/* serve.c - finds who handles a request, hands it over, and writes the answer. */
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/str.h"
#include "net/loop.h"
#include "net/server_internal.h"
#include "net/url.h"
#include "net/workers.h"

/* A request on its way through a worker. */
struct exchange {
    struct conn *conn;
    const struct route *route;
    struct request request;
    struct reply reply;
};

const char *request_header(const struct request *request, const char *name)
{
    for (const char *const *field = request->headers; field[0]; field += 2)
        if (!strcasecmp(field[0], name))
            return field[1];
    return NULL;
}

const char *request_param(const struct request *request, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = request->query; *at; at += *at == '&') {
        size_t n = strcspn(at, "&");

        if (n >= len && !strncmp(at, name, len) && (n == len || at[len] == '='))
            return url_unescape(request->arena, at + len + (n > len), n - len - (n > len), true);
        at += n;
    }
    return NULL;
}

void reply_header(struct reply *reply, const char *name, const char *value)
{
    buf_fmt(&reply->headers, "%s: ", name);
    for (const char *c = value; *c; c++) /* a value with line breaks would begin other headers */
        buf_char(&reply->headers, (unsigned char)*c < ' ' ? ' ' : *c);
    buf_str(&reply->headers, "\r\n");
}

void reply_text(struct reply *reply, int status, const char *format, ...)
{
    va_list args;

    reply->status = status;
    reply->content_type = NULL;
    buf_clear(&reply->body);
    va_start(args, format);
    buf_vfmt(&reply->body, format, args);
    va_end(args);
    buf_char(&reply->body, '\n');
}

static const char *date(struct server *server)
{
    time_t now = time(NULL);
    struct tm tm;

    if (now != server->date_at) {
        server->date_at = now;
        gmtime_r(&now, &tm);
        strftime(server->date, sizeof server->date, "%a, %d %b %Y %H:%M:%S GMT", &tm);
    }
    return server->date;
}

static const char *method_of(const struct conn *conn)
{
    return conn->wire.head_len ? conn->in.bytes + conn->wire.method : "";
}

static void add_number(struct buf *out, size_t number)
{
    char digits[24];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    buf_add(out, digits + at, sizeof digits - at);
}

/* Piece by piece rather than by a format: this is the hot path of a webhook. */
static void write_head(struct conn *conn, const struct reply *reply, int status, bool bodiless)
{
    struct buf *out = &conn->out;

    buf_str(out, "HTTP/1.1 ");
    add_number(out, (size_t)status);
    buf_char(out, ' ');
    buf_str(out, wire_reason(status));
    buf_str(out, "\r\nDate: ");
    buf_str(out, date(conn->server));
    if (!bodiless) {
        buf_str(out, "\r\nContent-Type: ");
        buf_str(out, reply->content_type ?: "text/plain; charset=utf-8");
        buf_str(out, "\r\nContent-Length: ");
        add_number(out, reply->body.len);
    }
    if (conn->close_after)
        buf_str(out, "\r\nConnection: close");
    else if (conn->wire.http10)
        buf_str(out, "\r\nConnection: keep-alive");
    buf_str(out, "\r\n");
    buf_str(out, buf_text(&reply->headers));
    buf_str(out, "\r\n");
}

static void write_reply(struct conn *conn, struct reply *reply)
{
    int status = reply->status ?: 200;
    bool bodiless = status == 204 || status == 304;

    if (status < 200 || status > 599) /* a handler's mistake must not look like success */
        status = 500;
    if (conn->server->lame)
        conn->close_after = true;
    write_head(conn, reply, status, bodiless);
    if (!bodiless && !str_eq(method_of(conn), "HEAD"))
        buf_add(&conn->out, reply->body.bytes, reply->body.len);
    buf_done(&reply->body);
    buf_done(&reply->headers);
}

void serve_refusal(struct conn *conn, int status, const char *why)
{
    struct reply reply = { 0 };

    conn->close_after = true;
    reply_text(&reply, status, "%s", why);
    if (status == 503)
        reply_header(&reply, "Retry-After", "1");
    write_reply(conn, &reply);
}

static bool path_matches(const struct route *route, const char *path)
{
    if (route->flags & ROUTE_PREFIX)
        return str_starts(path, route->path);
    return str_eq(path, route->path);
}

static bool method_matches(const struct route *route, const char *method)
{
    return !route->method || str_eq(route->method, method) ||
           (str_eq(method, "HEAD") && str_eq(route->method, "GET"));
}

/* The longest path that matches; NULL with the methods it could have been, or "" for none. */
static const struct route *find_route(const struct server *server, const char *method,
                                      const char *path, char *allowed, size_t size)
{
    const struct route *best = NULL;
    size_t used = 0;

    allowed[0] = '\0';
    for (const struct route *route = server->options.routes; route->path; route++) {
        if (!path_matches(route, path))
            continue;
        if (!method_matches(route, method)) {
            if (used < size)
                used += (size_t)snprintf(allowed + used, size - used, "%s%s", used ? ", " : "",
                                         route->method);
        } else if (!best || strlen(route->path) > strlen(best->path)) {
            best = route;
        }
    }
    return best;
}

static void refuse_route(struct reply *reply, const struct request *request, const char *allowed)
{
    if (allowed[0]) {
        reply_header(reply, "Allow", allowed);
        reply_text(reply, 405, "%s is not for %s", request->path, request->method);
    } else {
        reply_text(reply, 404, "not found");
    }
}

static const char *const *fields_of(const struct conn *conn, struct arena *a)
{
    const struct wire *wire = &conn->wire;
    const char **fields = arena_make_n(a, const char *, 2 * wire->fields + 1);

    for (unsigned i = 0; i < wire->fields; i++) {
        fields[2 * i] = conn->in.bytes + wire->field[i].name;
        fields[2 * i + 1] = conn->in.bytes + wire->field[i].value;
    }
    return fields;
}

/* The request as its handler sees it; path NULL when it is malformed. */
static struct request request_of(struct conn *conn, struct arena *a)
{
    const char *target = conn->in.bytes + conn->wire.target;
    size_t path_len = strcspn(target, "?#");
    const char *query = target[path_len] == '?' ? target + path_len + 1 : "";

    return (struct request) {
        .method = method_of(conn),
        .path = memchr(target, '%', path_len) ? url_unescape(a, target, path_len, false)
                                              : arena_strn(a, target, path_len),
        .query = query,
        .body = conn->in.bytes + conn->wire.head_len,
        .body_len = conn->wire.body_len,
        .peer = conn->peer,
        .peer_name = conn->peer_name,
        .arena = a,
        .headers = fields_of(conn, a),
    };
}

/* The body ends with NUL for the handler's comfort; there the next request may begin. The byte is
 * ours to write: a connection never fills the last one of its buffer. */
static char end_body(struct request *request, char with)
{
    char *end = (char *)request->body + request->body_len;
    char was = *end;

    *end = with;
    return was;
}

static void run_handler(const struct route *route, struct server *server, struct request *request,
                        struct reply *reply)
{
    char after = end_body(request, '\0');

    route->handle(request, reply, route->userdata ?: server->options.userdata);
    end_body(request, after);
}

/* Whether it could be answered without waiting. */
static bool run_quick(const struct route *route, struct server *server, struct request *request,
                      struct reply *reply)
{
    char after;
    bool answered;

    if (!route->quick)
        return false;
    after = end_body(request, '\0');
    answered = route->quick(request, reply, route->userdata ?: server->options.userdata);
    end_body(request, after);
    return answered;
}

static void exchange_done(void *arg)
{
    struct exchange *exchange = arg;
    struct conn *conn = exchange->conn;

    write_reply(conn, &exchange->reply);
    arena_free(take(conn->held));
    conn_send(conn);
}

static void exchange_run(void *arg)
{
    struct exchange *exchange = arg;
    struct server *server = exchange->conn->server;

    run_handler(exchange->route, server, &exchange->request, &exchange->reply);
    loop_post(server->loop, exchange_done, exchange);
}

static void hand_to_worker(struct conn *conn, const struct route *route)
{
    struct arena *a = arena_new();
    struct exchange *exchange = arena_make(a, struct exchange);

    *exchange = (struct exchange) { .conn = conn, .route = route, .request = request_of(conn, a) };
    conn->held = a;
    workers_add(conn->server->workers, exchange_run, exchange);
}

bool serve(struct conn *conn)
{
    struct server *server = conn->server;
    struct request request = request_of(conn, server->request_arena);
    const struct route *route = NULL;
    struct reply reply = { 0 };
    char allowed[128] = "";
    bool waits = false;

    conn->close_after = !conn->wire.keep_alive;
    if (request.path)
        route = find_route(server, request.method, request.path, allowed, sizeof allowed);
    if (!request.path)
        reply_text(&reply, 400, "malformed escape in the path");
    else if (!route)
        refuse_route(&reply, &request, allowed);
    else if (route->flags & ROUTE_WORKER)
        waits = !run_quick(route, server, &request, &reply);
    else
        run_handler(route, server, &request, &reply);
    if (waits)
        hand_to_worker(conn, route);
    arena_reset(server->request_arena);
    if (waits)
        return false;
    write_reply(conn, &reply);
    return true;
}

bool serve_expects(struct conn *conn)
{
    struct server *server = conn->server;
    struct request request = request_of(conn, server->request_arena);
    char allowed[128];
    bool found =
        request.path && find_route(server, request.method, request.path, allowed, sizeof allowed);

    arena_reset(server->request_arena);
    return found;
}

const char *wire_reason(int status)
{
    static const struct {
        int status;
        const char *words;
    } reasons[] = {
        { 200, "OK" },
        { 201, "Created" },
        { 202, "Accepted" },
        { 204, "No Content" },
        { 301, "Moved Permanently" },
        { 302, "Found" },
        { 304, "Not Modified" },
        { 400, "Bad Request" },
        { 401, "Unauthorized" },
        { 403, "Forbidden" },
        { 404, "Not Found" },
        { 405, "Method Not Allowed" },
        { 408, "Request Timeout" },
        { 409, "Conflict" },
        { 413, "Content Too Large" },
        { 415, "Unsupported Media Type" },
        { 417, "Expectation Failed" },
        { 422, "Unprocessable Content" },
        { 429, "Too Many Requests" },
        { 431, "Request Header Fields Too Large" },
        { 500, "Internal Server Error" },
        { 501, "Not Implemented" },
        { 502, "Bad Gateway" },
        { 503, "Service Unavailable" },
        { 504, "Gateway Timeout" },
        { 505, "HTTP Version Not Supported" },
    };

    for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].words;
    return "Unknown";
}
