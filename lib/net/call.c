/* call.c - one request from its copy to its end: how long it may take and what came of it. */
#include <errno.h>
#include <string.h>

#include "net/http_internal.h"

enum { BODY_LIMIT = 32 * 1024 * 1024, HEADERS_LIMIT = 64 * 1024, REPEATS_MAX = 3 };

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
    if (call->easy)
        curl_easy_cleanup(call->easy);
    curl_slist_free_all(call->headers);
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

int call_begin(struct call *call, struct road *road)
{
    int rc;

    call->road = road;
    call->started = call->last_byte = clock_now();
    rc = transfer_make(call, &call->err);
    if (rc == 0)
        lane_add(road->lane, call->easy);
    return rc;
}

/* Whether the server cannot have acted on it, or acting twice does no harm: it broke off without a
 * byte of an answer, on a connection that others had used before (a new one would fail again). */
static bool is_worth_repeating(struct call *call, int rc)
{
    long connects = 0, request_bytes = 0;

    curl_easy_getinfo(call->easy, CURLINFO_NUM_CONNECTS, &connects);
    curl_easy_getinfo(call->easy, CURLINFO_REQUEST_SIZE, &request_bytes);
    return rc == -ECONNRESET && !call->response.status && !connects &&
           call->repeats < REPEATS_MAX && (transfer_may_repeat(call) || !request_bytes);
}

bool call_repeat(struct call *call, int rc)
{
    if (!is_worth_repeating(call, rc))
        return false;
    call->repeats++;
    curl_easy_cleanup(take(call->easy));
    curl_slist_free_all(take(call->headers));
    call->curl_error[0] = '\0';
    call->sent = 0;
    error_clear(&call->err);
    return true;
}

static int connect_errno(CURL *easy)
{
    long os = 0;

    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &os);
    return os ? -(int)os : -ECONNREFUSED;
}

static int errno_of(struct call *call, CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_CONNECT:
        return connect_errno(call->easy);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return -EHOSTUNREACH;
    case CURLE_OPERATION_TIMEDOUT:
        return -ETIMEDOUT;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL: /* HTTP/0.9, that is: something else */
    case CURLE_BAD_CONTENT_ENCODING:
        return -EPROTO;
    case CURLE_URL_MALFORMAT:
        return -EINVAL;
    default:
        return connect_errno(call->easy) == -ETIMEDOUT ? -ETIMEDOUT : -ECONNRESET;
    }
}

static const char *where_it_stood(struct call *call)
{
    curl_off_t connected = 0, secured = 0;

    curl_easy_getinfo(call->easy, CURLINFO_CONNECT_TIME_T, &connected);
    curl_easy_getinfo(call->easy, CURLINFO_PRETRANSFER_TIME_T, &secured);
    if (call->response.status)
        return "the answer broke off";
    if (secured)
        return "no answer";
    return connected ? "connected, not yet sent" : "no connection";
}

static int tell(struct call *call, int rc, const char *what)
{
    int path_len = (int)strcspn(call->request.path, "?");

    return fail(&call->err, rc, "%s %.*s: %s", call->request.method, path_len, call->request.path,
                what);
}

static const char *words_of(struct call *call, CURLcode code)
{
    if (code == CURLE_SEND_FAIL_REWIND)
        return "the connection broke without an answer; not sent again, since the server may have "
               "acted on it";
    return call->curl_error[0] ? call->curl_error : curl_easy_strerror(code);
}

static const char *too_long(struct call *call)
{
    bool body = call->head_done;

    return fmt(call->arena, "the %s of the answer is longer than %zu bytes", body ? "body" : "head",
               body ? call->response.body.limit : call->response.headers.limit);
}

int call_result(struct call *call, CURLcode code)
{
    call->response.took = clock_now() - call->started;
    if (code == CURLE_OK)
        return 0;
    if (call->rc == -EMSGSIZE)
        return tell(call, -EMSGSIZE, too_long(call));
    if (call->rc < 0)
        return tell(call, call->rc, "ended by its reader");
    return tell(call, errno_of(call, code), words_of(call, code));
}

static void leave_road(struct call *call)
{
    if (!call->road)
        return;
    lane_remove(call->road->lane, call->easy);
    call->response.took = clock_now() - call->started;
}

int call_expire(struct call *call)
{
    usec now = clock_now();
    bool silent = now < call->deadline;
    double seconds = (double)(now - (silent ? call->last_byte : call->queued)) / USEC_SEC;
    const char *where = call->road ? where_it_stood(call) : "it waited for its turn";

    leave_road(call);
    return tell(
        call, -ETIMEDOUT,
        fmt(call->arena, "%s after %.1f s (%s)", silent ? "silent" : "timed out", seconds, where));
}

int call_cancel(struct call *call)
{
    leave_road(call);
    return tell(call, -ECANCELED, "canceled");
}
